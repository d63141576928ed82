/**
 * `/slim` and `/single` have no `import()`: workers and extensions whose bundle is one script cannot load parts of it later.
 *
 * Modules that import something on use, and those that import such modules, are built a second time for them, with static
 * imports instead. All others, with whatever keeps state, are shared with the other entry points.
 */

import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";

/** Resolves `eager:NAME` to the module NAME of the sources, without `import()` in it or in anything that it imports. */
export async function eagerModules(esbuild, sources) {
  // Installed by the set-up, which this script is loaded before.
  const { parse } = await import("acorn");
  const lazy = await lazyModulesBelow(esbuild, sources, "slim.ts");
  const place = (file) => (lazy.has(file) ? { path: file, namespace: "eager" } : { path: file });
  return {
    name: "eager modules",
    setup(build) {
      build.onResolve({ filter: /^eager:/ }, ({ path: name }) =>
        place(join(sources, `${name.slice("eager:".length)}.ts`)),
      );
      build.onResolve({ filter: /^\..*\.js$/, namespace: "eager" }, ({ path: name, resolveDir }) => {
        const file = join(resolveDir, name.replace(/js$/, "ts"));
        return existsSync(file) ? place(file) : undefined;
      });
      build.onLoad({ filter: /./, namespace: "eager" }, async ({ path: file }) => {
        const { code } = await esbuild.transform(readFileSync(file, "utf8"), {
          loader: "ts",
          target: "es2022",
        });
        return { contents: withStaticImports(parse, code), resolveDir: dirname(file) };
      });
    },
  };
}

/** The modules below an entry point that import something on use, and all that import one of them. */
async function lazyModulesBelow(esbuild, sources, entry) {
  const { metafile } = await esbuild.build({
    entryPoints: [join(sources, entry)],
    absWorkingDir: sources,
    outdir: "unused",
    write: false,
    metafile: true,
    bundle: true,
    splitting: true,
    format: "esm",
    packages: "external",
  });
  const modules = Object.entries(metafile.inputs);
  const found = new Set();
  let before = -1;
  while (found.size > before) {
    before = found.size;
    for (const [file, { imports }] of modules) {
      if (imports.some(({ kind, path }) => kind === "dynamic-import" || found.has(path))) found.add(file);
    }
  }
  return new Set(Array.from(found, (file) => join(sources, file)));
}

/** The module with each `import("./x.js")` made a promise of what it imports statically. */
function withStaticImports(parse, code) {
  const imports = [];
  let text = code;
  for (const { start, end, source } of importsOnUse(
    parse(code, { ecmaVersion: "latest", sourceType: "module" }),
  )) {
    if (source.type !== "Literal")
      throw new Error(`An import on use has no fixed name: ${code.slice(start, end)}`);
    const name = `imported${imports.length}`;
    imports.push(`import * as ${name} from ${JSON.stringify(source.value)};\n`);
    text = `${text.slice(0, start)}Promise.resolve(${name})${text.slice(end)}`;
  }
  return imports.join("") + text;
}

/** All `import()` below a node of the syntax tree, the last first. */
function importsOnUse(node) {
  if (typeof node !== "object" || node === null) return [];
  if (Array.isArray(node)) return node.toReversed().flatMap(importsOnUse);
  const below = Object.values(node).toReversed().flatMap(importsOnUse);
  return node.type === "ImportExpression" ? [node, ...below] : below;
}
