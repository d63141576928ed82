/** Evaluators in LangSmith tests, with Vitest and with Jest: runs and feedback, as openevals logs them. */
import { fileURLToPath, pathToFileURL } from "node:url";
import { beforeEach, describe, expect, test } from "vitest";
import { tool } from "../runtimes/harness.js";
import { runJest, runVitest } from "../vitest-matcher/run-tests.ts";
import { LangSmithServer } from "./server.ts";

const fixtures = fileURLToPath(new URL("fixtures/", import.meta.url));
const reference = (path: string) => pathToFileURL(tool(`../parity/node_modules/${path}`)).href;

let server: LangSmithServer;
beforeEach(async () => {
  server = await LangSmithServer.start();
  return () => server.close();
});

/** The reports to the server, without fields that differ each time. */
function told() {
  const runs = [...server.runs.values()];
  const nameOf = (id: unknown) => runs.find((run) => run.id === id)?.name;
  const evaluations = runs.filter(
    ({ extra }) => extra.metadata.__ls_evaluator && !extra.metadata.ls_model_type,
  );
  return {
    feedback: server.feedback
      .map(({ key, score, comment, run_id, feedback_source: { type, metadata } }) => {
        return { key, score, comment, of: nameOf(run_id), type, by: nameOf(metadata?.__run?.run_id) };
      })
      .sort((a, b) => `${a.of} ${a.key}`.localeCompare(`${b.of} ${b.key}`)),
    evaluations: evaluations
      .map(({ name, run_type, session_name, extra, parent_run_id, reference_example_id, inputs }) => ({
        ...{ name, run_type, session_name, parent_run_id, inputs },
        metadata: extra.metadata,
        example: server.examples.find(({ id }) => id === reference_example_id)?.inputs,
      }))
      .sort((a, b) => JSON.stringify(a).localeCompare(JSON.stringify(b))),
  };
}

describe("langsmith/vitest", () => {
  test("runs and feedback are those of openevals", async () => {
    const report = await runVitest(fixtures, "vitest.cases.ts", server.env);
    const { output, numPassedTests, numFailedTests } = report;
    expect({ numPassedTests, numFailedTests, output }).toMatchObject({
      numPassedTests: 1,
      numFailedTests: 1,
    });
    expect(server.unknown).toEqual([]);
    const mine = told();
    server.close();

    server = await LangSmithServer.start();
    await runVitest(fixtures, "vitest.cases.ts", {
      ...server.env,
      TESTS_MODULE: reference("langsmith/vitest.js"),
      EVALS_MODULE: reference("openevals/index.js"),
    });
    const theirs = told();

    // A mismatch explains itself, which the reference's does not.
    const withoutComment = <Row extends { by?: unknown; comment?: unknown }>({ comment, ...row }: Row) =>
      row.by === "exact_match" ? row : { comment, ...row };
    expect(mine.feedback.map(withoutComment)).toEqual(theirs.feedback.map(withoutComment));
    expect(mine.feedback.map(({ of, key, score, comment, by }) => [of, key, score, comment, by])).toEqual([
      ["France", "correctness", true, "It is the capital.", "llm_as_judge"],
      ["France", "exact_match", true, undefined, "exact_match"],
      ["France", "json_match:average", 1, undefined, "json_match_evaluator"],
      ["France", "pass", true, undefined, undefined],
      ["Italy", "exact_match", false, 'outputs.capital is "Milan" instead of "Rome"', "exact_match"],
      ["Italy", "pass", false, undefined, undefined],
    ]);
    // The reference calls the outputs inputs here.
    const isJson = ({ name }: { name: string }) => name === "json_match_evaluator";
    const withoutJson = (runs: typeof mine.evaluations) => runs.filter((run) => !isJson(run));
    expect(withoutJson(mine.evaluations)).toEqual(withoutJson(theirs.evaluations));
    expect({ ...mine.evaluations.find(isJson), inputs: {} }).toEqual({
      ...theirs.evaluations.find(isJson),
      inputs: {},
    });
    expect(mine.evaluations).toHaveLength(4);
  });

  test("with tracking off, feedback is for the reporter, and nothing is sent", async () => {
    const env = { ...server.env, LANGSMITH_TEST_TRACKING: "false" };
    const { output } = await runVitest(fixtures, "vitest.cases.ts", env, ["langsmith/vitest/reporter"]);
    expect(output).toContain("correctness");
    expect(output).toContain("json_match:average");
    expect(server.feedback).toEqual([]);
    expect([...server.runs.values()].filter(({ name }) => name === "exact_match")).toEqual([]);
  });
});

test("langsmith/jest, in CommonJS", async () => {
  const { output, numPassedTests } = await runJest(fixtures, "jest.cases.cjs", server.env);
  expect({ numPassedTests, output }).toMatchObject({ numPassedTests: 1 });
  expect(told()).toMatchObject({
    feedback: [
      { of: "France", key: "exact_match", score: true, type: "model", by: "exact_match" },
      { of: "France", key: "pass", score: true },
    ],
    evaluations: [
      {
        name: "exact_match",
        session_name: "evaluators",
        inputs: { outputs: { capital: "Paris" }, referenceOutputs: { capital: "Paris" } },
        example: { country: "France" },
      },
    ],
  });
  expect(server.unknown).toEqual([]);
});
