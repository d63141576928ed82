/** Runs the JavaScript suites of upstream against the packed package. */

import { spawn } from "node:child_process";
import { once } from "node:events";
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync } from "node:fs";
import { join, relative } from "node:path";
import { path, TaskError } from "../../xtask/run.mjs";

const ROOT = path("target/upstream/javascript");

/**
 * Copies the suites of `checkouts`, the folders of upstream's repositories by name, to where they find their
 * imports.
 */
export function prepare(checkouts) {
  rmSync(ROOT, { recursive: true, force: true });
  for (const [name, folder] of Object.entries(checkouts)) {
    mkdirSync(join(ROOT, name), { recursive: true });
    cpSync(join(folder, "js/src"), join(ROOT, name, "src"), {
      recursive: true,
      // The tested packages are not copied, so that they cannot be mistaken for this package.
      filter: (file) => !file.endsWith(".ts") || file.endsWith(".test.ts"),
    });
  }
}

/** Runs all suites, or the files of those tests again that have failed, and answers `[{ name, problem }]`. */
export async function runSuites(env, failed = []) {
  const files = [...new Set(failed.map((name) => name.split(":")[0]))];
  const report = path("target/upstream/javascript.json");
  rmSync(report, { force: true });
  const vitest = path("tests/node_modules/vitest/vitest.mjs");
  const options = ["--config", path("tests/upstream/vitest.config.mjs")];
  const reporting = ["--reporter=json", `--outputFile=${report}`];
  const child = spawn(process.execPath, [vitest, "run", ...options, ...reporting, ...files], {
    cwd: path("tests"),
    env: { ...process.env, ...env },
    stdio: "ignore",
  });
  // The exit code says only that some tests fail, as the report does.
  await once(child, "close");
  if (!existsSync(report)) throw new TaskError("Vitest ended without a report of upstream's suites.");
  const { testResults } = JSON.parse(readFileSync(report, "utf8"));
  const counts = {};
  return testResults.flatMap(({ name, message, assertionResults }) => {
    const file = relative(ROOT, name);
    // One that could not even be loaded.
    if (!assertionResults.length) return [{ name: file, problem: message || "no tests were found" }];
    return assertionResults
      .filter(({ status }) => status === "passed" || status === "failed")
      .map(({ fullName, status, failureMessages }) => {
        // LangSmith adds a number of chance.
        const plain = `${file}: ${fullName.replace(/, test_id=\w+$/, "")}`;
        counts[plain] = (counts[plain] ?? 0) + 1;
        return {
          name: counts[plain] > 1 ? `${plain} (${counts[plain]})` : plain,
          problem: status === "passed" ? undefined : failureMessages.join("\n") || "failed",
        };
      });
  });
}
