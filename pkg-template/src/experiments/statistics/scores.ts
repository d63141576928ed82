/** The scores that evaluators of rows gave, for what is computed over all of them. */

import { OpenEvalsError } from "../../core/errors.js";
import { scoreOf } from "../../core/records/score.js";
import type { EvaluationResult } from "../../core/records/types.js";
import type { ScoreScale } from "../../core/scale.js";
import { VERDICT } from "../../core/scales.js";
import { numberOf } from "../../evaluators/summary/settings.js";

/** What a summary evaluator over scores is called with: by `evaluate()` of this package, or by hand. */
export interface ScoreSummaryParams {
  /** What the evaluators of rows found, one list for each run. */
  evaluationResults: readonly (readonly EvaluationResult[])[];
  /** The example of each run, which tells what is a repetition of what. */
  examples?: readonly { id: string }[] | undefined;
  /** What the scores of each key mean, as `scales` of an experiment has it; without it, a number passes from 1. */
  scales?: Readonly<Record<string, ScoreScale>> | undefined;
  /** How many runs are left out, since their target failed. */
  errors?: number | undefined;
}

/** The scores of one key, and what else there is of it. */
export interface ScoresOfRows {
  scores: number[];
  /** The same as the evaluator gave them: a verdict passes whatever the mark of numbers is. */
  given: (number | boolean)[];
  /** What these mean. */
  scale: ScoreScale;
  exampleIds: string[] | undefined;
  errors: number;
  notApplicable: number;
}

/** Finds the scores of a key. */
export function scoresOf(name: string, key: string, params: ScoreSummaryParams): ScoresOfRows {
  const { evaluationResults, examples, scales = {}, errors = 0 } = params ?? {};
  if (!Array.isArray(evaluationResults)) {
    throw new OpenEvalsError(
      "invalid_input",
      `${name} reads the scores of the evaluators of rows, which it was not given: evaluate() of ` +
        "openevals-wasm/evaluation passes them as evaluationResults, and that of LangSmith does not.",
    );
  }
  const scale = Object.hasOwn(scales, key) ? (scales[key] as ScoreScale) : VERDICT;
  const found: ScoresOfRows = {
    scores: [],
    given: [],
    scale,
    exampleIds: examples && [],
    errors,
    notApplicable: 0,
  };
  const keys = new Set<string>();
  (evaluationResults as EvaluationResult[][]).forEach((results, row) => {
    for (const result of results) keys.add(result.key);
    const own = results.filter((result) => result.key === key);
    if (!own.length) found.errors++;
    for (const result of own) {
      const score = scoreOf(result);
      if (score === undefined) found.notApplicable++;
      else {
        found.given.push(score);
        found.scores.push(numberOf(score, `The score of ${key} in row ${row}`));
        found.exampleIds?.push(String(examples?.[row]?.id));
      }
    }
  });
  if (keys.size && !keys.has(key)) {
    const others = [...keys].map((other) => JSON.stringify(other)).join(", ");
    throw new OpenEvalsError(
      "invalid_input",
      `${name} reads the scores of ${JSON.stringify(key)}, and no evaluator gave any; there are ${others}.`,
    );
  }
  return found;
}
