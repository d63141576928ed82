/** The scales of summaries: a median of error rates is an error rate. */
import { evaluate, mean, median, passRate, percentile } from "openevals-wasm/evaluation";
import { wordErrorRate } from "openevals-wasm/text";
import { expect, it } from "vitest";

const data = ["a b", "a c"].map((outputs) => ({ outputs, referenceOutputs: "a b" }));

it("the mean, median and percentiles of a key have its scale", async () => {
  const key = "word_error_rate";
  const { scales, summaryResults } = await evaluate(undefined, {
    data,
    evaluators: [wordErrorRate],
    summaryEvaluators: [mean({ key }), median({ key }), percentile({ key, percent: 90 }), passRate({ key })],
    passAt: { word_error_rate: 0.25 },
    progress: false,
  });
  expect(summaryResults.map(({ score }) => score)).toEqual([0.25, 0.25, 0.45, 0.5]);
  const ofRows = scales?.word_error_rate;
  expect(ofRows).toMatchObject({ direction: "lower", passAt: 0.25 });
  for (const name of ["mean", "median", "p90"]) expect(scales?.[`${key}:${name}`]).toEqual(ofRows);
  expect(scales?.[`${key}:pass_rate`]).toEqual({ direction: "higher", passAt: 1 });
});
