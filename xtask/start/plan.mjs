// What `npm start` evaluates: the datasets in tests/data, and what scores each.

export function plan(openevals, { passRate }) {
  const { exactMatch, createLevenshteinEvaluator, createEmbeddingSimilarityEvaluator } = openevals;
  const { createJsonMatchEvaluator, createTrajectoryMatchEvaluator } = openevals;
  return [
    {
      dataset: "question_answering",
      evaluators: [
        exactMatch,
        // Where wording and spelling may differ a little, "nearly" is good enough.
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
  ];
}

/**
 * Stands in for an embedding model, so that the example needs no network: how often each group of three
 * letters occurs, counted in 256 buckets. Texts that share much of their spelling get similar vectors.
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
