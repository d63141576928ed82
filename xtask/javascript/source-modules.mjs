/**
 * Writes the modules for bundlers: one for each source, so that bundles can leave out what is not used, and one for each entry
 * file.
 */

import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, posix } from "node:path";
import { entryFiles, packages } from "../entries.mjs";
import { path } from "../run.mjs";
import { eagerCopy } from "./eager-copies.mjs";
import { entryModules } from "./entry-modules.mjs";
import { GROUPS, groupOf } from "./groups.mjs";
import { placeOf, withoutEnding, withPublishedPaths } from "./places.mjs";
import { exportedNames, markedAsPure, SHORTER, tidied } from "./syntax.mjs";

export async function writeModules(esbuild, sources, graph) {
  const compiled = (name) => {
    const file = [`${sources}/${name}.ts`, `${sources}/${name}.js`].find(existsSync);
    const options = { loader: file.endsWith("ts") ? "ts" : "js", target: "es2022", ...SHORTER };
    return tidied(esbuild.transformSync(readFileSync(file, "utf8"), options).code);
  };
  const entries = await modulesOfEntries(sources, graph);
  const runtimes = [...entries].flatMap(([name, code]) => runtimeFilesIn(name, code));
  const names = await graph.reached([
    ...new Set([...[...entryFiles, ...packages].map(({ source }) => source), ...runtimes.map(withoutEnding)]),
  ]);
  for (const name of names) if (!groupOf.has(name)) write(name, compiled(name));
  for (const [group, members] of Object.entries(GROUPS))
    write(group, await groupCode(esbuild, sources, group, members, compiled));
  for (const [name, code] of entries) write(`entries/${name}`, code);
  for (const name of graph.withEagerCopy)
    write(`${name}.eager`, eagerCopy(name, compiled, graph.withEagerCopy));
}

function write(name, code) {
  const file = path(placeOf(name));
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, markedAsPure(withPublishedPaths(name, code)));
}

/** The modules of all entry files that bundlers get, by name. */
async function modulesOfEntries(sources, graph) {
  const modules = new Map();
  for (const entry of entryFiles.filter(({ runtime, condition }) => runtime && condition !== "require"))
    for (const [name, code] of await entryModules(sources, entry, graph)) modules.set(name, code);
  return modules;
}

/** The files of `core/runtime/` that an entry module imports. */
const runtimeFilesIn = (name, code) =>
  Array.from(code.matchAll(/ from "([^"]+)";$/gm), ([, next]) =>
    posix.join("entries", posix.dirname(name), next),
  ).filter((file) => file.startsWith("core/runtime/"));

/** The code of a group: everything that its members export. */
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
