/** The matcher in the frameworks themselves. */
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { runJest, runVitest } from "./run-tests.ts";

const fixtures = fileURLToPath(new URL("fixtures/", import.meta.url));

test.each([
  ["Vitest", () => runVitest(fixtures, "vitest.cases.ts")],
  ["Jest, CommonJS", () => runJest(fixtures, "jest.cases.cjs")],
  [
    "Jest, ES modules",
    () => runJest(fixtures, "jest.cases.mjs", { NODE_OPTIONS: "--experimental-vm-modules" }),
  ],
])("%s", async (_, run) => {
  const { numPassedTests, numFailedTests, testResults, output } = await run();
  expect({ numPassedTests, numFailedTests, output }).toMatchObject({ numPassedTests: 1, numFailedTests: 1 });
  const [passed, failed] = testResults[0]!.assertionResults;
  expect(passed).toMatchObject({ title: "passes", failureMessages: [] });
  expect(failed).toMatchObject({
    title: "fails",
    failureMessages: [expect.stringContaining("exact_match: the score is false, it should be true")],
  });
  expect(failed!.failureMessages[0]).toContain('outputs: "Paris"');
});
