/**
 * Metrics of rankings: 10,000 queries in `batch`, beside the references in Python. These get runs and relevance as
 * dictionaries and read both, as ours does; pytrec_eval has trec_eval's own C.
 */

import { rankedQueries } from "./inputs.mjs";
import { asRead, mean, missing, pythonSide } from "./python.mjs";

const QUERIES = 10_000;

const ours = (metric) => async () => {
  const { [metric]: evaluator } = await import("openevals-wasm/retrieval");
  const rows = asRead(
    rankedQueries(QUERIES).map(([found, judged]) => ({
      outputs: found.map(([id, score]) => ({ id, score })),
      referenceOutputs: judged,
    })),
  );
  return async () => mean((await evaluator.batch(rows)).map(({ score }) => score));
};

const beside = (metric, reference, ratio = 1) => ({
  name: `${metric}.batch, 10,000 queries of 20 documents (beside ${reference})`,
  aim: { ratio },
  answer: (result) => result.toFixed(9),
  missing: () => missing(reference),
  sides: {
    ours: ours(metric),
    reference: pythonSide("rankings.py", [reference, metric], () => rankedQueries(QUERIES)),
  },
});

export const rankings = [
  ...["ndcg", "averagePrecision", "reciprocalRank", "rPrecision"].map((metric) =>
    beside(metric, "pytrec_eval", 1.5),
  ),
  beside("ndcg", "ranx"),
];
