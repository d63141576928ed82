/** Our evaluators in the experiments of other tools, and scorers of autoevals in ours. */

import { createEvaluatorFromAutoevals } from "@langfuse/client";
import { JSONDiff, Levenshtein, NumericDiff } from "autoevals";
import { Eval } from "braintrust";
import { createLLMAsJudge, exactMatch, levenshteinDistance } from "openevals-wasm";
import { allOf } from "openevals-wasm/checks";
import { evaluate } from "openevals-wasm/evaluation";
import { fromAutoevals, toAutoevals, toVitestEvalsJudge } from "openevals-wasm/interop";
import { expect, test } from "vitest";
import "vitest-evals";

const data = [
  { input: "a", expected: "kitten" },
  { input: "b", expected: "sitting" },
];
const notHere = () => ({ key: "refunds", applicable: false, score: null });
const broken = () => {
  throw new Error("no network");
};
const quiet = { start() {}, stop() {}, increment() {}, setTotal() {} };
const silent = { name: "silent", reportEval: () => true, reportRun: () => true };

test("Braintrust's Eval, without sending anything", async () => {
  const toxic = createLLMAsJudge({
    prompt: "Toxic? {outputs}, for {inputs}",
    judge: ({ messages }) => ({ score: messages[0]?.content.endsWith("for b"), reasoning: "It is." }),
    feedbackKey: "toxic",
    lowerIsBetter: true,
  });
  const { results, summary } = await Eval(
    "interop",
    {
      data,
      task: () => "sitten",
      scores: [levenshteinDistance, exactMatch, toxic, notHere, broken].map((evaluator) =>
        toAutoevals(evaluator),
      ),
    },
    { noSendLogs: true, progress: quiet, reporter: silent } as any,
  );
  expect(results.map(({ scores }) => scores)).toEqual([
    { levenshtein_distance: 5 / 6, exact_match: 0, toxic: 1, refunds: null },
    { levenshtein_distance: 5 / 7, exact_match: 0, toxic: 0, refunds: null },
  ]);
  expect(summary.scores.levenshtein_distance?.score).toBeCloseTo((5 / 6 + 5 / 7) / 2);
});

test("Langfuse's createEvaluatorFromAutoevals", async () => {
  const row = { input: "a", output: "sitten", expectedOutput: "kitten" };
  const close = createEvaluatorFromAutoevals(toAutoevals(levenshteinDistance));
  expect(await close(row)).toEqual({ name: "levenshtein_distance", value: 5 / 6, metadata: undefined });
  // Langfuse reads a missing score as 0, so it has to be an error.
  expect(await createEvaluatorFromAutoevals(toAutoevals(notHere))(row)).toMatchObject({ value: 0 });
  const strict = createEvaluatorFromAutoevals(toAutoevals(notHere, { missing: "error" }));
  await expect(strict(row)).rejects.toThrow("refunds has no score here");
});

test("toSatisfyJudge of vitest-evals", async () => {
  const judge = toVitestEvalsJudge(levenshteinDistance);
  const satisfies = (threshold: number) =>
    (expect("sitten") as any).toSatisfyJudge(judge, { input: "a", expected: "kitten", threshold });
  await satisfies(0.8);
  await expect(satisfies(0.9)).rejects.toThrow(/levenshtein_distance/);
  expect(await toVitestEvalsJudge(notHere).assess({ output: "Hi" })).toEqual({ score: null });
});

test("scorers of autoevals in evaluate(), combinations and batches", async () => {
  const closeness = fromAutoevals(Levenshtein, { passAt: 0.8 });
  const { aggregates, rows } = await evaluate(() => "sitten", {
    data: data.map(({ input, expected }) => ({ inputs: input, outputs: expected })),
    evaluators: [closeness, fromAutoevals(NumericDiff)],
  });
  expect(aggregates.Levenshtein).toMatchObject({ count: 2, mean: (5 / 6 + 5 / 7) / 2 });
  // NumericDiff of texts is not a number, so there is no score.
  expect(aggregates.NumericDiff).toMatchObject({ count: 0, errors: 2 });
  expect(rows?.[0]?.errors[0]?.error).toMatchObject({ code: "invalid_input" });
  const row = { outputs: { a: 1, b: "kitten" }, referenceOutputs: { a: 1, b: "sitten" } };
  expect(await fromAutoevals(JSONDiff).batch([row])).toEqual([{ key: "JSONDiff", score: (1 + 5 / 6) / 2 }]);
  const both = allOf([closeness]);
  expect(await both({ outputs: "sitten", referenceOutputs: "kitten" })).toMatchObject({ score: true });
  expect(await both({ outputs: "sitten", referenceOutputs: "sitting" })).toMatchObject({ score: false });
});

test("a scorer of autoevals that lacks its reference fails, and has no score", async () => {
  const evaluator = fromAutoevals(Levenshtein);
  await expect(evaluator({ outputs: "a" })).rejects.toMatchObject({
    code: "callback_failed",
    message: expect.stringMatching(/^Levenshtein failed: .*requires an expected value/),
  });
});
