/**
 * Metrics of texts: 10,000 sentences in `batch`, beside the packages of npm that people use for them, and beside the
 * reference implementations in Python.
 */

import { sentencePairs } from "./inputs.mjs";
import { asRead, mean, missing, pythonSide } from "./python.mjs";

const ROWS = 10_000;

const ours = (metric) => async () => {
  const { [metric]: evaluator } = await import("openevals-wasm/text");
  const rows = asRead(
    sentencePairs(ROWS).map(([outputs, referenceOutputs]) => ({ outputs, referenceOutputs })),
  );
  return async () => mean((await evaluator.batch(rows)).map(({ score }) => score));
};

/** Beside Python, which has the same results. */
const besidePython = (metric, reference, ratio = 1) => ({
  name: `${metric}.batch, 10,000 sentences (beside ${reference})`,
  aim: { ratio },
  answer: (result) => result.toFixed(9),
  missing: () => missing(reference),
  sides: {
    ours: ours(metric),
    reference: pythonSide("texts.py", [metric], () => sentencePairs(ROWS)),
  },
});

/** Beside an npm package, which may have other results. */
const besidePackage = (metric, name, load) => ({
  name: `${metric}.batch, 10,000 sentences (beside ${name})`,
  answer: () => null,
  sides: {
    ours: ours(metric),
    reference: async () => {
      const module = await import(name);
      const [score, rows] = [load(module.default ?? module), asRead(sentencePairs(ROWS))];
      return () => mean(rows.map(([output, reference]) => score(output, reference)));
    },
  },
});

export const texts = [
  ...["bleu", "chrf", "ter"].map((metric) => besidePython(metric, "sacrebleu")),
  ...["rouge1", "rougeL"].map((metric) => besidePython(metric, "rouge_score")),
  ...["wordErrorRate", "characterErrorRate"].map((metric) => besidePython(metric, "jiwer")),
  ...["jaro", "jaroWinkler", "damerauLevenshtein", "longestCommonSubsequence"].map((metric) =>
    besidePython(metric, "rapidfuzz", 1.5),
  ),
  besidePython("compressionRatio", "gzip"),
  besidePackage(
    "bleu",
    "bleu-score",
    ({ bleu }) =>
      (output, reference) =>
        bleu(reference, output, 4),
  ),
  besidePackage(
    "rouge1",
    "js-rouge",
    ({ n }) =>
      (output, reference) =>
        n(output, reference, { n: 1 }),
  ),
  besidePackage(
    "rougeL",
    "js-rouge",
    ({ l }) =>
      (output, reference) =>
        l(output, reference),
  ),
  besidePackage("jaroWinkler", "jaro-winkler", (distance) => distance),
  besidePackage("jaroWinkler", "natural", ({ JaroWinklerDistance }) => JaroWinklerDistance),
  besidePackage(
    "damerauLevenshtein",
    "natural",
    ({ DamerauLevenshteinDistance }) =>
      (output, reference) =>
        1 - DamerauLevenshteinDistance(output, reference) / Math.max(output.length, reference.length),
  ),
];
