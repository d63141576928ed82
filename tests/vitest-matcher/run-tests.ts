/** Runs test frameworks in separate processes, as a project would. */
import { spawn } from "node:child_process";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { tool } from "../runtimes/harness.js";

/** The output of JSON reporters, and everything that was printed. */
export interface Reported {
  numPassedTests: number;
  numFailedTests: number;
  testResults: { message: string; assertionResults: AssertionResult[] }[];
  output: string;
}

interface AssertionResult {
  title: string;
  fullName: string;
  status: string;
  failureMessages: string[];
}

/** Vitest, on one file of a folder. */
export const runVitest = (
  folder: string,
  file: string,
  env: NodeJS.ProcessEnv = {},
  reporters: string[] = [],
  more: string[] = [],
) =>
  runTests(
    "vitest/vitest.mjs",
    [
      ...["run", file, "--root", folder, "--config", join(folder, "vitest.config.ts")],
      ...["json", ...reporters].map((reporter) => `--reporter=${reporter}`),
      ...more,
    ],
    folder,
    env,
  );

/** Jest, on one file of a folder, unchanged. */
export const runJest = (folder: string, file: string, env: NodeJS.ProcessEnv = {}) =>
  runTests(
    "jest/bin/jest.js",
    [
      ...["--json", "--rootDir", folder, `--testMatch=**/${file}`],
      ...["--config", JSON.stringify({ transform: {}, moduleFileExtensions: ["js", "mjs", "cjs"] })],
    ],
    folder,
    env,
  );

async function runTests(
  program: string,
  args: string[],
  cwd: string,
  env: NodeJS.ProcessEnv,
): Promise<Reported> {
  const folder = await mkdtemp(join(tmpdir(), "openevals-wasm-report-"));
  const report = join(folder, "report.json");
  // Removes Vitest's variables for this process, which are not for another one.
  const { VITEST, VITEST_WORKER_ID, VITEST_POOL_ID, NODE_OPTIONS, ...own } = process.env;
  const child = spawn(process.execPath, [tool(program), ...args, `--outputFile=${report}`], {
    cwd,
    env: { ...own, NO_COLOR: "1", ...env },
  });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk) => (output += chunk));
  await new Promise((closed) => child.on("close", closed));
  try {
    return { ...JSON.parse(await readFile(report, "utf8")), output };
  } catch {
    throw new Error(`${program} made no report:\n${output}`);
  } finally {
    await rm(folder, { recursive: true });
  }
}
