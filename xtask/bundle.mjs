/** From the TypeScript sources to what `dist/` holds of them: ES modules, the same as CommonJS, declarations for both. */

import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, posix } from "node:path";
import { binaryNames } from "./binaries.mjs";
import { entryFiles, nodeFiles, packages, program, requiredFiles } from "./entries.mjs";
import { moduleGraph } from "./exports.mjs";
import { entryCode, writeModules } from "./modules.mjs";
import { path, root, run } from "./run.mjs";
import { replaced, SHORTER, tidied } from "./syntax.mjs";

const dist = "pkg/dist";

/**
 * Checks all types, and writes the declarations that can be reached from an entry point. Those for CommonJS go without
 * their documentation, which would be a tenth of the package a second time.
 */
export function declare(sources) {
  const all = path("target/declarations");
  rmSync(all, { recursive: true, force: true });
  run("node", [path("node_modules/typescript/bin/tsc"), "--project", sources, "--outDir", all]);
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
 * Writes the entry points twice. Bundlers get modules that follow the sources (`modules.mjs`), and leave out what is not used.
 * Node gets a few chunks, since files cost more than contents at start-up, and the same as CommonJS. Whatever is imported, there
 * is one engine and one class of errors in each. Names stay, and lines are short: a stack trace that leads here can be read, and
 * Node shows the line from which an error came that nobody caught. Returns the files that do something when they are loaded.
 */
export async function bundle(sources) {
  const esbuild = await import("esbuild");
  const graph = await moduleGraph(esbuild, sources, [...new Set(entryFiles.map(({ source }) => source))]);
  const modules = await writeModules(esbuild, sources, graph);
  const entryPoints = {};
  for (const file of [...nodeFiles, ...packages, program])
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
    // These stay files of their own, too.
    external: ["*.wasm", "*-wasm-base64.js"],
  });
  const { outputs } = metafile;
  for (const file of Object.keys(outputs)) write(path(file), tidied(readFileSync(path(file), "utf8")));
  const required = await writeCommonJs(esbuild, outputs);
  const reach = (file) => visit([file], (next) => outputs[next].imports.filter(isStatic).map(pathOf));
  const isActive = (file) => Object.keys(outputs[file].inputs).some((input) => ACTIVE.test(input));
  const active = nodeFiles
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

/** The module that does something when it is loaded: it adds the matchers. */
const ACTIVE = /(?:^|\/)vitest\/index\.ts$/;
const ACTIVE_MODULE = /\/(?:vitest\/index|entries\/vitest(?:\.[\w-]+)?)\.js$/;

/**
 * What esbuild starts from. The others import the main entry point as a file, and all of `api` with it, so that nearly
 * everything comes in one chunk.
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

/** `file:` says that an import shall stay one. */
const files = {
  name: "files",
  setup: (build) =>
    build.onResolve({ filter: /^file:/ }, ({ path }) => ({
      path: path.slice("file:".length),
      external: true,
    })),
};

/**
 * What is loaded on use imports all of `api`, too, which is there already: modules that different files share make a chunk
 * for each set of these files, and so all that they share with the main entry point stays in its one chunk.
 */
const lazyModules = (sources) => ({
  name: "lazy modules",
  setup(build) {
    const api = join(sources, "api.ts");
    const own = packages.map(({ source }) => join(sources, `${source}.ts`));
    build.onResolve({ filter: /^\..*\.js$/ }, ({ path: name, kind, resolveDir }) => {
      const file = join(resolveDir, name.replace(/js$/, "ts"));
      const isLazy = kind === "dynamic-import" && existsSync(file) && !own.includes(file);
      return isLazy ? { path: file, namespace: "lazy" } : undefined;
    });
    build.onLoad({ filter: /./, namespace: "lazy" }, ({ path: file }) => ({
      contents: `import ${JSON.stringify(api)};\nexport * from ${JSON.stringify(file)};`,
      resolveDir: dirname(file),
    }));
  },
});

/** Writes each ES module as CommonJS beside it, so that these entry points share what those share. */
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
      // Jest, for one, cannot import in CommonJS.
      if (type === "ImportExpression" && source.type === "Literal" && isModule(source.value))
        return `Promise.resolve().then(() => require(${named(source.value)}))`;
      // Of imports and exports: what they name stands in their source.
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
    // Tools that look for the names of exports expect them at the start of a line.
    write(path(file.replace(/js$/, "cjs")), tidied(code).replace(";__export(", ";\n__export("));
  }
  return modules;
}

const isMeta = ({ type, object, property }) =>
  type === "MemberExpression" && object.type === "MetaProperty" && property.name in META;

/** What CommonJS has in place of `import.meta`. */
const META = {
  // Where there is no such function the location is unknown, and the embedded copy is used.
  url: 'process.getBuiltinModule("node:url").pathToFileURL(__filename)',
  // Said so that no bundler takes it for a dependency; where there is none, there is no such function.
  moduleRequire: 'Reflect.get(module, "require")?.bind(module)',
};

/** Everything that can be reached from `starts`, where `follow` names what comes after each. */
function visit(starts, follow) {
  const reached = new Set(starts);
  for (const name of reached) for (const next of follow(name)) reached.add(next);
  return reached;
}

function write(file, text) {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
}
