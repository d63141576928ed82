/** The sizes of the package beside their budgets. */

import { readFileSync, statSync } from "node:fs";
import { brotliCompressSync, gzipSync } from "node:zlib";
import { filesBelow, path, TaskError } from "./run.mjs";

/** Measures, prints a table to standard error, and returns the rows. */
export async function printSizes() {
  const rows = [
    {
      what: "openevals.wasm",
      ...measure(readFileSync(path("pkg/dist/openevals.wasm"))),
      budget: 160_000,
      of: "gzip",
    },
    { what: "JavaScript, minified", ...measure(await minified()), budget: 20_000, of: "gzip" },
    { what: "package, unpacked", raw: unpacked(), budget: 1_500_000, of: "raw" },
  ];
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

/** Fails when a budget is exceeded. */
export function checkSizes(rows) {
  const exceeded = rows.filter((row) => row[row.of] > row.budget);
  const { dependencies = {} } = JSON.parse(readFileSync(path("pkg/package.json"), "utf8"));
  const problems = exceeded.map(
    (row) => `${row.what}: ${row.of} ${row[row.of]} bytes, the budget is ${row.budget}`,
  );
  if (Object.keys(dependencies).length)
    problems.push("the package has runtime dependencies, the budget is 0");
  if (problems.length) throw new TaskError(`Over budget:\n  ${problems.join("\n  ")}`);
}

const measure = (bytes) => ({
  raw: bytes.length,
  gzip: gzipSync(bytes, { level: 9 }).length,
  brotli: brotliCompressSync(bytes).length,
});

const unpacked = () => filesBelow(path("pkg")).reduce((sum, file) => sum + statSync(file).size, 0);

/** All JavaScript of the main entry point, as a bundler delivers it; the embedded copy only loads where it is needed. */
async function minified() {
  const { build } = await import("esbuild");
  const { outputFiles } = await build({
    entryPoints: [path("pkg/dist/index.js")],
    bundle: true,
    minify: true,
    format: "esm",
    write: false,
    external: ["./openevals-wasm-base64.js"],
  });
  return outputFiles[0].contents;
}
