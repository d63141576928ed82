/** Summaries and errors on the terminal. */
import {
  confusionMatrix,
  type Experiment,
  evaluate,
  f1Score,
  formatExperiment,
} from "openevals-wasm/evaluation";
import { expect, it } from "vitest";

const LABELS = ["bug", "billing", "bug", "account"];
const rows = LABELS.map((label, index) => ({
  inputs: index,
  outputs: index ? label : "billing",
  referenceOutputs: label,
}));
const linesOf = (experiment: Experiment) => formatExperiment(experiment, { columns: 80 }).split("\n");

it("a confusion matrix is a table", async () => {
  const lines = linesOf(await evaluate(undefined, { data: rows, summaryEvaluators: [confusionMatrix()] }));
  expect(lines.find((line) => line.startsWith("confusion_matrix") && line.includes("classes"))).toContain(
    "3 classes",
  );
  const head = lines.findIndex((line) => /^confusion_matrix +account +billing +bug$/.test(line));
  expect(lines.slice(head + 2, head + 6).map((line) => line.split(/ {2,}/))).toEqual([
    ["account", "1", "0", "0"],
    ["billing", "0", "1", "0"],
    ["bug", "0", "1", "1"],
    ["Rows: reference. Columns: outputs."],
  ]);
});

it("two summary results with the same key are told apart by an error", async () => {
  const { summaryResults } = await evaluate(undefined, {
    data: rows,
    summaryEvaluators: [f1Score({ positive: "bug" }), f1Score({ positive: "billing" })],
  });
  expect(summaryResults[0]).toMatchObject({ key: "f1_score", score: 2 / 3 });
  expect(summaryResults[1]?.error).toMatchObject({
    code: "invalid_config",
    message: 'Another summary result has the key "f1_score"; give one of them another feedbackKey.',
  });
});

it("errors beyond the first ten are counted", async () => {
  const experiment = await evaluate(
    (n: number) => {
      throw new Error(`no ${n}`);
    },
    { data: Array.from({ length: 13 }, (_, inputs) => ({ inputs })) },
  );
  const lines = linesOf(experiment);
  expect(lines).toContain("13 errors");
  expect(lines.at(-2)).toBe("… and 3 more");
});
