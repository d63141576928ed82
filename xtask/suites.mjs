/** The suites in `tests/`, and running the tests that something has changed for. */

import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { relative, sep } from "node:path";
import { conclude, runsAll } from "./checks.mjs";
import { filesBelow, hashOf, path, runBeside, say, TaskError } from "./run.mjs";

/**
 * The files in the key of every test: with what they import, those that make the published code, set up the tools and run tests.
 * Everything else that tasks write into the package is in the keys of its parts by its content.
 */
const WITH_IMPORTS = [
  "xtask/javascript/index.mjs",
  "xtask/setup.mjs",
  "xtask/suites.mjs",
  "tests/vitest.config.ts",
].map((file) => path(file));
const ALONE = ["xtask/build.mjs", "xtask/pack.mjs", "tests/package-lock.json"].map((file) => path(file));

/**
 * The suites, and what their tests read besides their own files and what these import: `code` that runs in them, and `texts`
 * that they only look at.
 */
export const SUITES = {
  api: { texts: ["Cargo.lock", "www/guide/content-checks.md"] },
  engine: { texts: ["package-lock.json"] },
  recipes: {},
  rag: { texts: ["tests/data"] },
  agents: {},
  harness: {},
  parity: {},
  providers: { texts: ["tests/data"] },
  clients: {},
  langgraph: {},
  readmes: { texts: ["package.json", "README.md", "SIZES.md", "www/guide", "www/pictures"] },
  guide: {
    code: ["tests/simulations"],
    texts: [
      ...["README.md", "SIZES.md", "www/guide", "www/examples", ".github", "pkg-template/CHANGELOG.md"],
      "Cargo.toml",
    ],
  },
  evaluation: {},
  otel: {},
  interop: { texts: ["tests/interop/package-lock.json", "www/guide/migration.md"] },
  bullmq: {},
  code: { texts: ["tests/parity/package-lock.json"] },
  langsmith: { texts: ["tests/parity/package-lock.json"] },
  "vitest-matcher": {},
  types: { texts: ["tests/parity/package-lock.json", "Cargo.lock", "LICENSE"] },
  browser: {
    code: [
      ...["tests/chromium.ts", "tests/browser/build.ts", "www/home", "www/playground", "www/shared"],
      ...["www/site", "www/site/.vitepress", "www/site/.vitepress/theme"],
    ],
    texts: ["www/guide", "www/examples", "SIZES.md", "tests/parity/python/cases"],
  },
  report: { code: ["tests/chromium.ts"] },
  cli: { texts: ["tests/data"] },
  runtimes: { code: ["tests/chromium.ts", "tests/runtimes/install.ts"] },
  frameworks: {},
  examples: {
    code: ["tests/chromium.ts", "www/examples"],
    texts: ["README.md", "www/guide", "tests/frameworks/package-lock.json"],
  },
};

/** Checks that each argument names a part, that each folder with tests is a suite, and that a job of the workflow runs each suite. */
export function checkNames(only) {
  const unknown = only.find((part) => part !== "checks" && !SUITES[part]);
  if (unknown)
    throw new TaskError(
      `There is no suite ${unknown}. Name checks, ${Object.keys(SUITES).join(", ")}, --list or --all.`,
    );
  const tests = filesBelow(path("tests")).filter((file) => file.endsWith(".test.ts"));
  const unlisted = tests.find((file) => !SUITES[suiteOf(file)]);
  if (unlisted) throw new TaskError(`${relative(path(), unlisted)} belongs to no suite. Add one to SUITES.`);
  const workflow = ".github/workflows/ci.yml";
  const jobs = readFileSync(path(workflow), "utf8").split(/\s+/);
  const idle = Object.keys(SUITES).find((suite) => !jobs.includes(suite));
  if (idle) throw new TaskError(`No job of ${workflow} runs the suite ${idle}. Add it to one.`);
}

/** The keys under which test files have passed. */
const STAMPS = path("target/stamps/tests.json");

/** The test files of suites by their keys, and those that something has changed for since they passed. */
async function dueIn(suites) {
  const noted = existsSync(STAMPS) ? JSON.parse(readFileSync(STAMPS, "utf8")) : {};
  // It imports what the set-up has installed.
  const { filesFrom, keysOfTests } = await import("./affected.mjs");
  const ofAll = `${process.version} ${hashOf(...filesFrom(WITH_IMPORTS).sort(), ...ALONE)}`;
  const own = await keysOfTests(suites.map((suite) => [suite, SUITES[suite]]));
  const keys = new Map(Array.from(own, ([file, key]) => [file, `${ofAll} ${key}`]));
  const due = Array.from(keys.keys()).filter((file) => runsAll || noted[file]?.key !== keys.get(file));
  return { noted, keys, due };
}

/** Lists the test files that would run. */
export async function listDue(suites) {
  const { keys, due } = await dueIn(suites);
  for (const file of due) console.log(relative(path(), file));
  console.log(`\n${due.length} of ${keys.size} test files are due`);
}

/** Runs the test files that something has changed for. Those that passed are noted by their keys. */
export async function runSuites(suites) {
  const { noted, keys, due } = await dueIn(suites);
  if (due.length) say(`tests: ${due.length} of ${keys.size} files`);
  const { found, failed } = due.length ? await vitest(due) : { found: new Map(), failed: 0 };
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
    else noted[file] = { key, passed };
  }
  for (const [suite, own] of counts) conclude(`tests/${suite}`, own);
  // Then something failed outside the tests, so none of them is known to have passed.
  if (failed) conclude("the run of the suites", { passed: 0, failed, seconds: 0 });
  else writeFileSync(STAMPS, JSON.stringify(noted));
}

const suiteOf = (file) => relative(path("tests"), file).split(sep)[0];

/** Runs test files in one go, so that no core waits for the last file of a suite. Returns Vitest's results by file. */
async function vitest(files) {
  const report = path("target/vitest.json");
  rmSync(report, { force: true });
  const reporters = ["--reporter=default", "--reporter=json", `--outputFile.json=${report}`];
  const names = files.map((file) => relative(path("tests"), file));
  let failure;
  try {
    await runBeside("node", [path("tests/node_modules/vitest/vitest.mjs"), "run", ...reporters, ...names], {
      cwd: path("tests"),
      quiet: !process.stderr.isTTY,
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
