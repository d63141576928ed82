/** What an example says of a key, as far as it is known. */

import { invalidInput } from "../../../core/errors.js";
import { scoreOf } from "../../../core/records/score.js";
import type { ExperimentRow } from "../../../core/records/types.js";

/** The mean score of the repetitions of an example. Between a low and a high one, if some of them have failed. */
export interface StopObservation {
  low: number;
  high: number;
}

/** The lowest and the highest score that there may be. */
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
 * The mean score of an example. A row with an error may have had any score; rows to which the key does not apply count for
 * nothing, and if there are no others, there is no observation.
 *
 * @throws {@link OpenEvalsError} `invalid_input` for a score beyond the range.
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
          `${key} of the example ${JSON.stringify(example.id)} is ${score}; stopWhen goes by scores from ${from} to ${to}. Give ` +
            "the range that they have: { range: [low, high] }",
        );
      }
      low += number;
      high += number;
    } else if (!result && errors.length) {
      // Before an evaluator has returned a key, its failures do not tell which key they are about.
      low += from;
      high += to;
    } else continue;
    count++;
  }
  return count ? { low: low / count, high: high / count } : undefined;
}
