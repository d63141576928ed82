/**
 * `SIZES.md`: the sizes of binaries, bundles, entry points and lazily loaded chunks, so that diffs show what has grown.
 * `npm run build` writes the file, and `npm test` checks it.
 */

import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { posix } from "node:path";
import { gzipSync } from "node:zlib";
import { filesBelow, path, say, TaskError } from "./run.mjs";
import { measureBundles } from "./sizes.mjs";
import { isPinned } from "./toolchain.mjs";

const TABLE = path("SIZES.md");
const dist = path("pkg/dist");

/** Writes the table if it is out of date. */
export async function writeSizeTable() {
  const { committed, table } = await sizeTable();
  if (committed === table) return;
  writeFileSync(TABLE, table);
  say("Wrote SIZES.md: the sizes have changed");
}

/**
 * Fails if the table is out of date. Skipped for other compilers than the pinned one, whose sizes differ.
 */
export async function checkSizeTable() {
  if (!isPinned()) return say("SIZES.md is not checked: it holds for the compiler in rust-toolchain.toml");
  const { committed, table } = await sizeTable();
  if (committed === table) return;
  const before = new Set(committed.split("\n"));
  const changed = table.split("\n").filter((line) => !before.has(line));
  throw new TaskError(
    `SIZES.md is not up to date: run \`npm run build\` and commit it.\n${changed.join("\n") || "It has too many rows."}`,
  );
}

/** The committed table and the current one. */
async function sizeTable() {
  const committed = existsSync(TABLE) ? readFileSync(TABLE, "utf8") : "";
  const known = Array.from(committed.matchAll(/^\| (.+?) +\| +([\d.]+) \| +([\d.]+) \|$/gm), rowOf);
  const table = (await parts())
    .map(([title, rows]) => {
      const isExact = EXACT.includes(title);
      const lines = rows.map((row) => lineOf(settled(row, nearest(row, known), isExact), isExact));
      return [`## ${title}`, "", lineOf({ name: "", raw: "raw", gzip: "gzip" }), RULE, ...lines, ""].join(
        "\n",
      );
    })
    .join("\n");
  return { committed, table: `${INTRODUCTION}\n${table}` };
}

const rowOf = ([, name, raw, gzip]) => ({ name, raw: Number(raw), gzip: Number(gzip) });

/** The committed row of this one; of chunks with the same name, the closest in size. */
const nearest = ({ name, raw }, known) =>
  known
    .filter((row) => row.name === name)
    .sort((a, b) => Math.abs(a.raw - raw) - Math.abs(b.raw - raw))
    .at(0);

/** Padded to a fixed width, so that a longer name does not change every line. */
const lineOf = ({ name, raw, gzip }, isExact) => {
  const figure = (size) => (typeof size === "number" ? size.toFixed(isExact ? 2 : size < 10 ? 1 : 0) : size);
  return `| ${name.padEnd(44)} | ${figure(raw).padStart(7)} | ${figure(gzip).padStart(6)} |`;
};

/** The sections with budgets. Other sizes are in whole KB, because otherwise nearly every change would show here. */
const EXACT = ["Binaries", "Bundles"];

const RULE = `| ${"-".repeat(44)} | ${"-".repeat(6)}: | ${"-".repeat(5)}: |`;

/**
 * Keeps the committed figure if the current one is close: compressed sizes and binaries vary by a few bytes
 * between machines. The uncompressed length of JavaScript does not.
 */
function settled({ name, raw, gzip, isCompiled }, known = { raw: 0, gzip: 0 }, isExact) {
  const unit = isExact ? 0.03 : raw < 10 ? 0.1 : 1;
  const kept = (size, before) => (Math.abs(size - before) <= Math.max(unit, size * 0.003) ? before : size);
  return {
    name,
    raw: isExact && !isCompiled ? raw : kept(raw, known.raw),
    gzip: kept(gzip, known.gzip),
  };
}

async function parts() {
  const graph = await importsOf(
    filesBelow(dist)
      .map((file) => posix.relative(dist, file))
      .filter((file) => !file.startsWith("modules/")),
  );
  const starts = entries().map(([name, file]) => ({ name, start: closure(graph, [file], "now") }));
  // Entry points load a module with exports when one is read. What it loads later, in turn, comes on top of it.
  const read = new Set(starts.flatMap(({ start }) => laterOf(graph, start)));
  const known = [
    ...starts.map(({ start }) => start),
    ...[...read].map((file) => closure(graph, [file], "now")),
  ];
  return [
    ["Binaries", filesBelow(dist).filter(isBinary).map(binary)],
    ["Bundles", (await measureBundles()).map(bundleRow)],
    ["Entry points in Node", starts.map(({ name, start }) => measured(name, start))],
    ["Loaded on use", onUse(graph, known)],
    ["Files of the package", FOLDERS.map(folderRow)],
  ];
}

/** A bundle with a single export, next to its budget. */
const bundleRow = ({ name, raw, gzip, budget }) => ({
  name: `${name}, at most ${budget / 1000}${gzip > budget ? ": over budget" : ""}`,
  raw: rounded(raw),
  gzip: rounded(gzip),
});

/** The folders that have nearly all of the package. */
const FOLDERS = ["dist", "docs"];

const folderRow = (folder) =>
  measured(
    `${folder}/`,
    filesBelow(path("pkg", folder)).map((file) => posix.relative(dist, file)),
  );

const isBinary = (file) => file.endsWith(".wasm") || file.endsWith("-base64.js");

const binary = (file) => ({
  ...measured(posix.relative(dist, file), [posix.relative(dist, file)]),
  isCompiled: true,
});

/** The ES module of every entry point for Node, and of the program. */
function entries() {
  const { name, bin, exports } = JSON.parse(readFileSync(path("pkg/package.json"), "utf8"));
  const modules = Object.entries(exports).filter(([, conditions]) => conditions.require);
  return [
    ...modules.map(([entry, conditions]) => [posix.join(name, entry), conditions.node.default.default]),
    ...Object.entries(bin).map(([program, file]) => [`${program}, the program`, file]),
  ].map(([name, file]) => [name, posix.relative("dist", posix.normalize(file))]);
}

/** What each file for Node loads: at once, and when one of its functions is called. */
async function importsOf(files) {
  // Imported late, because setup installs it.
  const { parse } = await import("acorn");
  const modules = files.filter((file) => /\.[cm]js$/.test(file));
  return new Map(
    modules.map((file) => {
      const found = { now: [], later: [] };
      visit(
        parse(readFileSync(`${dist}/${file}`, "utf8"), { ecmaVersion: "latest", sourceType: "module" }),
        "now",
      );
      return [file, found];

      function visit(node, when) {
        if (typeof node !== "object" || node === null) return;
        const name =
          node.callee?.name === "require" && posix.join(posix.dirname(file), `${node.arguments[0].value}`);
        if (modules.includes(name)) found[when].push(name);
        const isLater = /Function/.test(node.type);
        for (const each of Object.values(node)) visit(each, isLater ? "later" : when);
      }
    }),
  );
}

function closure(graph, starts, ...kinds) {
  const reached = new Set(starts);
  for (const file of reached)
    for (const kind of kinds) for (const next of graph.get(file)[kind]) reached.add(next);
  return reached;
}

const laterOf = (graph, files) => [...files].flatMap((file) => graph.get(file).later);

/** Each lazily loaded chunk, with the size that it adds to every entry point that loads it. */
function onUse(graph, starts) {
  const chunks = new Set(Array.from(graph.values()).flatMap(({ later }) => later));
  const rows = Array.from(chunks)
    // A chunk of several parts has no name. Modules with exports are too many to list.
    .filter((chunk) => !isBinary(chunk) && !chunk.startsWith("chunk-") && !chunk.includes("/"))
    .map((chunk) => {
      const users = starts.filter((start) => !start.has(chunk) && laterOf(graph, start).includes(chunk));
      const added = Array.from(closure(graph, [chunk], "now")).filter(
        (file) => !users.every((start) => start.has(file)),
      );
      return measured(chunk.replace(/-[a-z0-9]{8}\.cjs$/, ""), added);
    });
  // By size too: of chunks with the same name, the names of the files change with their code.
  return rows.sort((a, b) => (a.name === b.name ? a.raw - b.raw : a.name < b.name ? -1 : 1));
}

/** The total size of separately served files, in KB. */
function measured(name, files) {
  let [raw, gzip] = [0, 0];
  for (const file of files) {
    const bytes = readFileSync(`${dist}/${file}`);
    raw += bytes.length;
    gzip += gzipSync(bytes, { level: 9 }).length;
  }
  return { name, raw: rounded(raw), gzip: rounded(gzip) };
}

const rounded = (bytes) => Math.round(bytes / 10) / 100;

const INTRODUCTION = `# Sizes

In KB, written by \`npm run build\`. A bundle imports one export, is made by esbuild, and includes everything that is loaded at
start-up. So does the size of an entry point in Node, with the prebuilt prompts. The size of code that is loaded on use
includes the files that are loaded with it.
`;
