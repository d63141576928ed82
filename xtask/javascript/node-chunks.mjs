/**
 * Writes the JavaScript for Node as CommonJS: a few chunks instead of a module for each source. Names are kept and lines are
 * short, so that stack traces are readable and Node shows a useful line for uncaught errors.
 */

import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { basename, dirname, isAbsolute, join } from "node:path";
import { nodeFiles, packages, program } from "../entries.mjs";
import { path } from "../run.mjs";
import { planChunks } from "./chunk-plan.mjs";
import { attachingModule, singleEntryModule } from "./entry-modules.mjs";
import { definitionsOnUse, exportsOnUse, readAtOnce } from "./on-use.mjs";
import { DIST } from "./places.mjs";
import { SHORTER, tidied } from "./syntax.mjs";

/** What processes import, with how common that is: an estimate. */
const STARTS = [
  [100, "index"],
  [20, "index", "evaluation"],
  [10, "index", "vitest"],
  [20, "checks"],
  [10, "checks", "evaluation"],
  [5, "checks", "vitest"],
  [20, program.name],
  [5, "text"],
  [5, "retrieval"],
  ...nodeFiles.map(({ name }) => [4, name]),
];

/**
 * @param described What each entry point exports (`node-entries.mjs`).
 * @returns The modules that define what an entry point exports, for those that load them on use.
 */
export async function writeChunks(esbuild, sources, graph, described) {
  // Imported late, because setup installs it.
  const { rollup } = await import("rollup");
  const { entries, onUse } = await entriesOf(sources, graph);
  const active = nodeFiles.filter(({ hasSideEffects }) => hasSideEffects);
  const effective = new Set([
    ...entries.keys(),
    ...active.map(({ source }) => join(sources, `${source}.ts`)),
  ]);
  const input = Object.fromEntries(Array.from(entries, ([id, { name }]) => [name, id]));
  const defining = Array.from(onUse.values()).flatMap((definitions) => [...definitions.keys()]);
  const parts = Object.fromEntries(
    defining.filter((name) => !(name in input)).map((name) => [name, join(sources, `${name}.ts`)]),
  );
  let plan;
  const planned = {
    name: "plan",
    buildEnd() {
      const infos = Array.from(this.getModuleIds(), (id) => this.getModuleInfo(id));
      plan = planOf(infos, { input, parts, starts: startsWith(described, onUse, input) });
    },
  };
  const bundle = await rollup({
    input: { ...parts, ...input },
    plugins: [modules(esbuild, sources, entries), metaOfCommonJs, planned],
    // Only entry points do something when they are loaded.
    treeshake: { moduleSideEffects: (id) => effective.has(id) },
    onLog: (_level, { code, message }) => {
      if (code !== "EMPTY_BUNDLE") throw new Error(message);
    },
  });
  const { output } = await bundle.generate({
    format: "cjs",
    esModule: true,
    entryFileNames: "[name].cjs",
    chunkFileNames: ({ facadeModuleId }) =>
      `${facadeModuleId ? basename(facadeModuleId, ".ts") : "chunk"}-[hash:8].cjs`,
    hashCharacters: "base36",
    exports: "named",
    generatedCode: { preset: "es2015", symbols: false },
    hoistTransitiveImports: false,
    minifyInternalExports: false,
    onlyExplicitManualChunks: true,
    manualChunks: (id) => plan.get(id)?.toString(),
  });
  for (const { fileName, code } of output) {
    const file = path(DIST, fileName);
    mkdirSync(dirname(file), { recursive: true });
    const name = fileName.replace(/\.cjs$/, "");
    writeFileSync(file, tidied(onUse.has(name) ? `${code}${exportsOnUse(name, onUse.get(name))}` : code));
  }
  return onUse;
}

/** The code and name of each entry file, by its source, and the modules that define what it exports on use. */
async function entriesOf(sources, graph) {
  const entries = new Map();
  const onUse = new Map();
  for (const file of nodeFiles) {
    const definitions = await definitionsOnUse(file, graph);
    if (definitions) onUse.set(file.name, definitions);
    const code = await (definitions ? attachingModule : singleEntryModule)(sources, file, graph);
    entries.set(join(sources, `entries/${file.name}.ts`), { name: file.name, code });
  }
  // Others import these by their source, which is their entry module, too.
  for (const { name, source } of [...packages, program]) {
    const id = join(sources, `${source}.ts`);
    entries.set(id, { name, code: readFileSync(id, "utf8") });
  }
  return { entries, onUse };
}

/** What processes load: entry points, what their ES modules read at once, and one of the modules that they load on use. */
function startsWith(described, onUse, input) {
  const known = STARTS.filter(([, ...names]) => names.every((name) => name in input));
  return known.flatMap(([weight, ...names]) => {
    const always = names.flatMap((name) => [name, ...readAtOnce(described.get(name) ?? [], onUse.get(name))]);
    const used = [...(onUse.get(names[0])?.keys() ?? [names[0]])];
    return used.map((name) => [weight / used.length, ...always, name]);
  });
}

/** Resolves and compiles the sources. */
const modules = (esbuild, sources, entries) => ({
  name: "sources",
  resolveId(name, from) {
    if (isAbsolute(name)) return name;
    // The program imports entry points by their names.
    if (name.startsWith("file:"))
      return join(sources, "entries", name.slice("file:".length).replace(/js$/, "ts"));
    const file = join(dirname(from ?? sources), name);
    const found = [file.replace(/js$/, "ts"), file].find(
      (source) => entries.has(source) || existsSync(source),
    );
    // Other packages, and the copies of binaries, which also stay separate files.
    return name.startsWith(".") && found ? found : { id: name, external: true };
  },
  load: (id) => entries.get(id)?.code ?? readFileSync(id, "utf8"),
  async transform(code, id) {
    const loader = id.endsWith("ts") ? "ts" : "js";
    return (await esbuild.transform(code, { loader, target: "es2022", ...SHORTER })).code;
  },
});

/** `import.meta` in CommonJS. */
const metaOfCommonJs = {
  name: "import.meta in CommonJS",
  resolveImportMeta: (property) => META[property] ?? null,
};

const META = {
  // Without this function the location is unknown, and the embedded copy is used.
  url: 'process.getBuiltinModule("node:url").pathToFileURL(__filename)',
  // Indirect, so that bundlers do not see a dependency, and `undefined` outside of CommonJS.
  moduleRequire: 'Reflect.get(module, "require")?.bind(module)',
};

/** The number of the chunk for each module that is in one. */
function planOf(infos, { input, parts, starts }) {
  const ours = infos.filter(({ isExternal }) => !isExternal);
  const isOurs = new Set(ours.map(({ id }) => id));
  const only = (ids) => ids.filter((id) => isOurs.has(id));
  const sources = new Map(
    ours.map(({ id, code, importedIds, dynamicallyImportedIds }) => [
      id,
      {
        size: code.length,
        now: only(importedIds),
        later: only(dynamicallyImportedIds),
        isOfProgram: id.includes(`/${dirname(program.source)}/`),
      },
    ]),
  );
  const idOf = (name) => parts[name] ?? input[name];
  return planChunks(
    sources,
    new Set(Object.values(input)),
    new Set(Object.values(parts)),
    starts.map(([weight, ...names]) => [weight, ...names.map(idOf)]),
  );
}
