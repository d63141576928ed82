/**
 * Runs every check: formats, lints, Rust tests, the build with its budgets, and the JavaScript suites against
 * the packed tarball on every runtime. The last line is the total: `N passed, N failed`. `npm test -- api
 * browser` runs only these suites, `npm test -- checks` everything but the suites, and `npm test -- --list` lists the test files
 * that are due. `npm test -- --all` also repeats what has passed.
 */

import { build } from "./build.mjs";
import { check, conclude, printTimes, total } from "./checks.mjs";
import { compileEngine, compileGenerator, strict } from "./engine.mjs";
import { checkGuideTables } from "./guide-tables.mjs";
import { pack } from "./pack.mjs";
import { filesBelow, main, path, run, runBeside, TaskError } from "./run.mjs";
import { setUpBuild, setUpLints, setUpTests } from "./setup.mjs";
import { checkSizeTable } from "./size-table.mjs";
import { checkSizes, printSizes } from "./sizes.mjs";
import { checkNames, listDue, runSuites, SUITES } from "./suites.mjs";

/** Runs the Rust tests, and counts them from cargo's output. Clippy compiles them, which is also the run of the lints. */
async function rustTests() {
  const env = { ...strict, RUSTC_WORKSPACE_WRAPPER: "clippy-driver" };
  let output;
  let failure;
  try {
    // No documentation comment has a test. To look for them, cargo would compile the crate once more.
    output = await runBeside("cargo", ["test", "--locked", "--workspace", "--lib", "--bins"], { env });
  } catch (error) {
    failure = error;
    output = error.message;
  }
  const counts = { passed: 0, failed: 0 };
  for (const [, passed, failed] of output.matchAll(/^test result: .*?(\d+) passed; (\d+) failed/gm)) {
    counts.passed += Number(passed);
    counts.failed += Number(failed);
  }
  // Something else failed, such as the compiler or a process of tests that ended early.
  if (failure && !counts.failed) throw failure;
  if (failure) console.log(output);
  return counts;
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

/** Checks the engine: format, lints, documentation and tests. */
async function checkEngine() {
  await check("Rust format", rust, () => void run("cargo", ["fmt", "--all", "--check"]));
  const scales = ["scales", "scales-by-key"].map((name) => `pkg-template/src/core/${name}.ts`);
  const cases = ["tests/engine/trajectory-lines.json", "tests/providers/retry-after.json"];
  const read = ["README.md", ...scales, ...cases];
  await check("Rust lints and tests", [...rust, ...read.map((file) => path(file))], async () => {
    // Otherwise the engine would wait for the tests, which take longer.
    await compileGenerator();
    return rustTests();
  });
  // The bindings are compiled only for this target. In the profile of the binaries, the procedural macros are compiled once
  // for all of them. Last, since cargo lets only one command at a time use a profile's folder.
  const bindings = ["--locked", "--release", "--lib", "--target", "wasm32-unknown-unknown"];
  await check("Rust lints of the bindings", rust, async () => {
    // With what all binaries have. What one of them leaves unused, the build finds.
    await runBeside("cargo", ["clippy", ...bindings, "--", "--deny", "warnings"]);
  });
  await check("Rust documentation", rust, async () => {
    const env = { RUSTDOCFLAGS: "--deny warnings" };
    await runBeside("cargo", ["doc", ...bindings, "--no-deps", "--document-private-items"], { env });
  });
}

/** Checks the JavaScript and TypeScript sources: format, lints and imports. */
async function checkSources() {
  const biome = path("node_modules/@biomejs/biome/bin/biome");
  const formatted = ["pkg-template", "tests", "www", "xtask", "biome.json", "package.json"];
  await check(
    "JavaScript format and lints",
    formatted.map((file) => path(file)),
    async () => {
      await runBeside("node", [biome, "ci", "--error-on-warnings"]);
    },
  );
  const architecture = path("tests/architecture");
  const checked = [path("pkg-template/src"), architecture, path("xtask/entries.mjs")];
  await check("imports follow the levels", checked, async () => {
    await runBeside("node", [`${architecture}/check.mjs`]);
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

await main(import.meta.url, async () => {
  const isList = process.argv.includes("--list");
  const only = process.argv.slice(2).filter((argument) => !["--list", "--all"].includes(argument));
  checkNames(only);
  const isAsked = (part) => !only.length || only.includes(part);
  const suites = Object.keys(SUITES).filter(isAsked);
  await setUpBuild();
  if (isList) {
    await setUpTests();
    await builds();
    return listDue(suites);
  }
  let engine;
  if (isAsked("checks")) {
    setUpLints();
    // Beside everything else: the suites wait for servers and pages, and installing waits for the network.
    engine = checkEngine();
    // Beside the engine, which compiles on one core. `builds()` reports its errors.
    const checks = setUpTests().then(checkSources).then(checkProse);
    await Promise.all([checks, compileEngine().catch(() => {})]);
  } else {
    await setUpTests();
  }
  if (await builds()) {
    if (isAsked("checks")) await checkTables();
    await runSuites(suites);
  }
  await engine;
  printTimes();
  console.log(`\n${total("passed")} passed, ${total("failed")} failed`);
  if (total("failed")) process.exitCode = 1;
});
