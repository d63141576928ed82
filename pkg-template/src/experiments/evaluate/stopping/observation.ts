/** The observation of a key on an example. */

import { invalidInput } from "../../../core/errors.js";
import { scoreOf } from "../../../core/records/score.js";
import type { ExperimentRow } from "../../../core/records/types.js";

/**
 * The mean score of an example's repetitions. If some of them failed, it is only known to be between a low and a high
 * bound.
 */
export interface StopObservation {
  low: number;
  high: number;
}

/** The lowest and the highest possible score. */
export type ScoreRange = readonly [low: number, high: number];

/** Whether the scores lie within the range. */
export function areWithin(rows: ExampleRows, key: string, [from, to]: ScoreRange): boolean {
  return rows.every(({ evaluationResults }) => {
    const result = evaluationResults.find((one) => one.key === key);
    const score = Number((result && scoreOf(result)) ?? from);
    return score >= from && score <= to;
  });
}

/** The rows of one example. */
export type ExampleRows = readonly Pick<ExperimentRow, "example" | "evaluationResults" | "errors">[];

/**
 * The mean score of an example. A row with an error may have had any score; rows to which the key does not apply do not
 * count, and without others there is no observation.
 *
 * @throws {@link OpenEvalsError} `invalid_input` for a score outside the range.
 */
export function observationOf(
  rows: ExampleRows,
  key: string,
  [from, to]: ScoreRange,
): StopObservation | undefined {
  let [low, high, count] = [0, 0, 0];
  for (const { example, evaluationResults, errors = [] } of rows) {
    const result = evaluationResults.find((one) => one.key === key);
    const score = result && scoreOf(result);
    if (score !== undefined) {
      const number = Number(score);
      if (!(number >= from && number <= to)) {
        throw invalidInput(
          `${key} of the example ${JSON.stringify(example.id)} is ${score}; stopWhen needs scores from ${from} to ${to}. Give ` +
            "the range that they have: { range: [low, high] }",
        );
      }
      low += number;
      high += number;
    } else if (!result && errors.length) {
      // Before an evaluator has returned a key, the key of its failures is unknown.
      low += from;
      high += to;
    } else continue;
    count++;
  }
  return count ? { low: low / count, high: high / count } : undefined;
}
