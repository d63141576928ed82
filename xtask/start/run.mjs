// Scores the rows of a dataset with one evaluator.

/**
 * Every row through `evaluate`, at most `concurrency` at a time. The outcome of a row is `{ score, comment }`,
 * or `{ error }`: a row that could not be scored has no score.
 */
export async function scoreRows(rows, evaluate, { concurrency = 1, onRow = () => {} } = {}) {
  const started = performance.now();
  const outcomes = new Array(rows.length);
  let next = 0;
  let done = 0;

  async function work() {
    while (next < rows.length) {
      const index = next++;
      outcomes[index] = await scoreRow(rows[index], evaluate);
      onRow(++done);
    }
  }
  await Promise.all(Array.from({ length: concurrency }, work));
  return { outcomes, milliseconds: performance.now() - started };
}

async function scoreRow({ inputs, outputs, referenceOutputs }, evaluate) {
  try {
    // JSON match gives a list of results; with an aggregator there is one in it.
    const [result] = [await evaluate({ inputs, outputs, referenceOutputs })].flat();
    return { score: result.score, comment: result.comment };
  } catch (error) {
    return { error };
  }
}

/** The figures of one evaluator. The mean is taken over the rows that have a score. */
export function summarise(outcomes, passAt = 1) {
  const scores = outcomes.filter(({ error }) => !error).map(({ score }) => Number(score));
  return {
    mean: scores.length ? scores.reduce((sum, score) => sum + score, 0) / scores.length : undefined,
    count: scores.length,
    failed: scores.filter((score) => score < passAt).length,
    errors: outcomes.length - scores.length,
  };
}
