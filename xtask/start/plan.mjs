// The datasets of `npm start` in tests/data, with the evaluators of each.

import { CLAIMS, labelJudge, withClaims } from "./claims.mjs";

export function plan(openevals, { passRate }, { faithfulness }) {
  const { exactMatch, createLevenshteinEvaluator, createEmbeddingSimilarityEvaluator } = openevals;
  const { createJsonMatchEvaluator, createTrajectoryMatchEvaluator } = openevals;
  return [
    {
      dataset: "question_answering",
      evaluators: [
        exactMatch,
        // Small differences in wording and spelling are acceptable.
        createLevenshteinEvaluator({ passAt: 0.8 }),
        createEmbeddingSimilarityEvaluator({ embeddings: letterTrigrams, passAt: 0.5 }),
      ],
      summaryEvaluators: [passRate({ key: "levenshtein_distance" })],
    },
    {
      dataset: "extraction",
      evaluators: [
        exactMatch,
        createJsonMatchEvaluator({ aggregator: "average", listAggregator: "average", passAt: 0.5 }),
        createJsonMatchEvaluator({ aggregator: "all" }),
      ],
    },
    {
      dataset: "trajectories",
      evaluators: ["strict", "unordered", "subset", "superset"].map((trajectoryMatchMode) =>
        createTrajectoryMatchEvaluator({ trajectoryMatchMode }),
      ),
    },
    {
      dataset: CLAIMS,
      // The verdicts are the labels; `npm run gold` asks a model.
      evaluators: [faithfulness({ judge: labelJudge() })],
      mapInputs: withClaims,
    },
  ];
}

/**
 * Replaces an embedding model, so that the example needs no network: counts groups of three letters in 256
 * buckets. Texts with similar spelling get similar vectors.
 */
async function letterTrigrams(text) {
  const vector = new Array(256).fill(0);
  const letters = Array.from(`  ${text.toLowerCase()}  `);
  for (let i = 0; i + 3 <= letters.length; i++) {
    const hash = letters.slice(i, i + 3).reduce((sum, letter) => (sum * 31 + letter.codePointAt(0)) >>> 0, 0);
    vector[hash % vector.length] += 1;
  }
  return vector;
}
