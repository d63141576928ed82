/**
 * Compares the sizes of the package with their budgets: binaries, bundles with a single import, and the
 * installed package. `node xtask/sizes.mjs NAME` prints the parts of such a bundle.
 */

import { mkdirSync, readFileSync, rmSync, statSync, symlinkSync } from "node:fs";
import { gzipSync } from "node:zlib";
import { BINARIES } from "./binaries.mjs";
import { filesBelow, main, path, TaskError } from "./run.mjs";

/**
 * Single imports with the budget of their bundle, in bytes, gzipped. A judge's prompt is measured separately.
 */
export const BUNDLES = [
  { name: "contains", entry: "/checks", budget: 7_000, binaries: [] },
  { name: "noPII", entry: "/checks", budget: 9_500, binaries: [] },
  { name: "matches", entry: "/checks", budget: 8_000, binaries: [] },
  { name: "exactMatch", entry: "", budget: 9_000, binaries: ["openevals"] },
  { name: "levenshteinDistance", entry: "", budget: 7_000, binaries: ["openevals"] },
  { name: "createTrajectoryMatchEvaluator", entry: "", budget: 13_000, binaries: ["openevals"] },
  // A rubric makes it load the judges' binary.
  {
    name: "createJsonMatchEvaluator",
    entry: "",
    budget: 13_000,
    binaries: ["openevals", "openevals-judges"],
  },
  { name: "ndcg", entry: "/retrieval", budget: 8_000, binaries: ["openevals-metrics"] },
  { name: "bleu", entry: "/text", budget: 10_000, binaries: ["openevals-metrics"] },
  { name: "createLLMAsJudge", entry: "", budget: 18_000, binaries: ["openevals-judges"] },
  { name: "CONCISENESS_PROMPT", entry: "", budget: 1_100, binaries: [] },
  {
    name: "evaluate",
    entry: "/evaluation",
    budget: 40_000,
    binaries: ["openevals-judges", "openevals-statistics"],
  },
];

/** All measurements with their budgets. */
export async function measureSizes() {
  const bundles = await measureBundles();
  return [
    ...Object.values(BINARIES).map(({ name, budget }) => ({
      what: `${name}.wasm`,
      ...measure(readFileSync(path(`pkg/dist/${name}.wasm`))),
      budget,
      of: "gzip",
    })),
    ...bundles.map(({ name, ...rest }) => ({ what: name, of: "gzip", ...rest })),
    { what: "package, unpacked", raw: unpacked(), budget: 3_500_000, of: "raw" },
  ];
}

/** Measures, prints a table to standard error, and returns the rows. */
export async function printSizes() {
  const rows = await measureSizes();
  const size = (bytes) => (bytes === undefined ? "" : `${(bytes / 1000).toFixed(1)} KB`);
  const line = (cells) => cells.map((cell, i) => (i ? cell.padStart(11) : cell.padEnd(32))).join("");
  console.error(line(["", "raw", "gzip", "budget"]));
  for (const { what, raw, gzip, budget } of rows)
    console.error(line([what, size(raw), size(gzip), size(budget)]));
  return rows;
}

/** Warns about exceeded budgets. Fails if a bundle can load other binaries, and if the package has dependencies. */
export function checkSizes(rows) {
  for (const { what, binaries, found } of rows)
    if (`${found}` !== `${binaries}`)
      throw new TaskError(`A bundle with ${what} can load ${found}. Its row of BUNDLES lists ${binaries}.`);
  for (const row of rows.filter((row) => row[row.of] > row.budget))
    console.error(`over budget: ${row.what}: ${row.of} ${row[row.of]} bytes, the budget is ${row.budget}`);
  const { dependencies = {} } = JSON.parse(readFileSync(path("pkg/package.json"), "utf8"));
  if (Object.keys(dependencies).length)
    throw new TaskError("The package has runtime dependencies. It may have none.");
}

const measure = (bytes) => ({ raw: bytes.length, gzip: gzipSync(bytes, { level: 9 }).length });

const unpacked = () => filesBelow(path("pkg")).reduce((sum, file) => sum + statSync(file).size, 0);

/** The initial size of each row's bundle, and the binaries that it can load. */
export async function measureBundles() {
  const folder = path("target/sizes");
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(`${folder}/node_modules`, { recursive: true });
  symlinkSync(path("pkg"), `${folder}/node_modules/openevals-wasm`);
  const measured = [];
  for (const row of BUNDLES) measured.push({ ...row, ...(await measureBundle(folder, row)) });
  return measured;
}

async function measureBundle(folder, { name, entry }) {
  const esbuild = await import("esbuild");
  const { metafile, outputFiles } = await esbuild.build({
    stdin: {
      contents: `import { ${name} } from "openevals-wasm${entry}"; globalThis.used = ${name};`,
      resolveDir: folder,
    },
    absWorkingDir: folder,
    outdir: "out",
    bundle: true,
    splitting: true,
    minify: true,
    format: "esm",
    write: false,
    metafile: true,
    preserveSymlinks: true,
    external: ["*-wasm-base64.js"],
    logLevel: "error",
  });
  const { outputs } = metafile;
  const start = Object.keys(outputs).find((file) => outputs[file].entryPoint === "<stdin>");
  const reached = (kinds) => {
    const files = new Set([start]);
    for (const file of files)
      for (const { path, kind, external } of outputs[file].imports)
        if (!external && kinds.includes(kind)) files.add(path);
    return Array.from(files, (file) => ({
      inputs: outputs[file].inputs,
      ...outputFiles.find((output) => output.path === `${folder}/${file}`),
    }));
  };
  const atStart = reached(["import-statement"]);
  const later = reached(["import-statement", "dynamic-import"]);
  const found = later.flatMap(({ text }) => text.match(/openevals[\w-]*(?=\.wasm", *import\.meta)/g) ?? []);
  return {
    raw: atStart.reduce((sum, { contents }) => sum + contents.length, 0),
    gzip: atStart.reduce((sum, { contents }) => sum + measure(contents).gzip, 0),
    found: [...new Set(found)].sort(),
    inputs: atStart.flatMap(({ inputs }) => Object.entries(inputs)),
  };
}

/**
 * Prints the contribution of each module to the bundles with these names, uncompressed; compressed, it is
 * about a third.
 */
async function printParts() {
  const [, , ...names] = process.argv;
  for (const { name, inputs } of (await measureBundles()).filter(({ name }) => names.includes(name))) {
    console.log(name);
    for (const [file, { bytesInOutput }] of inputs.sort(([, a], [, b]) => b.bytesInOutput - a.bytesInOutput))
      console.log(`${String(bytesInOutput).padStart(8)}  ${file.split("dist/modules/").at(-1)}`);
  }
}

await main(import.meta.url, printParts);
