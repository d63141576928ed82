/** Which results of an experiment fail, and which differences are better or worse. */

import { whole } from "../core/input/counts.js";
import { ownValue } from "../core/input/objects.js";
import { directed, isPassing } from "../core/passing.js";
import { scoreOf } from "../core/records/score.js";
import { isSignificant } from "../core/records/significance.js";
import type {
  Comparison,
  EvaluationResult,
  EvaluatorFailure,
  Experiment,
  ExperimentRow,
  Failure,
} from "../core/records/types.js";
import { LOSS, VERDICT } from "../core/scales.js";
import { SCALES } from "../core/scales-by-key.js";
import type { ScoreScale } from "../core/types.js";
import { ROW_HAS } from "../experiments/stored/no-outputs.js";
import type { ReadingOptions } from "./options.js";

export { failureText, splitAnswer } from "../core/records/failure-text.js";

/** Returns the scale of a key. */
export type ScaleOf = (key: string) => ScoreScale;

/** The scales that an experiment records, with the direction that the reader's options set. */
export function scalesIn(
  { scales }: { scales?: Experiment["scales"] | undefined },
  { lowerIsBetter = [] }: ReadingOptions = {},
): ScaleOf {
  return (key) => {
    const recorded = scales ? (ownValue(scales, key) ?? VERDICT) : oldScale(key);
    const isLower = lowerIsBetter.includes(key) || lowerIsBetter.includes(averagedKey(key));
    return isLower ? directed(recorded, true) : recorded;
  };
}

/** The key whose `mean()`, `median()` or `percentile()` has this name by default; it has the scale of that key. */
const averagedKey = (key: string): string => key.replace(/:(mean|median|p[\d.]+)$/, "");

/** Adds the directions of the reader's options to the recorded scales of an experiment. */
export function readAs<Read extends { scales?: Experiment["scales"] }>(
  experiment: Read,
  { lowerIsBetter = [] }: ReadingOptions,
): Read {
  const keys = new Set([...Object.keys(experiment.scales ?? {}), ...lowerIsBetter]);
  if (!keys.size) return experiment;
  const scaleOf = scalesIn(experiment, { lowerIsBetter });
  return { ...experiment, scales: Object.fromEntries(Array.from(keys, (key) => [key, scaleOf(key)])) };
}

/** Whether an evaluator of this package with this key has lower scores that are better. */
export const isLowerByName = (key: string): boolean => oldScale(key).direction === "lower";

/** The pass mark of experiments of versions that did not record scales. */
const OLD_MARK = 0.5;

/** The keys of `score` in these versions with a prompt where `true` is bad. Now the judge records that. */
const OLD_LOWER = [
  ...["laziness", "toxicity", "fairness", "pii_leakage", "prompt_injection", "code_injection"],
  ...["perceived_error", "explicit_content", "sensitive_imagery", "audio_quality"],
];

/** The scale of a key in such an experiment. */
function oldScale(key: string): ScoreScale {
  const { direction } = OLD_LOWER.includes(key) ? LOSS : (ownValue(SCALES, key) ?? VERDICT);
  return direction ? { direction, passAt: OLD_MARK } : {};
}

export const isLowerBetter = (key: string, scaleOf: ScaleOf): boolean => scaleOf(key).direction === "lower";

/** Whether a result fails. A number of a metric without a pass mark neither fails nor passes. */
export function fails(result: EvaluationResult, scaleOf: ScaleOf): boolean {
  const score = scoreOf(result);
  return score !== undefined && isPassing(score, scaleOf(result.key)) === false;
}

/** Whether a result passes. */
export function resultPasses(result: EvaluationResult, scaleOf: ScaleOf): boolean {
  const score = scoreOf(result);
  return score !== undefined && isPassing(score, scaleOf(result.key)) === true;
}

/**
 * Whether a difference is an improvement, if it is significant at the level of its interval after adjustment for the number of keys.
 */
export function change(
  key: string,
  comparison: Comparison,
  scaleOf: ScaleOf,
): "better" | "worse" | undefined {
  const { direction } = scaleOf(key);
  const { difference } = comparison;
  if (!direction || !difference || !isSignificant(comparison)) return undefined;
  return difference > 0 === (direction === "lower") ? "worse" : "better";
}

/** Whether some rows have scores in only one of the experiments. The means of a comparison leave those out. */
export const hasUnpaired = (comparisons: readonly Comparison[]): boolean =>
  comparisons.some(({ unpaired }) => unpaired.first || unpaired.second);

/** What the means and intervals of a comparison leave out, in sentences that name the columns; empty if that is nothing. */
export function meansNote(comparisons: readonly Comparison[], columns: string): string {
  const { repetitions } = comparisons.find((one) => one.repetitions) ?? {};
  const notes =
    hasUnpaired(comparisons) || repetitions ? [`${columns} are the means of the paired rows.`] : [];
  if (repetitions) {
    const { first, second } = repetitions;
    const common = Math.min(first, second);
    notes.push(
      `The experiments have ${whole(first)} and ${whole(second)} repetitions; ` +
        `only the first ${common === 1 ? "" : `${whole(common)} `}of each row ${common === 1 ? "is" : "are"} compared.`,
    );
  }
  const dominated = comparisons.find(({ note }) => note !== undefined);
  if (dominated)
    notes.push(
      `A difference has no interval if one ${dominated.clusters ? "cluster" : "example"} has more than half of the pairs.`,
    );
  return notes.join(" ");
}

/** The failures of evaluators, without those that repeat the failure of the target. */
export function ownErrors({ run, errors }: ExperimentRow): EvaluatorFailure[] {
  return run.error ? [] : errors;
}

/** The failed part of a run with an error: the target, or the row if there is no target. */
export const failedPart = ({ message }: Failure): string =>
  String(message).startsWith(ROW_HAS) ? "The row" : "The target";

/** The id of the example, with the number of the repetition from the second on: `a`, `a #2`. */
export function rowName({ example, run }: ExperimentRow): string {
  // In a file by hand, it may be a number, or missing.
  const id = String(example.id ?? "");
  return run.repetition ? `${id} #${run.repetition + 1}` : id;
}
