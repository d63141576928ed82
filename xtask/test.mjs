/**
 * Runs every check: formats, lints, Rust tests, the build with its budgets, and the JavaScript suite against the packed
 * tarball on every runtime. The last line counts them all: `N passed, N failed`.
 */

import { existsSync, mkdirSync, readFileSync, renameSync, rmSync } from "node:fs";
import { build } from "./build.mjs";
import { hashOf, main, once, path, run, say } from "./run.mjs";
import { packageVersion, setUpTests } from "./setup.mjs";
import { checkSizes, printSizes } from "./sizes.mjs";

const totals = { passed: 0, failed: 0 };

/** One check: passes if the work does not throw. */
async function check(name, work) {
  say(name);
  const start = performance.now();
  try {
    const counts = (await work()) ?? { passed: 1, failed: 0 };
    totals.passed += counts.passed;
    totals.failed += counts.failed;
    const result = counts.failed ? `${counts.failed} FAILED` : "ok";
    console.log(
      `${result}: ${name} (${counts.passed} passed, ${((performance.now() - start) / 1000).toFixed(1)} s)`,
    );
  } catch (error) {
    totals.failed += 1;
    console.log(`FAILED: ${name}\n${error.message}`);
  }
}

/** Packs the package, and unpacks it to where the tests import it from. */
async function pack() {
  const folder = path("target/pack");
  const installed = path("tests/node_modules/openevals-wasm");
  await once("pack", hashOf(path("pkg")), [`${folder}/openevals-wasm.tgz`, installed], () => {
    mkdirSync(folder, { recursive: true });
    run("npm", ["pack", path("pkg"), "--pack-destination", folder], { quiet: true });
    rmSync(installed, { recursive: true, force: true });
    mkdirSync(installed, { recursive: true });
    const packed = `${folder}/openevals-wasm-${packageVersion()}.tgz`;
    run("tar", ["-xzf", packed, "-C", installed, "--strip-components", "1"]);
    // Without the version in its name, fixtures need not know it.
    renameSync(packed, `${folder}/openevals-wasm.tgz`);
  });
}

/** The Rust tests, counted from what cargo prints. */
function rustTests() {
  let output;
  try {
    output = run("cargo", ["test", "--locked", "--workspace"], { quiet: true });
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

/** The JavaScript suite, counted from Vitest's report. */
function vitest(...args) {
  const report = path("target/vitest.json");
  rmSync(report, { force: true });
  const reporters = ["--reporter=default", "--reporter=json", `--outputFile.json=${report}`];
  let failure;
  try {
    run("node", [path("tests/node_modules/vitest/vitest.mjs"), "run", ...reporters, ...args], {
      cwd: path("tests"),
    });
  } catch (error) {
    failure = error;
    if (!existsSync(report)) throw error;
    console.log(error.message);
  }
  const { numPassedTests, numFailedTests, numFailedTestSuites, success } = JSON.parse(
    readFileSync(report, "utf8"),
  );
  // A file that could not even be loaded has no tests to count.
  const failed = numFailedTests || (success && !failure ? 0 : Math.max(numFailedTestSuites, 1));
  return { passed: numPassedTests, failed };
}

await main(import.meta.url, async () => {
  await setUpTests();
  const biome = path("node_modules/@biomejs/biome/bin/biome");
  await check("Rust format", () => void run("cargo", ["fmt", "--all", "--check"]));
  await check("JavaScript format and lints", () => void run("node", [biome, "ci", "--error-on-warnings"]));
  await check("Rust lints", () => {
    const clippy = ["clippy", "--locked", "--workspace", "--all-targets"];
    run("cargo", [...clippy, "--", "--deny", "warnings"]);
    run("cargo", [
      "clippy",
      "--locked",
      "--lib",
      "--target",
      "wasm32-unknown-unknown",
      "--",
      "--deny",
      "warnings",
    ]);
  });
  await check("Rust tests", rustTests);
  await check("build", async () => {
    if (!(await build())) checkSizes(await printSizes());
    await pack();
  });
  await check("JavaScript tests", () => vitest(...process.argv.slice(2)));
  console.log(`\n${totals.passed} passed, ${totals.failed} failed`);
  if (totals.failed) process.exitCode = 1;
});
