/**
 * Writes the modules for bundlers: one for each source with the same exports, so that bundles can remove what
 * is not used. For the same reason, each export of an entry point is completed individually with what it
 * needs of the runtime.
 */

import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, posix } from "node:path";
import { entryFiles } from "./entries.mjs";
import { path } from "./run.mjs";
import { exportedNames, markedAsPure, replaced, SHORTER, tidied } from "./syntax.mjs";

const DIST = "pkg/dist";

/**
 * Sources that are published as one module. esbuild, where it splits a bundle, makes a chunk for each set of modules that
 * loading parts on use could share, whether the bundle uses these parts or not; apart, these sources ended up in up to ten.
 */
const GROUPS = {
  foundation: [
    "core/errors",
    "core/engine/crossing",
    "core/engine/engine",
    "core/engine/loader",
    "core/engine/sources",
    "core/input/flaw",
    "core/input/params",
    "core/input/rows",
    "core/input/text",
    "core/input/verbatim",
    "core/platform/on-use",
    "core/platform/packages",
    "core/platform/text-coding",
    "core/tracing/hook",
    "models/conversation/text",
  ],
  "core/input/options": ["core/input/checks", "core/input/near"],
  "models/conversation/messages": [
    "models/conversation/calls",
    "models/conversation/forms",
    "models/conversation/list",
    "models/conversation/roles",
  ],
  "models/chat/opening": ["models/chat/check-access", "models/chat/opener"],
  "models/chat/naming": [
    "core/engine/judges",
    "models/chat/body",
    "models/chat/model-middleware",
    "models/chat/model-name",
    "models/chat/provider-names",
    "openevals-judges",
  ],
};

const groupOf = new Map(
  Object.entries(GROUPS).flatMap(([group, names]) => names.map((name) => [name, group])),
);

/** Writes all modules, and returns their paths. */
export async function writeModules(esbuild, sources, graph) {
  const written = [];
  const write = (name, code) => {
    const file = placeOf(name);
    mkdirSync(dirname(path(file)), { recursive: true });
    writeFileSync(path(file), markedAsPure(withPathsFrom(name, code)));
    written.push(file);
  };
  const compiled = (name) => {
    const file = [`${sources}/${name}.ts`, `${sources}/${name}.js`].find(existsSync);
    const options = { loader: file.endsWith("ts") ? "ts" : "js", target: "es2022", ...SHORTER };
    return tidied(esbuild.transformSync(readFileSync(file, "utf8"), options).code);
  };
  const entries = new Map();
  for (const entry of entryFiles)
    if (entry.runtime && entry.condition !== "require")
      for (const [name, code] of await entryModules(sources, entry, graph)) entries.set(name, code);
  const runtimes = Array.from(entries, ([name, code]) =>
    importedBy(code).map((next) => posix.join("entries", posix.dirname(name), next)),
  )
    .flat()
    .filter((name) => name.startsWith("core/runtime/"));
  const names = await graph.reached([
    ...new Set([...entryFiles.map(({ source }) => source), ...runtimes.map(withoutEnding)]),
  ]);
  for (const name of names) if (!groupOf.has(name)) write(name, compiled(name));
  for (const [group, members] of Object.entries(GROUPS))
    write(group, await groupCode(esbuild, sources, group, members, compiled));
  for (const [name, code] of entries) write(`entries/${name}`, code);
  for (const name of graph.lazy) {
    const here = (next) => posix.join(posix.dirname(name), withoutEnding(next));
    const code = withStaticImports(compiled(name), (next) => exportedNames(compiled(here(next))));
    const isLazy = (next) => next.startsWith(".") && graph.lazy.has(here(next));
    write(
      `${name}.eager`,
      replaced(code, ({ type, value }) =>
        type === "Literal" && typeof value === "string" && isLazy(value)
          ? JSON.stringify(value.replace(/\.js$/, ".eager.js"))
          : undefined,
      ),
    );
  }
  return written;
}

/** The code of a group, with what its members export. */
async function groupCode(esbuild, sources, group, members, compiled) {
  const fromGroup = (name) => `./${posix.relative(posix.dirname(group), name)}.js`;
  const { outputFiles, metafile } = await esbuild.build({
    stdin: {
      contents: members.map((name) => `export * from ${JSON.stringify(fromGroup(name))};`).join("\n"),
      resolveDir: `${sources}/${posix.dirname(group)}`,
    },
    bundle: true,
    write: false,
    metafile: true,
    format: "esm",
    target: "es2022",
    ...SHORTER,
    plugins: [
      {
        name: "members",
        setup: (build) =>
          build.onResolve({ filter: /^\..*\.js$/ }, ({ path: next, resolveDir }) => {
            const name = posix.relative(sources, posix.join(resolveDir, withoutEnding(next)));
            return groupOf.get(name) === group ? undefined : { path: fromGroup(name), external: true };
          }),
      },
    ],
  });
  const [{ exports }] = Object.values(metafile.outputs);
  const names = members.flatMap((name) => exportedNames(compiled(name)));
  // Of two exports with one name, esbuild would leave out both.
  if (exports.length < names.length) throw new Error(`Two modules of ${group} export the same name.`);
  return tidied(outputFiles[0].text);
}

/**
 * The modules of an entry point, by name. Each imports its exports from where they are defined. An export
 * that is also loaded lazily is declared in a module of its own: when esbuild splits a bundle, it loads lazy
 * code at start-up if any module in the bundle exports it, used or not.
 */
async function entryModules(sources, entry, graph) {
  const exports = await graph.exportsOf(entry.source);
  const modules = new Map();
  const lines = [];
  const apart = new Map();
  for (const [exported, { file, isOnUse }] of exports)
    if (isOnUse && !entry.isEager && exported !== "default")
      apart.set(file, [...(apart.get(file) ?? []), exported]);
  for (const [file, names] of apart) {
    const name = `${entry.name}.${posix.basename(file)}`;
    modules.set(
      name,
      entryLines(sources, entry, exports, (exported) => names.includes(exported), true),
    );
    lines.push(`export { ${names.join(", ")} } from "./${posix.basename(name)}.js";\n`);
  }
  const isHere = (exported) => !lines.length || ![...apart.values()].flat().includes(exported);
  modules.set(entry.name, lines.join("") + entryLines(sources, entry, exports, isHere));
  return modules;
}

/**
 * The code of an entry point as one module, in the folder `entries` of the sources, without lazy imports.
 */
export async function entryCode(sources, entry, graph) {
  const exports = await graph.exportsOf(entry.source);
  const all = Array.from(exports, ([exported, { needs }]) => [
    exported,
    { needs: needs.map(({ name }) => ({ name, isLater: false })), file: entry.source, local: exported },
  ]);
  return entryLines(sources, entry, all);
}

/**
 * The code that declares some exports of an entry point.
 *
 * @param isDeclared Whether all of them are variables of this module.
 */
function entryLines(
  sources,
  { name, source, runtime, hasDefault, isEager },
  exports,
  isWanted = (_name) => true,
  isDeclared = false,
) {
  const toSources = posix.join("..", posix.relative(posix.dirname(name), ".") || ".");
  const placeOf = (file) => `${toSources}/${isEager ? `${source}.eager` : file}.js`;
  const lines = [`import { attached } from "${toSources}/core/runtime/attached.js";`];
  const used = new Set();
  for (const [exported, { needs, file, local }] of exports) {
    if ((exported === "default" && !hasDefault) || !isWanted(exported)) continue;
    const name = isEager ? exported : local;
    const from = placeOf(file);
    // A runtime that can load a need lazily has a file `NAME-later`.
    const found = needs
      .map(({ name, isLater }) => [...(isLater && !isEager ? [`${name}-later`] : []), name])
      .map((names) => names.find((name) => existsSync(`${sources}/core/runtime/${runtime}/${name}.ts`)))
      .filter((name) => name !== undefined);
    if (found.length === 0 && !isDeclared) {
      lines.push(`export { ${name === exported ? name : `${name} as ${exported}`} } from "${from}";`);
      continue;
    }
    for (const need of found) used.add(need);
    const start = exported === "default" ? "export default" : `export const ${exported} =`;
    const args = [`of_${exported}`, ...found.map(attachOf)].join(", ");
    const value = found.length ? `/* @__PURE__ */ attached(${args})` : `of_${exported}`;
    lines.push(`import { ${name} as of_${exported} } from "${from}";`, `${start} ${value};`);
  }
  for (const need of used)
    lines.push(
      `import { attach as ${attachOf(need)} } from "${toSources}/core/runtime/${runtime}/${need}.js";`,
    );
  return `${lines.join("\n")}\n`;
}

const attachOf = (need) => `attach_${need.replaceAll("-", "_")}`;

const importedBy = (code) => Array.from(code.matchAll(/ from "([^"]+)";$/gm), ([, name]) => name);

const withoutEnding = (name) => name.replace(/\.js$/, "");

/**
 * The name of a module that locates a binary is kept: an application in a single file finds the binary next
 * to it.
 */
const placeOf = (name) =>
  /^core\/runtime\/universal\/(?:scores|find-judges|agents|metrics|statistics)$/.test(name)
    ? `${DIST}/find-${posix.basename(name).replace("find-", "")}.js`
    : `${DIST}/modules/${groupOf.get(name) ?? name}.js`;

/** The code with its import paths adapted to the folder that it is written to. */
const withPathsFrom = (name, code) =>
  replaced(code, ({ type, value }) => {
    if (type !== "Literal" || !/^\.\.?\/.*\.(?:js|wasm|wasm\?module)$/.test(value)) return undefined;
    const isBinary = /^\.\/openevals[\w-]*(?:\.wasm(?:\?module)?|-wasm-base64\.js)$/.test(value);
    const target = isBinary
      ? `${DIST}/${value.slice(2)}`
      : placeOf(withoutEnding(posix.join(posix.dirname(name), value)));
    const found = posix.relative(posix.dirname(placeOf(name)), target);
    return JSON.stringify(found.startsWith(".") ? found : `./${found}`);
  });

/**
 * Replaces each `import("./x.js")` with a promise of a static import: an object of its exports, since
 * bundlers keep all of a module whose namespace is used.
 *
 * `/slim` and `/single` use these modules, because workers and extensions in a single script cannot load code
 * later. Modules with a dynamic import, and those that import them, are written a second time. All others,
 * including all with state, are shared with the other entry points.
 */
function withStaticImports(code, namesOf) {
  const imports = [];
  const text = replaced(code, ({ type, source }) => {
    if (type !== "ImportExpression") return undefined;
    if (source.type !== "Literal") throw new Error("An import on use has no fixed name.");
    const names = namesOf(source.value).map((name) => [name, `${name}${imports.length}`]);
    const list = (between) => names.map(([name, local]) => `${name}${between}${local}`).join(", ");
    imports.push(`import { ${list(" as ")} } from ${JSON.stringify(source.value)};\n`);
    return `Promise.resolve({ ${list(": ")} })`;
  });
  return imports.join("") + text;
}
