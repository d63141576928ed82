/**
 * The modules that bundlers get: one for each of the sources, with the names that these have, so that a bundle has only what it
 * uses. Each export of an entry point comes with what its runtime has to give it, for the same reason.
 */

import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, posix } from "node:path";
import { entryFiles } from "./entries.mjs";
import { path } from "./run.mjs";
import { exportedNames, markedAsPure, replaced, SHORTER, tidied } from "./syntax.mjs";

const DIST = "pkg/dist";

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
  for (const name of names) write(name, compiled(name));
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

/**
 * The modules of an entry point, by their names: each imports its exports from where they are defined. What something else also
 * loads on use is declared in a module of its own. esbuild, where it splits bundles, loads at once what can be loaded on use as
 * soon as a module in the bundle exports it, whether that export is used or not.
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

/** The code of an entry point in one module, which stands in the folder `entries` of the sources. Nothing is found later there. */
export async function entryCode(sources, entry, graph) {
  const exports = await graph.exportsOf(entry.source);
  const all = Array.from(exports, ([exported, { needs }]) => [
    exported,
    { needs: needs.map(({ name }) => ({ name, isLater: false })), file: entry.source, local: exported },
  ]);
  return entryLines(sources, entry, all);
}

/**
 * Code of an entry point that has some of its exports.
 *
 * @param isDeclared Whether they are variables of this module all.
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
    // Where a runtime has a way to find later what is needed later, it is `NAME-later`.
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

/** What names a binary stands beside it: an application that is one file finds it beside that. */
const placeOf = (name) =>
  /^core\/runtime\/universal\/(?:scores|find-judges|metrics|statistics)$/.test(name)
    ? `${DIST}/find-${posix.basename(name).replace("find-", "")}.js`
    : `${DIST}/modules/${name}.js`;

/** The code with the paths of what it imports as they are from where it is written. */
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
 * The module with each `import("./x.js")` made a promise of what it imports statically: an object of its exports, since bundlers
 * keep all of a module whose namespace is used.
 *
 * `/slim` and `/single` are made of these: workers and extensions whose bundle is one script cannot load parts of it later.
 * Modules that import something on use, and those that import such modules, are written a second time for them. All others, with
 * whatever keeps state, are shared with the other entry points.
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
