/** The evaluators inside of LangSmith's own `evaluate`, with a stand-in of its API. */
import { Client } from "langsmith";
import { evaluate } from "langsmith/evaluation";
import {
  createJsonMatchEvaluator,
  createLLMAsJudge,
  createTrajectoryMatchEvaluator,
  exactMatch,
  levenshteinDistance,
} from "openevals-wasm";
import { accuracy, precision } from "openevals-wasm/evaluation";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { type Feedback, LangSmithServer, type Run } from "./server.ts";

let server: LangSmithServer;
let client: Client;

beforeAll(async () => {
  server = await LangSmithServer.start();
  Object.assign(process.env, server.env);
  client = new Client();
  const { id } = await client.createDataset("capitals");
  for (const [country, capital] of [
    ["France", "Paris"],
    ["Italy", "Rome"],
  ]) {
    await client.createExample({ dataset_id: id, inputs: { country }, outputs: { capital } });
  }
});
afterAll(() => server.close());

const answer = ({ country }: { country: string }) => ({ capital: country === "Italy" ? "Milan" : "Paris" });

/** The feedback on the run for an example, by key. */
function feedbackOn(country: string): Record<string, Feedback> {
  const example = server.examples.find(({ inputs }) => inputs.country === country);
  const run = [...server.runs.values()].find(
    ({ reference_example_id, session_name }) =>
      reference_example_id === example?.id && session_name !== "evaluators",
  );
  const given = server.feedback.filter(({ run_id }) => run_id === run?.id);
  return Object.fromEntries(given.map((feedback) => [feedback.key, feedback]));
}

test("scores and comments arrive as feedback on each run, and those of summaries on the experiment", async () => {
  const judge = createLLMAsJudge({
    prompt: "Is {outputs} the capital of {inputs}? It is {reference_outputs}.",
    feedbackKey: "correctness",
    judge: ({ messages }) => {
      const score = messages[0]!.content.includes("Paris");
      return { score, reasoning: score ? "It is." : "It is not." };
    },
  });
  const { results } = await evaluate(answer, {
    client,
    data: "capitals",
    experimentPrefix: "capitals",
    evaluators: [exactMatch, levenshteinDistance, createJsonMatchEvaluator(), judge],
    summaryEvaluators: [
      accuracy({ output: "capital", reference: "capital" }),
      precision({ output: "capital", reference: "capital", average: "macro" }),
      ({ outputs, referenceOutputs }) => {
        const right = outputs.filter(({ capital }, row) => capital === referenceOutputs?.[row]?.capital);
        return { key: "right", score: right.length / outputs.length, comment: "of two" };
      },
    ],
    maxConcurrency: 2,
  });
  expect(results).toHaveLength(2);
  await client.awaitPendingTraceBatches();

  expect(feedbackOn("France")).toMatchObject({
    exact_match: { score: true, feedback_source: { type: "model" } },
    levenshtein_distance: { score: 1 },
    "json_match:capital": { score: 1 },
    correctness: { score: true, comment: "It is." },
  });
  expect(feedbackOn("Italy")).toMatchObject({
    exact_match: { score: false, comment: 'outputs.capital is "Milan" instead of "Rome"' },

    levenshtein_distance: { score: 0.7368 }, // 1 - 5 / 19, of {"capital":"Milan"} and {"capital":"Rome"}; the client rounds
    "json_match:capital": { score: 0, comment: 'outputs.capital is "Milan" instead of "Rome"' },
    correctness: { score: false, comment: "It is not." },
  });
  expect(Object.keys(feedbackOn("Italy"))).toHaveLength(4);
  const ofAll = server.feedback.filter(({ run_id }) => run_id === null);
  expect(ofAll).toMatchObject([
    { key: "accuracy", score: 0.5 },
    // Paris was answered once, rightly; Milan once, wrongly; Rome never, which is no precision at all.
    { key: "precision", score: 0.5, comment: expect.stringContaining("Rome") },
    { key: "right", score: 0.5, comment: "of two" },
  ]);
  expect(server.unknown).toEqual([]);
});

test("the source of feedback is the run of the evaluator, which is below LangSmith's own", async () => {
  const { metadata } = feedbackOn("France").correctness!.feedback_source;
  const source = server.runs.get(metadata?.__run.run_id);
  expect(source).toMatchObject({ name: "evaluator", session_name: "evaluators" });
  expect(server.below(source!)).toMatchObject([
    { name: "llm_as_judge", outputs: { key: "correctness", score: true } },
  ]);
  // LangSmith also passes the run with its client; that, and the key in it, is nothing to tell of.
  const [{ inputs }] = server.below(source!) as [Run];
  expect(inputs).toEqual({
    inputs: { country: "France" },
    outputs: { capital: "Paris" },
    referenceOutputs: { capital: "Paris" },
  });
  expect(JSON.stringify([...server.runs.values()])).not.toContain(server.env.LANGSMITH_API_KEY);
  const [json] = [feedbackOn("France")["json_match:capital"]!.feedback_source.metadata?.__run.run_id];
  expect(server.runs.get(json)).toMatchObject({ name: "json_match_evaluator" });
});

test("trajectories are compared, and failed runs have no feedback", async () => {
  const log = vi.spyOn(console, "error").mockImplementation(() => {});
  const trajectory = (city: string) => ({
    messages: [{ role: "assistant", content: "", tool_calls: [{ name: "weather", args: { city } }] }],
  });
  const { id } = await client.createDataset("weather");
  for (const city of ["Oslo", "Rome"]) {
    await client.createExample({ dataset_id: id, inputs: { country: city }, outputs: trajectory(city) });
  }
  await evaluate(
    ({ country }: { country: string }) => (country === "Oslo" ? trajectory("Oslo") : { text: "?" }),
    {
      client,
      data: "weather",
      evaluators: [createTrajectoryMatchEvaluator()],
    },
  );
  await client.awaitPendingTraceBatches();
  expect(feedbackOn("Oslo")).toMatchObject({ trajectory_strict_match: { score: true } });
  expect(feedbackOn("Rome")).toEqual({});
  expect(log.mock.calls.flat().join()).toContain("OpenEvalsError: outputs");
  log.mockRestore();
  expect(server.unknown).toEqual([]);
});
