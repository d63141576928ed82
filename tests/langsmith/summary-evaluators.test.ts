/** The summary evaluators inside of LangSmith's own `evaluate`, with a stand-in of its API. */
import { Client } from "langsmith";
import { evaluate } from "langsmith/evaluation";
import { accuracy, cohensKappa, confusionMatrix, f1Score, precision } from "openevals-wasm/evaluation";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { LangSmithServer } from "./server.ts";

let server: LangSmithServer;

beforeAll(async () => {
  server = await LangSmithServer.start();
  Object.assign(process.env, server.env);
});
afterAll(() => server.close());

test("their results arrive as feedback on the experiment, and failed runs are left out", async () => {
  const log = vi.spyOn(console, "error").mockImplementation(() => {});
  const client = new Client();
  const { id } = await client.createDataset("toxic");
  for (const [text, label] of [
    ["a", "Toxic"],
    ["b", "Toxic"],
    ["c", "Not toxic"],
    ["d", "Not toxic"],
    ["broken", "Toxic"],
  ]) {
    await client.createExample({ dataset_id: id, inputs: { text }, outputs: { label } });
  }
  const classify = ({ text }: { text: string }) => {
    if (text === "broken") throw new Error("no answer");
    return { class: text === "a" || text === "c" ? "Toxic" : "Not toxic" };
  };
  const { summaryResults } = await evaluate(classify, {
    client,
    data: "toxic",
    summaryEvaluators: [
      accuracy(),
      f1Score({ positive: "Toxic" }),
      precision({ positive: "Spam" }),
      cohensKappa({ feedbackKey: "agreement" }),
      confusionMatrix(),
    ],
  });
  await client.awaitPendingTraceBatches();
  log.mockRestore();
  const value = {
    labels: ["Not toxic", "Toxic"],
    matrix: [
      [1, 1],
      [1, 1],
    ],
  };
  expect(summaryResults.results).toMatchObject([
    { key: "accuracy", score: 0.5, metadata: { count: 4, errors: 1 } },
    { key: "f1_score", score: 0.5 },
    { key: "precision", score: null },
    { key: "agreement", score: 0 },
    { key: "confusion_matrix", value },
  ]);
  expect(server.feedback).toMatchObject([
    { run_id: null, key: "accuracy", score: 0.5 },
    { run_id: null, key: "f1_score", score: 0.5 },
    { key: "precision", comment: 'Not defined: no output is "Spam"; the classes are "Not toxic", "Toxic".' },
    { key: "agreement", score: 0 },
    { key: "confusion_matrix", value },
  ]);
  expect(server.unknown).toEqual([]);
});
