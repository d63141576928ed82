import { compareMatrix, formatMatrix } from "openevals-wasm/evaluation";
import { times } from "../experiments.mjs";

export const claim =
  "Where no combination of a matrix is best, one is marked as best by more than chance in at most 5 % of runs.";
export const chapter = "matrix.md, How sure is the best?";
export const runs = 1_000;
// How often a best one is found depends on how much better it is: nothing is promised.
export const promise = (design) => (design.startsWith("1 better") ? {} : { atMost: 0.05 });

/** An experiment with the scores of each key. */
function experimentOf(scores, name) {
  const keys = Object.keys(scores);
  const aggregate = { mean: 0, count: 0, errors: 0, notApplicable: 0 };
  return {
    experimentName: name,
    metadata: { matrix: { model: name } },
    startedAt: "2026-01-01T00:00:00.000Z",
    rows: times(scores[keys[0]].length, (row) => ({
      example: { id: `${row}`, inputs: row },
      run: { id: `${row}`, outputs: null, repetition: 0, startTime: 0, durationMs: 0 },
      evaluationResults: keys.map((key) => ({ key, score: scores[key][row] })),
      errors: [],
    })),
    aggregates: Object.fromEntries(
      keys.map((key) => [key, { ...aggregate, interval: null, standardError: null, distribution: null }]),
    ),
    summaryResults: [],
    usage: null,
    durationMs: 0,
  };
}

/** Whether some combination is marked as best on some key. */
async function hasBest(combinations) {
  const experiments = combinations.map((scores, index) => experimentOf(scores, `m${index}`));
  return !formatMatrix(experiments, await compareMatrix(experiments)).startsWith("No combination");
}

/** Verdicts: each row has its own difficulty, which all combinations share; `skill` moves a combination. */
const verdicts = (random, rows, skills) => {
  const difficulties = times(rows, () => random.normal());
  return skills.map((skill) => difficulties.map((one) => random.normal() + one < skill));
};

/** Numbers from 0 to 1, mostly near 1. */
const numbers = (random, rows, shapes) => shapes.map((shape) => times(rows, () => random.beta(shape, 1)));

/** Combinations with `keys` independent keys of such scores. */
const keyed = (draw, keys) => (random) => {
  const drawn = times(keys, () => draw(random));
  return drawn[0].map((_, index) =>
    Object.fromEntries(drawn.map((scores, key) => [`key ${key}`, scores[index]])),
  );
};

const same = (count, value) => times(count, () => value);
const draws = {
  "2 equal ones, 1 key of verdicts, 30 rows": keyed((random) => verdicts(random, 30, same(2, 1)), 1),
  "4 equal ones, 1 key of verdicts, 30 rows": keyed((random) => verdicts(random, 30, same(4, 1)), 1),
  "4 equal ones, 3 keys of verdicts, 100 rows": keyed((random) => verdicts(random, 100, same(4, 1)), 3),
  "9 equal ones, 1 key of verdicts, 100 rows": keyed((random) => verdicts(random, 100, same(9, 0.5)), 1),
  "2 equal ones and 2 far worse, 1 key of verdicts, 100 rows": keyed(
    (random) => verdicts(random, 100, [1, 1, -2, -2]),
    1,
  ),
  "2 equal ones and 4 far worse, 1 key of numbers, 60 rows": keyed(
    (random) => numbers(random, 60, [9, 9, 1, 1, 1, 1]),
    1,
  ),
  "1 better of 4, 1 key of verdicts, 100 rows": keyed((random) => verdicts(random, 100, [2, 1, 1, 1]), 1),
  "2 equal ones, 3 keys of skewed numbers, 20 rows": keyed((random) => numbers(random, 20, same(2, 9)), 3),
  "4 equal ones, 1 key of skewed numbers, 60 rows": keyed((random) => numbers(random, 60, same(4, 9)), 1),
};

export const designs = Object.fromEntries(
  Object.entries(draws).map(([design, draw]) => [design, (random) => hasBest(draw(random))]),
);
