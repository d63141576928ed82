/** The errors of a judge on labelled rows. */

import type { JudgeFailure } from "../../core/records/calibration.js";
import { failureText, splitAnswer } from "../../core/records/failure-text.js";
import type { Observations } from "./observations.js";

const MAX_FAILURES = 10;
const MAX_IDS = 5;
const MAX_LENGTH = 500;

/** The distinct errors, apart from the answers that they quote. A report is shared, so it has only a part of long lists. */
export function failuresOf({ key, unjudged }: Pick<Observations, "key" | "unjudged">): JudgeFailure[] {
  const found = new Map<string, JudgeFailure>();
  for (const { example, evaluationResults, errors } of unjudged) {
    if (evaluationResults.some((result) => result.key === key)) continue;
    const failure = errors.find((one) => one.key === key) ?? errors[0];
    const message = failure ? failureText(failure.error) : "The judge returned no result.";
    const { problem } = splitAnswer(message);
    const known = found.get(problem);
    if (!known) found.set(problem, { message: shortened(message), count: 1, exampleIds: [example.id] });
    else {
      known.count++;
      if (known.exampleIds.length < MAX_IDS && !known.exampleIds.includes(example.id))
        known.exampleIds.push(example.id);
    }
  }
  return [...found.values()].slice(0, MAX_FAILURES);
}

const shortened = (text: string): string =>
  text.length > MAX_LENGTH ? `${text.slice(0, MAX_LENGTH)}…` : text;
