// What `npm start` evaluates: the datasets in tests/data, and the evaluators that score each.

import { readFile } from "node:fs/promises";

const DATA = new URL("../../tests/data/", import.meta.url);

/** The rows of a dataset: { id, inputs, outputs, referenceOutputs }, one JSON object on each line. */
export async function readDataset(name) {
  const text = await readFile(new URL(`${name}.jsonl`, DATA), "utf8");
  return text
    .split("\n")
    .filter((line) => line.trim() !== "")
    .map((line) => JSON.parse(line));
}

/**
 * The evaluators of each dataset. A row passes with a score of `true` or 1; where "nearly" is good enough,
 * `passAt` says from which score on.
 */
export function plan(openevals) {
  const { exactMatch, levenshteinDistance, createEmbeddingSimilarityEvaluator } = openevals;
  const { createJsonMatchEvaluator, createTrajectoryMatchEvaluator } = openevals;
  const trajectory = (trajectoryMatchMode) => ({
    key: `trajectory_${trajectoryMatchMode}_match`,
    evaluate: createTrajectoryMatchEvaluator({ trajectoryMatchMode }),
  });

  return [
    {
      dataset: "question_answering",
      evaluators: [
        { key: "exact_match", evaluate: exactMatch },
        { key: "levenshtein_distance", evaluate: levenshteinDistance, passAt: 0.8 },
        {
          key: "embedding_similarity",
          evaluate: createEmbeddingSimilarityEvaluator({ embeddings: letterTrigrams }),
          passAt: 0.8,
        },
      ],
    },
    {
      dataset: "extraction",
      evaluators: [
        { key: "exact_match", evaluate: exactMatch },
        {
          key: "json_match:average",
          evaluate: createJsonMatchEvaluator({ aggregator: "average", listAggregator: "average" }),
        },
        { key: "json_match:all", evaluate: createJsonMatchEvaluator({ aggregator: "all" }) },
      ],
    },
    {
      dataset: "trajectories",
      evaluators: ["strict", "unordered", "subset", "superset"].map(trajectory),
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
