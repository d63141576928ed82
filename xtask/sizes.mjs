/** The sizes of the package beside their budgets; `node xtask/sizes.mjs` says what the JavaScript consists of. */

import { readFileSync, statSync } from "node:fs";
import { brotliCompressSync, gzipSync } from "node:zlib";
import { BINARIES } from "./binaries.mjs";
import { filesBelow, main, path, root, TaskError } from "./run.mjs";

/** What is measured, with its budgets. */
export async function measureSizes() {
  return [
    ...Object.values(BINARIES).map(({ name, budget }) => ({
      what: `${name}.wasm`,
      ...measure(readFileSync(path(`pkg/dist/${name}.wasm`))),
      budget,
      of: "gzip",
    })),
    { what: "JavaScript, minified", ...measure(await minified()), budget: 34_000, of: "gzip" },
    { what: "package, unpacked", raw: unpacked(), budget: 3_500_000, of: "raw" },
  ];
}

/** Measures, prints a table to standard error, and returns the rows. */
export async function printSizes() {
  const rows = await measureSizes();
  const size = (bytes) => (bytes === undefined ? "" : `${(bytes / 1000).toFixed(1)} KB`);
  console.error(
    ["", "raw", "gzip", "brotli", "budget"]
      .map((cell, i) => (i ? cell.padStart(11) : cell.padEnd(22)))
      .join(""),
  );
  for (const row of rows) {
    const cells = [
      size(row.raw),
      size(row.gzip),
      size(row.brotli),
      `${row.of} ${size(row.budget).replace(".0", "")}`,
    ];
    console.error(row.what.padEnd(22) + cells.map((cell, i) => cell.padStart(i === 3 ? 15 : 11)).join(""));
  }
  return rows;
}

/** Reports what is over its budget, and fails where the package has dependencies: there is no size that excuses one. */
export function checkSizes(rows) {
  for (const row of rows.filter((row) => row[row.of] > row.budget))
    console.error(`over budget: ${row.what}: ${row.of} ${row[row.of]} bytes, the budget is ${row.budget}`);
  const { dependencies = {} } = JSON.parse(readFileSync(path("pkg/package.json"), "utf8"));
  if (Object.keys(dependencies).length)
    throw new TaskError("The package has runtime dependencies. It may have none.");
}

const measure = (bytes) => ({
  raw: bytes.length,
  gzip: gzipSync(bytes, { level: 9 }).length,
  brotli: brotliCompressSync(bytes).length,
});

const unpacked = () => filesBelow(path("pkg")).reduce((sum, file) => sum + statSync(file).size, 0);

/** All JavaScript that the main entry point loads, as a bundler delivers it. */
async function minified() {
  const loaded = await bundled();
  return Buffer.concat(loaded.map(({ contents }) => contents));
}

/** What each source contributes to it; compressed, that is about a third. */
async function printParts() {
  const loaded = await bundled();
  const rows = loaded.flatMap(({ inputs }) => Object.entries(inputs));
  for (const [file, { bytesInOutput }] of rows.sort(([, a], [, b]) => b.bytesInOutput - a.bytesInOutput))
    console.log(`${String(bytesInOutput).padStart(8)}  ${file.replace("target/sources/", "")}`);
}

/**
 * But for the prompts, since who needs one names it, and for what is only loaded where it is needed: the models of
 * other packages, the embedded copy.
 */
async function bundled() {
  const { build } = await import("esbuild");
  const exported = Object.keys(await import(path("pkg/dist/index.js")));
  const names = exported.filter((name) => !/_PROMPT/.test(name));
  const { metafile, outputFiles } = await build({
    stdin: {
      contents: `export { ${names} } from "./target/sources/entries/index.ts";`,
      resolveDir: root,
      sourcefile: "entry",
    },
    absWorkingDir: root,
    outdir: "target/sizes",
    bundle: true,
    splitting: true,
    minify: true,
    format: "esm",
    write: false,
    metafile: true,
    external: ["*-wasm-base64.js"],
    plugins: [withoutPrompts],
  });
  const isStart = ([, { entryPoint }]) => entryPoint === "entry";
  const files = new Set(
    Object.entries(metafile.outputs)
      .filter(isStart)
      .map(([name]) => name),
  );
  for (const name of files)
    for (const { path: next, kind } of metafile.outputs[name]?.imports ?? [])
      if (kind === "import-statement") files.add(next);
  return [...files].map((name) => ({
    ...metafile.outputs[name],
    contents: outputFiles.find((file) => file.path === path(name))?.contents,
  }));
}

/** Some judges have a prompt by default, which stays where they are. */
const withoutPrompts = {
  name: "without-prompts",
  setup: (build) =>
    build.onLoad({ filter: /\.ts$/ }, ({ path: file }) => ({
      contents: readFileSync(file, "utf8").replace(/(_PROMPT\w*(?:: string)? = )`[^`]*`/g, "$1``"),
      loader: "ts",
    })),
};

await main(import.meta.url, printParts);
