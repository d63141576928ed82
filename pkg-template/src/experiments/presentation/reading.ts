/** Verdicts of whoever reads an experiment: which results and differences are bad news. */

import { scoreOf } from "../../core/records/score.js";
import type {
  Comparison,
  EvaluationResult,
  EvaluatorFailure,
  Experiment,
  ExperimentRow,
  Failure,
} from "../../core/records/types.js";
import { directed, isPassing, type ScoreScale } from "../../core/scale.js";
import { SCALES, VERDICT } from "../../core/scales.js";
import { NO_OUTPUTS } from "../stored/no-outputs.js";
import type { ReadingOptions } from "./options.js";

/** What the scores of a key mean. */
export type ScaleOf = (key: string) => ScoreScale;

/** What the scores of an experiment mean, as it recorded that and as its reader says. */
export function scalesIn(
  { scales }: { scales?: Experiment["scales"] | undefined },
  { lowerIsBetter = [] }: ReadingOptions = {},
): ScaleOf {
  return (key) => {
    const own = scales ? (recordIn(scales, key) ?? VERDICT) : oldScale(key);
    return lowerIsBetter.includes(key) ? directed(own, true) : own;
  };
}

/** What everything passed at in experiments that do not record it. */
const OLD_MARK = 0.5;

/** The scale of a key in an experiment that has none. */
function oldScale(key: string): ScoreScale {
  const { direction } = recordIn(SCALES, key) ?? VERDICT;
  return direction ? { direction, passAt: OLD_MARK } : {};
}

const recordIn = (scales: Readonly<Record<string, ScoreScale>>, key: string): ScoreScale | undefined =>
  Object.hasOwn(scales, key) ? scales[key] : undefined;

/** Whether low scores of a key are good news. */
export const isLowerBetter = (key: string, scaleOf: ScaleOf): boolean => scaleOf(key).direction === "lower";

/** Whether a result fails: a number of a metric without a pass mark does not, and does not pass either. */
export function fails(result: EvaluationResult, scaleOf: ScaleOf): boolean {
  const score = scoreOf(result);
  return score !== undefined && isPassing(score, scaleOf(result.key)) === false;
}

/**
 * Whether a difference is more than chance, at the usual 5% and among as many keys as there are, and if so whether it is
 * good news.
 */
export function change(
  key: string,
  { difference, adjustedPValue }: Comparison,
  scaleOf: ScaleOf,
): "better" | "worse" | undefined {
  const { direction } = scaleOf(key);
  if (!direction || !difference || adjustedPValue === null || adjustedPValue >= 0.05) return undefined;
  return difference > 0 === (direction === "lower") ? "worse" : "better";
}

/** Failures of evaluators, without those that only say that the target has failed. */
export function ownErrors({ run, errors }: ExperimentRow): EvaluatorFailure[] {
  return run.error ? [] : errors;
}

/** What has failed where the run has an error: the target, or, without one, the row. */
export const failedPart = ({ message }: Failure): string =>
  String(message).startsWith(NO_OUTPUTS) ? "The row" : "The target";

/** What a failure says. */
export const failureText = ({ name, code, message }: Failure): string => `${code ?? name}: ${message}`;

/** The id of an example, with the number of the repetition from the second on. */
export function rowName({ example, run }: ExperimentRow): string {
  return run.repetition ? `${example.id} #${run.repetition + 1}` : example.id;
}
