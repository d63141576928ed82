/**
 * Runs every check: formats, lints, Rust tests, the build with its budgets, and the JavaScript suite against the packed
 * tarball on every runtime. The last line counts them all: `N passed, N failed`. `npm test -- api browser` runs those
 * parts of the JavaScript suite only, and `npm test -- checks` all that is no suite.
 */

import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { relative, sep } from "node:path";
import { BINARIES } from "./binaries.mjs";
import { build } from "./build.mjs";
import { compileEngine } from "./engine.mjs";
import { checkGuideTables } from "./guide-tables.mjs";
import { pack } from "./pack.mjs";
import { hashOf, main, path, run, runBeside, say } from "./run.mjs";
import { setUpBuild, setUpLints, setUpTests } from "./setup.mjs";
import { checkSizeTable } from "./size-table.mjs";
import { checkSizes, printSizes } from "./sizes.mjs";

/** What has been checked: its counts, and how long it took. */
const results = [];

/** The stamp of a check, whose key changes with what it reads. */
function stampOf(name, inputs) {
  const file = path("target/stamps", `check-${name.replaceAll(/\W+/g, "-")}.json`);
  const key = hashOf(...inputs);
  const before = existsSync(file) ? JSON.parse(readFileSync(file, "utf8")) : {};
  return { before: before.key === key ? before : undefined, key, file };
}

/** Notes what a check came to, and that it need not run again before what it reads changes. */
function conclude(name, { passed, failed, seconds }, stamp) {
  results.push({ name, passed, failed, seconds });
  const remark = seconds === undefined ? "unchanged since it passed" : `${seconds.toFixed(1)} s`;
  console.log(`${failed ? `${failed} FAILED` : "ok"}: ${name} (${passed} passed, ${remark})`);
  if (failed || !stamp || seconds === undefined) return;
  mkdirSync(path("target/stamps"), { recursive: true });
  writeFileSync(stamp.file, JSON.stringify({ key: stamp.key, passed, failed }));
}

/** One check, unless it passed with the same `inputs`: passes if the work does not throw, or with the counts that it returns. */
async function check(name, inputs, work) {
  const stamp = stampOf(name, inputs);
  if (stamp.before) return conclude(name, stamp.before);
  say(name);
  const start = performance.now();
  let counts;
  try {
    counts = (await work()) ?? { passed: 1, failed: 0 };
  } catch (error) {
    console.log(error.message);
    counts = { passed: 0, failed: 1 };
  }
  conclude(name, { ...counts, seconds: (performance.now() - start) / 1000 }, stamp);
}

/** The Rust tests, counted from what cargo prints. */
async function rustTests() {
  let output;
  try {
    output = await runBeside("cargo", ["test", "--locked", "--workspace"]);
  } catch (error) {
    output = error.message;
    if (!output.includes("test result:")) throw error;
    console.log(output);
  }
  const counts = { passed: 0, failed: 0 };
  for (const [, passed, failed] of output.matchAll(/^test result: .*?(\d+) passed; (\d+) failed/gm)) {
    counts.passed += Number(passed);
    counts.failed += Number(failed);
  }
  return counts;
}

/** Runs suites in one go, so that no core waits for the last file of each. Counts and times are those of Vitest's report. */
function vitest(suites) {
  const file = path("target/vitest.json");
  rmSync(file, { force: true });
  const reporters = ["--reporter=default", "--reporter=json", `--outputFile.json=${file}`];
  let failure;
  try {
    const projects = suites.flatMap((suite) => ["--project", suite]);
    run("node", [path("tests/node_modules/vitest/vitest.mjs"), "run", ...reporters, ...projects], {
      cwd: path("tests"),
    });
  } catch (error) {
    failure = error;
    if (!existsSync(file)) throw error;
    console.log(error.message);
  }
  const found = new Map(suites.map((suite) => [suite, { passed: 0, failed: 0, seconds: 0 }]));
  for (const { name, status, startTime, endTime, assertionResults } of JSON.parse(readFileSync(file, "utf8"))
    .testResults) {
    const counts = found.get(relative(path("tests"), name).split(sep)[0]);
    const having = (wanted) => assertionResults.filter(({ status }) => status === wanted).length;
    counts.passed += having("passed");
    // A file that could not even be loaded has no tests to count.
    counts.failed += having("failed") || Number(status === "failed");
    counts.seconds += (endTime - startTime) / 1000;
  }
  const isSilent = failure && [...found.values()].every(({ failed }) => !failed);
  return { found, failed: Number(Boolean(isSilent)) };
}

/** Builds and packs. It knows itself what is up to date, and prints the sizes when it does something. */
async function builds() {
  const name = "build within its budgets";
  const start = performance.now();
  const seconds = () => (performance.now() - start) / 1000;
  try {
    if (!(await build())) checkSizes(await printSizes());
    await pack();
    conclude(name, { passed: 1, failed: 0, seconds: seconds() });
    return true;
  } catch (error) {
    console.log(error.message);
    conclude(name, { passed: 0, failed: 1, seconds: seconds() });
    return false;
  }
}

const RUST = [
  "Cargo.toml",
  "Cargo.lock",
  "clippy.toml",
  "rust-toolchain.toml",
  "rustfmt.toml",
  "src",
  "xtask/src",
  "xtask/Cargo.toml",
];
const rust = RUST.map((file) => path(file));
const shared = ["pkg", "xtask", "tests/package-lock.json", "tests/vitest.config.ts"].map((file) =>
  path(file),
);

/** The parts of the JavaScript suite, and what each reads besides its own folder. */
const SUITES = {
  api: [],
  engine: ["package-lock.json"],
  recipes: ["tests/api/error-of.ts", "tests/providers"],
  parity: ["tests/runtimes/harness.ts"],
  providers: ["tests/data"],
  clients: ["tests/providers/servers"],
  langgraph: ["tests/parity/reference.ts"],
  readmes: ["www/guide", "tests/providers/servers", "tests/langgraph", "tests/parity/reference.ts"],
  guide: ["tests/types/examples.ts", "README.md", "www/guide"],
  evaluation: ["tests/providers/servers"],
  otel: ["tests/api/error-of.ts"],
  bullmq: ["tests/api/error-of.ts", "tests/runtimes/harness.ts"],
  code: ["tests/parity/package-lock.json", "tests/providers/servers"],
  langsmith: ["tests/parity/package-lock.json"],
  "vitest-matcher": ["tests/runtimes/harness.ts", "tests/cli/project.ts"],
  types: ["tests/parity/package-lock.json"],
  browser: [
    ...["www/guide", "www/playground", "www/reader", "www/shared"],
    ...["tests/runtimes/harness.ts", "tests/providers/servers"],
  ],
  report: ["tests/runtimes/harness.ts", "tests/cli/viewing.ts", "tests/cli/program.ts"],
  cli: ["tests/data", "tests/providers/servers", "tests/runtimes/harness.ts"],
  runtimes: ["tests/providers/servers"],
  frameworks: ["tests/runtimes/harness.ts"],
  examples: [
    "README.md",
    "www/examples",
    "tests/frameworks/package-lock.json",
    "tests/providers/servers",
    "tests/runtimes/harness.ts",
    "tests/runtimes/edge-hosts.ts",
  ],
};

/** The engine: its format, lints, documentation and tests. */
async function checkEngine() {
  const strict = ["--", "--deny", "warnings"];
  await check("Rust format", rust, () => void run("cargo", ["fmt", "--all", "--check"]));
  await check("Rust lints", rust, async () => {
    await runBeside("cargo", ["clippy", "--locked", "--workspace", "--all-targets", ...strict]);
    for (const feature of Object.keys(BINARIES)) {
      const options = ["--lib", "--target", "wasm32-unknown-unknown", "--no-default-features"];
      await runBeside("cargo", ["clippy", "--locked", ...options, "--features", feature, ...strict]);
    }
  });
  await check("Rust documentation", rust, async () => {
    const all = ["doc", "--locked", "--no-deps", "--document-private-items", "--lib"];
    // For this target, the bindings belong to it.
    const options = ["--target", "wasm32-unknown-unknown"];
    await runBeside("cargo", [...all, ...options], { env: { RUSTDOCFLAGS: "--deny warnings" } });
  });
  await check("Rust tests", rust, rustTests);
}

/** The sources in JavaScript and TypeScript: their format, lints and imports. */
async function checkSources() {
  const biome = path("node_modules/@biomejs/biome/bin/biome");
  const formatted = ["pkg-template", "tests", "www", "xtask", "biome.json", "package.json"];
  await check(
    "JavaScript format and lints",
    formatted.map((file) => path(file)),
    () => void run("node", [biome, "ci", "--error-on-warnings"]),
  );
  const architecture = path("tests/architecture");
  await check("imports lead down the streets", [path("pkg-template/src"), architecture], () => {
    const cruiser = `${architecture}/node_modules/dependency-cruiser/bin/dependency-cruise.mjs`;
    run("node", [cruiser, "--config", `${architecture}/rules.mjs`, "src"], { cwd: path("pkg-template") });
  });
}

/** What the build has written beside the package. */
async function checkTables() {
  await check("sizes as in SIZES.md", [path("pkg"), path("SIZES.md"), ...rust], checkSizeTable);
  const read = ["pkg", "pkg-template/src/models/prompts", "README.md", "www/guide", "xtask"];
  const manifests = ["tests/package.json", "tests/frameworks/package.json"];
  await check(
    "tables of the guide",
    [...read, ...manifests].map((file) => path(file)),
    checkGuideTables,
  );
}

/** Runs the suites that something has changed for. */
function runSuites(suites) {
  const stamps = new Map();
  for (const suite of suites) {
    const reads = [path("tests", suite), ...SUITES[suite].map((file) => path(file)), ...shared];
    const stamp = stampOf(`tests/${suite}`, reads);
    if (stamp.before) conclude(`tests/${suite}`, stamp.before);
    else stamps.set(suite, stamp);
  }
  if (!stamps.size) return;
  say(`tests: ${[...stamps.keys()].join(", ")}`);
  const { found, failed } = vitest([...stamps.keys()]);
  for (const [suite, counts] of found)
    conclude(`tests/${suite}`, counts, failed ? undefined : stamps.get(suite));
  if (failed) conclude("the run of the suites", { passed: 0, failed, seconds: 0 });
}

/** What took how long, the longest first; of suites, the time of all their files. */
function printTimes() {
  const took = results.filter(({ seconds }) => seconds >= 1).sort((a, b) => b.seconds - a.seconds);
  if (took.length) console.log("\nSeconds:");
  for (const { name, seconds } of took) console.log(`${seconds.toFixed(0).padStart(6)}  ${name}`);
}

await main(import.meta.url, async () => {
  const only = process.argv.slice(2);
  const isAsked = (part) => !only.length || only.includes(part);
  await setUpBuild();
  if (isAsked("checks")) {
    setUpLints();
    // At once: installing waits for the network, and optimising a binary keeps one core busy. What cannot be compiled is
    // said by builds().
    await Promise.all([checkEngine(), setUpTests(), compileEngine().catch(() => {})]);
    await checkSources();
  } else {
    await setUpTests();
  }
  if (await builds()) {
    if (isAsked("checks")) await checkTables();
    runSuites(Object.keys(SUITES).filter(isAsked));
  }
  printTimes();
  const sum = (count) => results.reduce((total, result) => total + result[count], 0);
  console.log(`\n${sum("passed")} passed, ${sum("failed")} failed`);
  if (sum("failed")) process.exitCode = 1;
});
