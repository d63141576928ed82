/**
 * Runs every check: formats, lints, Rust tests, the build with its budgets, and the JavaScript suites against
 * the packed tarball on every runtime. The last line is the total: `N passed, N failed`. `npm test -- api
 * browser` runs only these suites, and `npm test -- checks` everything but the suites.
 */

import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { relative, sep } from "node:path";
import { build } from "./build.mjs";
import { compileEngine } from "./engine.mjs";
import { checkGuideTables } from "./guide-tables.mjs";
import { pack } from "./pack.mjs";
import { filesBelow, hashOf, main, path, run, runBeside, say, TaskError } from "./run.mjs";
import { setUpBuild, setUpLints, setUpTests } from "./setup.mjs";
import { checkSizeTable } from "./size-table.mjs";
import { checkSizes, printSizes } from "./sizes.mjs";

/** The completed checks, with their counts and duration. */
const results = [];

/** The stamp of a check. Its key changes with the inputs. */
function stampOf(name, inputs) {
  const file = path("target/stamps", `check-${name.replaceAll(/\W+/g, "-")}.json`);
  const key = `${process.version} ${hashOf(...inputs)}`;
  const before = existsSync(file) ? JSON.parse(readFileSync(file, "utf8")) : {};
  return { before: before.key === key ? before : undefined, key, file };
}

/** Records the result of a check, and its stamp if it passed. */
function conclude(name, { passed, failed, seconds }, stamp) {
  results.push({ name, passed, failed, seconds });
  const remark = seconds === undefined ? "unchanged since it passed" : `${seconds.toFixed(1)} s`;
  console.log(`${failed ? `${failed} FAILED` : "ok"}: ${name} (${passed} passed, ${remark})`);
  if (failed || !stamp || seconds === undefined) return;
  mkdirSync(path("target/stamps"), { recursive: true });
  writeFileSync(stamp.file, JSON.stringify({ key: stamp.key, passed, failed }));
}

/**
 * Runs a check, unless it passed with the same `inputs`. It passes if the work does not throw, or has the
 * counts that the work returns.
 */
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

/** Runs the Rust tests, and counts them from cargo's output. */
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

/** Runs test files in one go, so that no core waits for the last file of a suite. Returns Vitest's results by file. */
function vitest(files) {
  const report = path("target/vitest.json");
  rmSync(report, { force: true });
  const reporters = ["--reporter=default", "--reporter=json", `--outputFile.json=${report}`];
  const names = files.map((file) => relative(path("tests"), file));
  let failure;
  try {
    run("node", [path("tests/node_modules/vitest/vitest.mjs"), "run", ...reporters, ...names], {
      cwd: path("tests"),
    });
  } catch (error) {
    failure = error;
    if (!existsSync(report)) throw error;
    console.log(error.message);
  }
  const found = new Map();
  const retried = [];
  for (const { name, status, startTime, endTime, assertionResults } of JSON.parse(
    readFileSync(report, "utf8"),
  ).testResults) {
    const having = (wanted) => assertionResults.filter(({ status }) => status === wanted).length;
    // A file that could not be loaded has no tests to count.
    const failed = having("failed") || Number(status === "failed");
    found.set(name, { passed: having("passed"), failed, seconds: (endTime - startTime) / 1000 });
    // A test that passed and has messages of failures has failed before.
    for (const { status, fullName, failureMessages } of assertionResults)
      if (status === "passed" && failureMessages.length)
        retried.push(`${relative(path("tests"), name)}: ${fullName}: ${failureMessages[0].split("\n")[0]}`);
  }
  const isSilent = failure && [...found.values()].every(({ failed }) => !failed);
  if (retried.length) console.log(["\nPassed at the second try:", ...retried, ""].join("\n"));
  return { found, failed: Number(Boolean(isSilent)) };
}

/** Builds and packs. The build skips what is up to date, and prints sizes otherwise. */
async function builds() {
  const name = "build";
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
const shared = ["xtask", "tests/package-lock.json", "tests/vitest.config.ts"].map((file) => path(file));

/** The suites, and what their tests read besides the files that they import. */
const SUITES = {
  api: ["Cargo.lock", "www/guide/content-checks.md"],
  engine: ["package-lock.json"],
  recipes: [],
  rag: ["tests/data"],
  agents: [],
  harness: [],
  parity: [],
  providers: ["tests/data"],
  clients: [],
  langgraph: [],
  readmes: ["package.json", "README.md", "SIZES.md", "www/guide", "www/pictures"],
  guide: [
    ...["README.md", "SIZES.md", "www/guide", "www/examples", ".github", "pkg-template/CHANGELOG.md"],
    ...["Cargo.toml", "tests/simulations"],
  ],
  evaluation: [],
  otel: [],
  interop: ["tests/interop/package-lock.json"],
  bullmq: [],
  code: ["tests/parity/package-lock.json"],
  langsmith: ["tests/parity/package-lock.json"],
  "vitest-matcher": [],
  types: ["tests/parity/package-lock.json", "Cargo.lock", "LICENSE"],
  browser: [
    ...["www/guide", "www/examples", "www/home", "www/playground", "www/shared"],
    ...["SIZES.md", "tests/parity/python/cases"],
    ...["www/site", "www/site/.vitepress", "www/site/.vitepress/theme"],
  ],
  report: [],
  cli: ["tests/data"],
  runtimes: [],
  frameworks: [],
  examples: ["README.md", "www/examples", "www/guide", "tests/frameworks/package-lock.json"],
};

/** Checks the engine: format, lints, documentation and tests. */
async function checkEngine() {
  const strict = ["--", "--deny", "warnings"];
  await check("Rust format", rust, () => void run("cargo", ["fmt", "--all", "--check"]));
  await check("Rust lints", rust, async () => {
    await runBeside("cargo", ["clippy", "--locked", "--workspace", "--all-targets", ...strict]);
    // With what all binaries have. What one of them leaves unused, the build finds.
    const options = ["--lib", "--target", "wasm32-unknown-unknown"];
    await runBeside("cargo", ["clippy", "--locked", ...options, ...strict]);
  });
  await check("Rust documentation", rust, async () => {
    const all = ["doc", "--locked", "--no-deps", "--document-private-items", "--lib"];
    // The bindings are compiled only for this target.
    const options = ["--target", "wasm32-unknown-unknown"];
    await runBeside("cargo", [...all, ...options], { env: { RUSTDOCFLAGS: "--deny warnings" } });
  });
  const read = ["README.md", "pkg-template/src/core/scales.ts", "tests/engine/trajectory-lines.json"];
  await check("Rust tests", [...rust, ...read.map((file) => path(file))], rustTests);
}

/** Checks the JavaScript and TypeScript sources: format, lints and imports. */
async function checkSources() {
  const biome = path("node_modules/@biomejs/biome/bin/biome");
  const formatted = ["pkg-template", "tests", "www", "xtask", "biome.json", "package.json"];
  await check(
    "JavaScript format and lints",
    formatted.map((file) => path(file)),
    () => void run("node", [biome, "ci", "--error-on-warnings"]),
  );
  const architecture = path("tests/architecture");
  const checked = [path("pkg-template/src"), architecture, path("xtask/entries.mjs")];
  await check("imports follow the levels", checked, () => {
    const cruiser = `${architecture}/node_modules/dependency-cruiser/bin/dependency-cruise.mjs`;
    run("node", [cruiser, "--config", `${architecture}/rules.mjs`, "src"], { cwd: path("pkg-template") });
  });
}

/** Checks the words of documents and code: `tests/prose/words.yml` lists phrases to avoid. */
async function checkProse() {
  const folders = ["www/guide", "www/examples", ".github", "pkg-template/skills"].map((folder) =>
    path(folder),
  );
  const documents = [path("README.md"), path("pkg-template/CHANGELOG.md"), ...filesBelow(...folders)].filter(
    (file) => file.endsWith(".md"),
  );
  const sources = ["pkg-template/src", "src", "xtask", "tests"].map((folder) => path(folder));
  const code = filesBelow(...sources).filter((file) => /\.(?:mjs|rs|ts)$/.test(file));
  const prose = path("tests/prose");
  await check("words", [...documents, ...code, prose], async () => {
    const { problemsOf } = await import("../tests/prose/check.mjs");
    const problems = await problemsOf([...documents, ...code]);
    if (problems.length) throw new TaskError(problems.join("\n"));
  });
}

/** Checks the generated tables. */
async function checkTables() {
  const measured = ["pkg", "SIZES.md", "xtask"].map((file) => path(file));
  await check("sizes as in SIZES.md", [...measured, ...rust], checkSizeTable);
  const read = [
    "pkg",
    "pkg-template/src/models/prompts",
    "pkg-template/src/integrations/interop",
    "README.md",
    "www/guide",
    "xtask",
  ];
  const manifests = ["tests/package.json", "tests/frameworks/package.json"];
  await check(
    "tables of the guide",
    [...read, ...manifests].map((file) => path(file)),
    checkGuideTables,
  );
}

/** Runs the test files that something has changed for. Those that passed are noted by their keys. */
async function runSuites(suites) {
  const stamps = path("target/stamps/tests.json");
  const noted = existsSync(stamps) ? JSON.parse(readFileSync(stamps, "utf8")) : {};
  const ofAll = `${process.version} ${hashOf(...shared)}`;
  const reads = suites.map((suite) => [suite, SUITES[suite].map((file) => path(file))]);
  // It imports what the set-up has installed.
  const { keysOfTests } = await import("./affected.mjs");
  const keys = await keysOfTests(Object.fromEntries(reads));
  const passedBefore = ([file, key]) => noted[file]?.key === `${ofAll} ${key}`;
  const due = [...keys].filter((entry) => !passedBefore(entry)).map(([file]) => file);
  if (due.length) say(`tests: ${due.length} of ${keys.size} files`);
  const { found, failed } = due.length ? vitest(due) : { found: new Map(), failed: 0 };
  const counts = new Map(suites.map((suite) => [suite, { passed: 0, failed: 0 }]));
  for (const [file, key] of keys) {
    const own = counts.get(suiteOf(file));
    // A file that was due and has no result has failed.
    const missing = due.includes(file) ? { passed: 0, failed: 1, seconds: 0 } : undefined;
    const { passed, failed, seconds } = found.get(file) ??
      missing ?? { passed: noted[file].passed, failed: 0 };
    own.passed += passed;
    own.failed += failed;
    if (seconds === undefined) continue;
    own.seconds = (own.seconds ?? 0) + seconds;
    if (failed) delete noted[file];
    else noted[file] = { key: `${ofAll} ${key}`, passed };
  }
  for (const [suite, own] of counts) conclude(`tests/${suite}`, own);
  // Then something failed outside the tests, so none of them is known to have passed.
  if (failed) conclude("the run of the suites", { passed: 0, failed, seconds: 0 });
  else writeFileSync(stamps, JSON.stringify(noted));
}

const suiteOf = (file) => relative(path("tests"), file).split(sep)[0];

/** What took how long, the longest first; of suites, the time of all their files. */
function printTimes() {
  const took = results.filter(({ seconds }) => seconds >= 1).sort((a, b) => b.seconds - a.seconds);
  if (took.length) console.log("\nSeconds:");
  for (const { name, seconds } of took) console.log(`${seconds.toFixed(0).padStart(6)}  ${name}`);
}

/** Checks that each argument names a part, that each folder with tests is a suite, and that a job of the workflow runs each suite. */
function checkNames(only) {
  const unknown = only.find((part) => part !== "checks" && !SUITES[part]);
  if (unknown)
    throw new TaskError(`There is no suite ${unknown}. Name checks, or ${Object.keys(SUITES).join(", ")}.`);
  const tests = filesBelow(path("tests")).filter((file) => file.endsWith(".test.ts"));
  const unlisted = tests.find((file) => !SUITES[suiteOf(file)]);
  if (unlisted) throw new TaskError(`${relative(path(), unlisted)} belongs to no suite. Add one to SUITES.`);
  const workflow = ".github/workflows/ci.yml";
  const jobs = readFileSync(path(workflow), "utf8").split(/\s+/);
  const idle = Object.keys(SUITES).find((suite) => !jobs.includes(suite));
  if (idle) throw new TaskError(`No job of ${workflow} runs the suite ${idle}. Add it to one.`);
}

await main(import.meta.url, async () => {
  const only = process.argv.slice(2);
  checkNames(only);
  const isAsked = (part) => !only.length || only.includes(part);
  await setUpBuild();
  if (isAsked("checks")) {
    setUpLints();
    // In parallel: installing waits for the network, and optimizing a binary keeps one core busy. `builds()`
    // reports compile errors.
    await Promise.all([checkEngine(), setUpTests(), compileEngine().catch(() => {})]);
    await checkSources();
    await checkProse();
  } else {
    await setUpTests();
  }
  if (await builds()) {
    if (isAsked("checks")) await checkTables();
    await runSuites(Object.keys(SUITES).filter(isAsked));
  }
  printTimes();
  const sum = (count) => results.reduce((total, result) => total + result[count], 0);
  console.log(`\n${sum("passed")} passed, ${sum("failed")} failed`);
  if (sum("failed")) process.exitCode = 1;
});
