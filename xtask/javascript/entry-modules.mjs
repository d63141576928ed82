/**
 * Writes the code of entry points. Each export is imported from the module that defines it, and attached to the binaries that
 * it needs: `export const exactMatch = attached(of_exactMatch, attach_scores)`. So a bundle without an export has nothing of it.
 */

import { existsSync } from "node:fs";
import { posix } from "node:path";

/**
 * The modules of an entry file, by name. Exports that are also loaded with `import()` are in separate
 * modules: when esbuild splits a bundle, it loads dynamic code at start-up if any module in the bundle
 * exports it, used or not.
 */
export async function entryModules(sources, entry, graph) {
  const exports = await graph.exportsOf(entry.source);
  const dynamic = new Map();
  for (const [exported, { file, isDynamic }] of exports)
    if (isDynamic && !entry.isEager && exported !== "default")
      dynamic.set(file, [...(dynamic.get(file) ?? []), exported]);
  const modules = new Map();
  let lines = "";
  for (const [file, names] of dynamic) {
    const name = `${entry.name}.${posix.basename(file)}`;
    modules.set(
      name,
      entryCode(
        sources,
        entry,
        pick(exports, (exported) => names.includes(exported)),
        true,
      ),
    );
    lines += `export { ${names.join(", ")} } from "./${posix.basename(name)}.js";\n`;
  }
  const elsewhere = [...dynamic.values()].flat();
  const own = pick(exports, (exported) => !elsewhere.includes(exported));
  modules.set(entry.name, lines + entryCode(sources, entry, own));
  return modules;
}

const pick = (exports, isWanted) => Array.from(exports).filter(([exported]) => isWanted(exported));

/** The code of an entry file as a single module, which imports everything from the entry's source. */
export async function singleEntryModule(sources, entry, graph) {
  const exports = await graph.exportsOf(entry.source);
  const all = Array.from(exports, ([exported, { needs }]) => [
    exported,
    {
      needs: needs.map(({ name }) => ({ name, isDynamic: false })),
      file: entry.source,
      local: exported,
    },
  ]);
  return entryCode(sources, { ...entry, isEager: false }, all);
}

/** The code of an entry file that only finds the binaries that its exports need. */
export async function attachingModule(sources, { name, source, runtime }, graph) {
  const toSources = pathToSources(name);
  const exports = await graph.exportsOf(source);
  const needs = new Set(Array.from(exports.values()).flatMap(({ needs }) => needs.map(({ name }) => name)));
  const found = [...needs].filter((need) => existsSync(`${sources}/core/runtime/${runtime}/${need}.ts`));
  const lines = found.map(
    (need) =>
      `import { attach as ${attachOf(need)} } from "${toSources}/core/runtime/${runtime}/${need}.js"; ${attachOf(need)}();\n`,
  );
  return lines.join("");
}

/**
 * The code that declares some exports of an entry file, in the folder `entries` of the sources.
 *
 * @param isDeclared Whether all of them are variables of this module.
 */
function entryCode(sources, entry, exports, isDeclared = false) {
  const { name, source, runtime, hasDefault, isEager, hasSideEffects } = entry;
  const toSources = pathToSources(name);
  const lines = [`import { attached } from "${toSources}/core/runtime/attached.js";`];
  if (hasSideEffects) lines.push(`import "${toSources}/${source}.js";`);
  const isThere = (need) => existsSync(`${sources}/core/runtime/${runtime}/${need}.ts`);
  const used = new Set();
  for (const [exported, { needs, file, local }] of exports) {
    if (exported === "default" && !hasDefault) continue;
    const imported = isEager ? exported : local;
    const from = `${toSources}/${isEager ? `${source}.eager` : file}.js`;
    const found = needs.flatMap((need) => partFor(need, isEager).find(isThere) ?? []);
    if (found.length === 0 && !isDeclared) {
      const specifier = imported === exported ? imported : `${imported} as ${exported}`;
      lines.push(`export { ${specifier} } from "${from}";`);
      continue;
    }
    for (const part of found) used.add(part);
    const start = exported === "default" ? "export default" : `export const ${exported} =`;
    const args = [`of_${exported}`, ...found.map(attachOf)].join(", ");
    const value = found.length ? `/* @__PURE__ */ attached(${args})` : `of_${exported}`;
    lines.push(`import { ${imported} as of_${exported} } from "${from}";`, `${start} ${value};`);
  }
  for (const part of used)
    lines.push(
      `import { attach as ${attachOf(part)} } from "${toSources}/core/runtime/${runtime}/${part}.js";`,
    );
  return `${lines.join("\n")}\n`;
}

/** The files of a runtime that can provide a need. `NAME-later` finds the binary when dynamic code first needs it. */
const partFor = ({ name, isDynamic }, isEager) => (isDynamic && !isEager ? [`${name}-later`, name] : [name]);

/** From an entry file in the folder `entries` of the sources. */
const pathToSources = (name) => posix.join("..", posix.relative(posix.dirname(name), ".") || ".");

const attachOf = (part) => `attach_${part.replaceAll("-", "_")}`;
