/**
 * Runs every check: formats, lints, Rust tests, the build with its budgets, and the JavaScript suite against the packed
 * tarball on every runtime. The last line counts them all: `N passed, N failed`. `npm test -- api browser` runs those
 * parts of the JavaScript suite only.
 */

import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { BINARIES } from "./binaries.mjs";
import { build } from "./build.mjs";
import { checkGuideTables } from "./guide-tables.mjs";
import { pack } from "./pack.mjs";
import { hashOf, main, path, run, say } from "./run.mjs";
import { setUpTests } from "./setup.mjs";
import { checkSizeTable } from "./size-table.mjs";
import { checkSizes, printSizes } from "./sizes.mjs";

const totals = { passed: 0, failed: 0 };

/**
 * One check: passes if the work does not throw, or with the counts that it returns. What has passed is not run again
 * before one of `inputs` changes.
 */
async function check(name, inputs, work) {
  const stamp = path("target/stamps", `check-${name.replaceAll(/\W+/g, "-")}.json`);
  const key = hashOf(...inputs);
  const before = existsSync(stamp) ? JSON.parse(readFileSync(stamp, "utf8")) : {};
  if (before.key === key) return report(name, before, "unchanged since it passed");
  say(name);
  const start = performance.now();
  let counts;
  try {
    counts = (await work()) ?? { passed: 1, failed: 0 };
  } catch (error) {
    console.log(error.message);
    counts = { passed: 0, failed: 1 };
  }
  report(name, counts, `${((performance.now() - start) / 1000).toFixed(1)} s`);
  if (counts.failed) return;
  mkdirSync(path("target/stamps"), { recursive: true });
  writeFileSync(stamp, JSON.stringify({ key, ...counts }));
}

function report(name, { passed, failed }, remark) {
  totals.passed += passed;
  totals.failed += failed;
  console.log(`${failed ? `${failed} FAILED` : "ok"}: ${name} (${passed} passed, ${remark})`);
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

/** Builds and packs. It knows itself what is up to date, and prints the sizes when it does something. */
async function builds() {
  const name = "build within its budgets";
  try {
    if (!(await build())) checkSizes(await printSizes());
    await pack();
    report(name, { passed: 1, failed: 0 }, "packed");
    return true;
  } catch (error) {
    console.log(error.message);
    report(name, { passed: 0, failed: 1 }, "so there is nothing to test");
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

await main(import.meta.url, async () => {
  const only = process.argv.slice(2);
  await setUpTests();
  if (!only.length) {
    const biome = path("node_modules/@biomejs/biome/bin/biome");
    const formatted = ["pkg-template", "tests", "www", "xtask", "biome.json", "package.json"].map((file) =>
      path(file),
    );
    await check("Rust format", rust, () => void run("cargo", ["fmt", "--all", "--check"]));
    await check(
      "JavaScript format and lints",
      formatted,
      () => void run("node", [biome, "ci", "--error-on-warnings"]),
    );
    const architecture = path("tests/architecture");
    await check("imports lead down the streets", [path("pkg-template/src"), architecture], () => {
      const cruiser = `${architecture}/node_modules/dependency-cruiser/bin/dependency-cruise.mjs`;
      run("node", [cruiser, "--config", `${architecture}/rules.mjs`, "src"], { cwd: path("pkg-template") });
    });
    await check("Rust lints", rust, () => {
      const strict = ["--", "--deny", "warnings"];
      run("cargo", ["clippy", "--locked", "--workspace", "--all-targets", ...strict]);
      for (const feature of Object.keys(BINARIES)) {
        const features = ["--no-default-features", "--features", feature];
        run("cargo", [
          "clippy",
          "--locked",
          "--lib",
          "--target",
          "wasm32-unknown-unknown",
          ...features,
          ...strict,
        ]);
      }
    });
    await check("Rust documentation", rust, () => {
      const all = ["doc", "--locked", "--no-deps", "--document-private-items", "--lib"];
      // For this target, the bindings belong to it.
      const options = ["--target", "wasm32-unknown-unknown"];
      run("cargo", [...all, ...options], { env: { RUSTDOCFLAGS: "--deny warnings" } });
    });
    await check("Rust tests", rust, rustTests);
  }
  if (await builds()) {
    if (!only.length) {
      await check("sizes as in SIZES.md", [path("pkg"), path("SIZES.md"), ...rust], checkSizeTable);
      const read = [
        "pkg",
        "pkg-template/src/models/prompts",
        "README.md",
        "www/guide",
        "xtask",
        "tests/package.json",
      ];
      await check(
        "tables of the guide",
        [...read, "tests/frameworks/package.json"].map((file) => path(file)),
        checkGuideTables,
      );
    }
    for (const [suite, inputs] of Object.entries(SUITES)) {
      if (only.length && !only.includes(suite)) continue;
      const reads = [path("tests", suite), ...inputs.map((file) => path(file)), ...shared];
      await check(`tests/${suite}`, reads, () => vitest("--project", suite));
    }
  }
  console.log(`\n${totals.passed} passed, ${totals.failed} failed`);
  if (totals.failed) process.exitCode = 1;
});
