/** The matcher in the frameworks themselves, each in a process of its own. */
import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { tool } from "../runtimes/harness.js";

const fixtures = fileURLToPath(new URL("fixtures/", import.meta.url));

interface Reported {
  numPassedTests: number;
  numFailedTests: number;
  testResults: { message: string; assertionResults: { title: string; failureMessages: string[] }[] }[];
}

/** Runs a test framework on the fixtures, and returns what its JSON reporter says. */
function runTests(program: string, args: string[], env: NodeJS.ProcessEnv = {}): Promise<Reported> {
  return new Promise((resolve, reject) => {
    // What this very process is told by Vitest is nothing for another one.
    const { VITEST, VITEST_WORKER_ID, VITEST_POOL_ID, NODE_OPTIONS, ...own } = process.env;
    const child = spawn(process.execPath, [tool(program), ...args], {
      cwd: fixtures,
      env: { ...own, ...env },
    });
    let output = "";
    let errors = "";
    child.stdout.on("data", (chunk) => (output += chunk));
    child.stderr.on("data", (chunk) => (errors += chunk));
    child.on("close", () => {
      const json = output.slice(output.indexOf("{"));
      try {
        resolve(JSON.parse(json));
      } catch {
        reject(new Error(`${program} said:\n${output}${errors}`));
      }
    });
  });
}

const jest = (file: string) => [
  "--json",
  "--rootDir",
  fixtures,
  `--testMatch=**/${file}`,
  "--config",
  JSON.stringify({ transform: {}, moduleFileExtensions: ["js", "mjs", "cjs"] }),
];

test.each([
  [
    "Vitest",
    "vitest/vitest.mjs",
    ["run", "--reporter=json", "--root", fixtures, "--config", "vitest.config.ts"],
    {},
  ],
  ["Jest, CommonJS", "jest/bin/jest.js", jest("jest.cases.cjs"), {}],
  [
    "Jest, ES modules",
    "jest/bin/jest.js",
    jest("jest.cases.mjs"),
    { NODE_OPTIONS: "--experimental-vm-modules" },
  ],
])("%s", async (_, program, args, env) => {
  const { numPassedTests, numFailedTests, testResults } = await runTests(program, args, env);
  const message = testResults.map((file) => JSON.stringify(file)).join();
  expect({ numPassedTests, numFailedTests, message }).toMatchObject({ numPassedTests: 1, numFailedTests: 1 });
  const [passed, failed] = testResults[0]!.assertionResults;
  expect(passed).toMatchObject({ title: "passes", failureMessages: [] });
  expect(failed).toMatchObject({
    title: "fails",
    failureMessages: [expect.stringContaining("exact_match: the score is false, it should be true")],
  });
  expect(failed!.failureMessages[0]).toContain('outputs: "Paris"');
});
