/** The scales of summaries: a median of error rates is an error rate. */
import {
  accuracy,
  cohensKappa,
  confusionMatrix,
  evaluate,
  f1Score,
  fBeta,
  matthewsCorrelation,
  mean,
  median,
  passAtK,
  passHatK,
  passRate,
  percentile,
  precision,
  recall,
} from "openevals-wasm/evaluation";
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
  expect(scales?.[`${key}:pass_rate`]).toEqual({ min: 0, max: 1, direction: "higher", passAt: 1 });
});

it("shares are from 0 to 1, correlations from -1", async () => {
  const key = "right";
  const { scales } = await evaluate(undefined, {
    data: [true, false].map((outputs) => ({ outputs, referenceOutputs: outputs })),
    evaluators: [({ outputs }) => ({ key, score: outputs })],
    summaryEvaluators: [
      ...[accuracy(), precision(), recall(), f1Score(), fBeta({ beta: 2 })],
      ...[passAtK({ key, k: 1 }), passHatK({ key, k: 1 })],
      ...[cohensKappa(), matthewsCorrelation(), confusionMatrix()],
    ],
    progress: false,
  });
  const share = { min: 0, max: 1, direction: "higher", passAt: 1 };
  const correlation = { ...share, min: -1 };
  expect(scales).toMatchObject({
    ...{ accuracy: share, precision: share, recall: share, f1_score: share, f2_score: share },
    ...{ "right:pass@1": share, "right:pass^1": share },
    ...{ cohens_kappa: correlation, matthews_correlation: correlation },
  });
});

it("a summary score of a function can be better if it is lower", async () => {
  const { scales } = await evaluate(undefined, {
    data,
    evaluators: [wordErrorRate],
    summaryEvaluators: [() => ({ key: "worst", score: 0.5 })],
    lowerIsBetter: ["worst"],
    progress: false,
  });
  expect(scales?.["worst"]).toMatchObject({ direction: "lower", passAt: 0 });
});
