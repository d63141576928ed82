/**
 * Builds `dist/` from the TypeScript sources: ES modules, the same as CommonJS, and declarations for both.
 */

import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, posix, relative } from "node:path";
import { binaryNames } from "./binaries.mjs";
import { entryFiles, packages, program, requiredFiles } from "./entries.mjs";
import { moduleGraph } from "./exports.mjs";
import { entryCode, writeModules } from "./modules.mjs";
import { path, root, run } from "./run.mjs";
import { replaced, SHORTER, tidied } from "./syntax.mjs";

const dist = "pkg/dist";

/**
 * Checks all types, and writes the declarations that entry points reach. Those for CommonJS omit the
 * documentation, which would add a tenth to the package.
 */
export function declare(sources) {
  const all = path("target/declarations");
  rmSync(all, { recursive: true, force: true });
  const tsc = path("node_modules/typescript/bin/tsc");
  run("node", [tsc, "--project", sources, "--outDir", all]);
  // Only the program sees the types of Node.
  run("node", [tsc, "--project", `${sources}/tsconfig.node.json`]);
  for (const name of binaryNames) cpSync(`${sources}/${name}.types.d.ts`, `${all}/${name}.types.d.ts`);
  const imports = /(from |import\()"(\.[^"]+)\.js"/g;
  visit(
    entryFiles.map(({ source }) => source),
    (name) => {
      const text = readFileSync(`${all}/${name}.d.ts`, "utf8");
      write(path(dist, `${name}.d.ts`), text);
      const bare = text.replaceAll(/^[ \t]*\/\*\*[\s\S]*?\*\/\n/gm, "");
      write(path(dist, `${name}.d.cts`), bare.replaceAll(imports, '$1"$2.cjs"'));
      return Array.from(text.matchAll(imports), ([, , next]) => posix.join(posix.dirname(name), next));
    },
  );
}

/**
 * Writes the entry points twice. Bundlers get a module for each source (`modules.mjs`), and remove what is
 * not used. Node gets a few chunks, since each file costs time at start-up, and the same as CommonJS. Each
 * copy has a single engine and a single error class, whatever is imported. Names are kept and lines are
 * short, so that stack traces are readable and Node shows a useful line for uncaught errors. Returns the
 * files with side effects.
 */
export async function bundle(sources) {
  const esbuild = await import("esbuild");
  const graph = await moduleGraph(esbuild, sources, [...new Set(entryFiles.map(({ source }) => source))]);
  const modules = await writeModules(esbuild, sources, graph);
  const entryPoints = {};
  for (const file of [...requiredFiles, ...packages, program])
    entryPoints[file.name] = await entryModule(sources, file, graph);
  const { metafile } = await esbuild.build({
    entryPoints,
    outdir: dist,
    absWorkingDir: root,
    metafile: true,
    bundle: true,
    splitting: true,
    ...SHORTER,
    format: "esm",
    platform: "neutral",
    packages: "external",
    target: "es2022",
    plugins: [files, lazyModules(sources)],
    // These also stay separate files.
    external: ["*.wasm", "*-wasm-base64.js"],
  });
  const { outputs } = metafile;
  for (const file of Object.keys(outputs)) write(path(file), tidied(readFileSync(path(file), "utf8")));
  const required = await writeCommonJs(esbuild, outputs);
  const reach = (file) => visit([file], (next) => outputs[next].imports.filter(isStatic).map(pathOf));
  const isActive = (file) => Object.keys(outputs[file].inputs).some((input) => ACTIVE.test(input));
  const active = requiredFiles
    .map(({ name }) => `${dist}/${name}.js`)
    .flatMap((entry) => {
      const found = Array.from(reach(entry)).filter(isActive);
      return found.length ? [entry, ...found] : [];
    });
  const both = (file) => [file, ...(required.has(file) ? [file.replace(/js$/, "cjs")] : [])];
  return [...new Set(active.flatMap(both)), ...modules.filter((file) => ACTIVE_MODULE.test(file))];
}

const isStatic = ({ kind, external }) => kind === "import-statement" && !external;

const pathOf = (file) => file.path;

/** The module with a side effect: it registers the matchers. */
const ACTIVE = /(?:^|\/)vitest\/index\.ts$/;
const ACTIVE_MODULE = /\/(?:vitest\/index|entries\/vitest(?:\.[\w-]+)?)\.js$/;

/**
 * The input of esbuild for an entry point. All but the main one import the main entry point as a file, and
 * with it all of `api`, so that nearly everything is in one chunk.
 */
async function entryModule(sources, entry, graph) {
  if (!entry.runtime) return `${sources}/${entry.source}.ts`;
  const file = `${sources}/entries/${entry.name}.ts`;
  const toDist = posix.relative(posix.dirname(entry.name), ".") || ".";
  const lines = entry.imports.map((name) => `import "file:${toDist}/${name}.js";\n`);
  if (lines.length) lines.unshift(`import "${posix.join("..", toDist)}/api.js";\n`);
  write(file, lines.join("") + (await entryCode(sources, { ...entry, isEager: false }, graph)));
  return file;
}

/** The `file:` prefix marks an import to keep. */
const files = {
  name: "files",
  setup: (build) =>
    build.onResolve({ filter: /^file:/ }, ({ path }) => ({
      path: path.slice("file:".length),
      external: true,
    })),
};

/**
 * Lazily loaded modules import all of `api`, too, which is loaded by then. Otherwise esbuild would make a
 * chunk for each set of modules that share code; this keeps shared code in the chunk of the main entry point.
 */
const lazyModules = (sources) => ({
  name: "lazy modules",
  setup(build) {
    const own = packages.map(({ source }) => join(sources, `${source}.ts`));
    build.onResolve({ filter: /^\..*\.js$/ }, ({ path: name, kind, resolveDir }) => {
      const file = join(resolveDir, name.replace(/js$/, "ts"));
      const isLazy = kind === "dynamic-import" && existsSync(file) && !own.includes(file);
      // Relative: names of chunks are hashes of it, too, and must not depend on the folder of the repository.
      return isLazy ? { path: relative(sources, file).replaceAll("\\", "/"), namespace: "lazy" } : undefined;
    });
    build.onLoad({ filter: /./, namespace: "lazy" }, ({ path: file }) => ({
      contents: `import "./api.ts";\nexport * from ${JSON.stringify(`./${file}`)};`,
      resolveDir: sources,
    }));
  },
});

/** Writes each ES module as CommonJS next to it, so that both formats share code in the same way. */
async function writeCommonJs(esbuild, outputs) {
  const modules = visit(
    [...requiredFiles, ...packages].map(({ name }) => `${dist}/${name}.js`),
    (file) => outputs[file].imports.filter(({ external }) => !external).map((next) => next.path),
  );
  for (const file of modules) {
    const isModule = (name) => /^\.\.?\//.test(name) && modules.has(join(dirname(file), name));
    const named = (name) => JSON.stringify(name.replace(/js$/, "cjs"));
    const prepared = replaced(readFileSync(path(file), "utf8"), (node) => {
      const { type, source } = node;
      // Jest cannot run dynamic imports in CommonJS.
      if (type === "ImportExpression" && source.type === "Literal" && isModule(source.value))
        return `Promise.resolve().then(() => require(${named(source.value)}))`;
      // Imports and exports name their source in a literal.
      if (type === "Literal" && typeof node.value === "string" && isModule(node.value))
        return named(node.value);
      return isMeta(node) ? META[node.property.name] : undefined;
    });
    const { code } = await esbuild.transform(prepared, {
      format: "cjs",
      platform: "node",
      target: "es2022",
      ...SHORTER,
      supported: { "dynamic-import": true },
    });
    // Some tools look for the names of exports at the start of a line.
    write(path(file.replace(/js$/, "cjs")), tidied(code).replace(";__export(", ";\n__export("));
  }
  return modules;
}

const isMeta = ({ type, object, property }) =>
  type === "MemberExpression" && object.type === "MetaProperty" && property.name in META;

/** The replacements of `import.meta` in CommonJS. */
const META = {
  // Without this function the location is unknown, and the embedded copy is used.
  url: 'process.getBuiltinModule("node:url").pathToFileURL(__filename)',
  // Indirect, so that bundlers do not see a dependency, and `undefined` outside of CommonJS.
  moduleRequire: 'Reflect.get(module, "require")?.bind(module)',
};

/** Everything that can be reached from `starts`; `follow` returns the next nodes. */
function visit(starts, follow) {
  const reached = new Set(starts);
  for (const name of reached) for (const next of follow(name)) reached.add(next);
  return reached;
}

function write(file, text) {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
}
