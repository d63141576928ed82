/** Runs the Python suites of upstream against the packed package, through a bridge. */

import { spawn } from "node:child_process";
import { once as event } from "node:events";
import { existsSync, readFileSync, rmSync } from "node:fs";
import { delimiter, join } from "node:path";
import { hashOf, once, path, run, say, TaskError } from "../../xtask/run.mjs";

const ENVIRONMENT = path("target/upstream/venv");
const BRIDGE = path("target/upstream/bridge.mjs");
let suites;
let left;

/** Makes an environment with the imports of the suites, and bundles the bridge. */
export async function prepare(checkouts, skipped) {
  left = skipped;
  suites = Object.entries(checkouts).map(([name, folder]) => ({ name, folder: join(folder, "python") }));
  const requirements = path("tests/upstream/python/requirements.txt");
  await once("upstream-python", hashOf(requirements), [join(ENVIRONMENT, "bin/pytest")], () => {
    say("Installing what upstream's Python suites import (pip install in target/upstream/venv)");
    run("python3", ["-m", "venv", "--clear", ENVIRONMENT]);
    const options = ["--quiet", "--disable-pip-version-check", "--requirement", requirements];
    run(join(ENVIRONMENT, "bin/python"), ["-m", "pip", "install", ...options]);
  });
  // It imports TypeScript, which Node 20 does not.
  const { build } = await import("esbuild");
  await build({
    entryPoints: [path("tests/upstream/bridge.mjs")],
    outfile: BRIDGE,
    bundle: true,
    platform: "node",
    format: "esm",
    packages: "external",
    logLevel: "error",
  });
}

/** The name of each test in pytest, by its name here. */
const ids = new Map();

/** Runs all suites, or those tests again that have failed, and answers `[{ name, problem }]`. */
export async function runSuites(env, failed = []) {
  const results = [];
  for (const { name: repository, folder } of suites) {
    const own = failed.filter((name) => name.startsWith(`${repository}/`));
    if (failed.length && !own.length) continue;
    const lines = await runSuite(
      repository,
      folder,
      env,
      own.map((name) => ids.get(name)),
    );
    results.push(...named(repository, lines));
  }
  return results;
}

/** Parameters are counted: their names in pytest may be whole documents. */
function named(repository, lines) {
  const counts = {};
  const own = Array.from(ids).filter(([name]) => name.startsWith(`${repository}/`));
  const known = new Map(own.map(([name, id]) => [id, name]));
  return lines.map(({ test, problem }) => {
    const [plain, parameters] = test.split(/\[(.*)/s);
    counts[plain] = (counts[plain] ?? 0) + 1;
    const name = known.get(test) ?? `${repository}/${plain}${parameters ? `[${counts[plain]}]` : ""}`;
    ids.set(name, test);
    return { name, problem: problem ?? undefined };
  });
}

async function runSuite(repository, folder, env, tests) {
  const report = path("target/upstream/python.jsonl");
  rmSync(report, { force: true });
  const options = ["-p", "bridge", "-p", "no:cacheprovider", "--import-mode=importlib", "-q"];
  // LangChain keeps connections from one test to the next, which belong to an event loop.
  const loops = "--override-ini=asyncio_default_test_loop_scope=session";
  const deselected = left
    .filter((name) => name.startsWith(`${repository}/`))
    .map((name) => `--deselect=${name.slice(repository.length + 1)}`);
  const child = spawn(join(ENVIRONMENT, "bin/pytest"), [...options, loops, ...deselected, ...tests], {
    cwd: folder,
    env: {
      ...process.env,
      ...env,
      PATH: [join(ENVIRONMENT, "bin"), path("tests/node_modules/.bin"), process.env.PATH].join(delimiter),
      PYTHONPATH: path("tests/upstream/python"),
      PYTHONDONTWRITEBYTECODE: "1",
      UPSTREAM_BRIDGE: JSON.stringify([process.execPath, BRIDGE]),
      UPSTREAM_REPORT: report,
    },
    stdio: "ignore",
  });
  await event(child, "close");
  if (!existsSync(report)) throw new TaskError(`pytest ran nothing of ${repository}.`);
  const lines = readFileSync(report, "utf8").trim().split("\n");
  return lines.map((line) => JSON.parse(line));
}
