/** Experiments of given scores, for simulations. */

/** One experiment: `scores[i]` is the score of row i; `metadata` of each row is optional. */
export const experimentOf = (scores, metadataOf = () => undefined) => ({
  rows: scores.map((score, row) => ({
    example: { id: `${row}`, inputs: row, metadata: metadataOf(row) },
    run: { outputs: null, repetition: 0 },
    evaluationResults: [{ key: "score", score }],
    errors: [],
  })),
});

/** A list of so many values. */
export const times = (count, value) => Array.from({ length: count }, (_, index) => value(index));
