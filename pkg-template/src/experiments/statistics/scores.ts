/** The scores of row evaluators, as summary evaluators read them. */

import { invalidInput } from "../../core/errors.js";
import { ownValue } from "../../core/input/objects.js";
import { scoreOf } from "../../core/records/score.js";
import type { EvaluationResult } from "../../core/records/types.js";
import { VERDICT } from "../../core/scales.js";
import type { ScoreScale } from "../../core/types.js";
import { numberOf } from "../../evaluators/summary/settings.js";

/** The arguments of a summary evaluator over scores. `evaluate()` of this package passes them. */
export interface ScoreSummaryParams {
  /** The results of the row evaluators, one list for each run. */
  evaluationResults: readonly (readonly EvaluationResult[])[];
  /**
   * The failures of the row evaluators, one list for each run. A run without a result and without a failure of the key is left
   * out. Without this, it counts as a failure.
   */
  evaluationErrors?: readonly (readonly { key: string }[])[] | undefined;
  /** The example of each run. Runs with the same `id` are repetitions. */
  examples?: readonly { id: string }[] | undefined;
  /** The cluster of each run, if rows are not independent. Intervals treat the runs of a cluster as one observation. */
  clusters?: readonly string[] | undefined;
  /** The scale of each key, as in `scales` of an experiment. Without one, numbers pass from 1. */
  scales?: Readonly<Record<string, ScoreScale>> | undefined;
  /** The number of runs that are left out because their target failed. */
  errors?: number | undefined;
}

/** The scores of one key, and the rows without one. */
export interface ScoresOfRows {
  scores: number[];
  /** The scores as the evaluator returned them, because `true` passes regardless of the pass mark. */
  returned: (number | boolean)[];
  scale: ScoreScale;
  exampleIds: string[] | undefined;
  clusters: string[] | undefined;
  errors: number;
  notApplicable: number;
}

export function scoresOf(name: string, key: string, params: ScoreSummaryParams): ScoresOfRows {
  const { evaluationResults, evaluationErrors, examples, clusters, scales = {}, errors = 0 } = params ?? {};
  if (!Array.isArray(evaluationResults)) {
    throw invalidInput(
      `${name} needs evaluationResults, the results of the row evaluators. evaluate() of openevals-wasm/evaluation ` +
        "passes them; evaluate() of LangSmith does not",
    );
  }
  const scale = ownValue(scales, key) ?? VERDICT;
  const found: ScoresOfRows = {
    scores: [],
    returned: [],
    scale,
    exampleIds: examples && [],
    clusters: clusters && [],
    errors,
    notApplicable: 0,
  };
  const keys = new Set<string>();
  (evaluationResults as EvaluationResult[][]).forEach((results, row) => {
    for (const result of results) keys.add(result.key);
    const ofKey = results.filter((result) => result.key === key);
    const failed = evaluationErrors?.[row]?.some((failure) => failure.key === key) ?? true;
    if (!ofKey.length && failed) found.errors++;
    for (const result of ofKey) {
      const score = scoreOf(result);
      if (score === undefined) found.notApplicable++;
      else {
        found.returned.push(score);
        found.scores.push(numberOf(score, `The score of ${key} in row ${row}`));
        found.exampleIds?.push(String(examples?.[row]?.id ?? row));
        found.clusters?.push(String(clusters?.[row]));
      }
    }
  });
  if (keys.size && !keys.has(key)) {
    const others = [...keys].map((other) => JSON.stringify(other)).join(", ");
    throw invalidInput(
      `${name} reads the scores of ${JSON.stringify(key)}, but no evaluator returned any. There are scores of ${others}`,
    );
  }
  return found;
}
