/** The rules for limits of scores that `openevals-wasm run` and `describeEval` share. */

import { counted, countedAre } from "../../core/input/counted.js";
import { decimal, figure } from "../../core/number-text.js";
import { isPassing } from "../../core/passing.js";
import {
  limitOfBooleans,
  limitOutOfRange,
  limitsIn,
  type MeanLimit,
  type ScoreLimits,
} from "../../core/records/mean-limits.js";
import { rowsByExample } from "../../core/records/rows-by-example.js";
import { scoreOf } from "../../core/records/score.js";
import type { Aggregate, Experiment, ExperimentRow } from "../../core/records/types.js";
import { isMeanOfBooleans } from "../figures.js";
import type { ScaleOf } from "../reading.js";

/** The keys that can have thresholds. */
export const keysOf = ({ aggregates, summaryResults }: Experiment): string[] => [
  ...new Set([...Object.keys(aggregates), ...summaryResults.map(({ key }) => key)]),
];

/** The first threshold that cannot work, such as one for an unknown key, as a sentence without a full stop. */
export function thresholdMistake(
  experiment: Experiment,
  { failUnder, failOver }: Pick<ScoreLimits, "failUnder" | "failOver">,
): string | undefined {
  const { aggregates, summaryResults, scales = {} } = experiment;
  const thresholds = limitsIn(failUnder, failOver);
  const keys = keysOf(experiment);
  // Evaluators that failed on every row and failed summary evaluators are listed by their names, so their keys are unknown. Each
  // of them fails the experiment.
  const haveFailed = Object.values(aggregates).some(
    ({ count, errors, notApplicable, values = 0 }) => errors > 0 && count + notApplicable + values === 0,
  );
  const areKnown = !haveFailed && !summaryResults.some(({ error }) => error);
  const unknown = areKnown ? thresholds.find(({ key }) => !keys.includes(key)) : undefined;
  if (unknown) {
    const keyList = keys.length ? `the keys are ${keys.join(", ")}` : "there are no keys";
    return `There is a threshold for the key "${unknown.key}", which no result has; ${keyList}`;
  }
  const areBooleans = (key: string) => Object.hasOwn(aggregates, key) && isMeanOfBooleans(aggregates[key]);
  return limitOutOfRange(thresholds, scales) ?? limitOfBooleans(thresholds, areBooleans);
}

/**
 * The failures of an experiment as sentences: missed thresholds, missing scores, and too many errors.
 *
 * @param maxErrorsOption The name of the option in messages.
 */
export function totalProblems(
  { aggregates, summaryResults }: Experiment,
  { failUnder, failOver, maxErrors = 0 }: Pick<ScoreLimits, "failUnder" | "failOver" | "maxErrors">,
  maxErrorsOption: string,
): string[] {
  const thresholds = limitsIn(failUnder, failOver);
  const ofSummaries = summaryResults.flatMap(({ key, score, error }) => {
    if (error) return [`${key} failed: ${error.message}`];
    // If rows have the same key, the threshold is for their mean.
    const own = thresholds.filter((threshold) => threshold.key === key && !Object.hasOwn(aggregates, key));
    if (score == null) return own.length ? [`${key} has no score.`] : [];
    return missedLimits(key, Number(score), typeof score === "boolean", own);
  });
  const ofRows = Object.entries(aggregates).flatMap(([key, aggregate]) => {
    const { mean, errors } = aggregate;
    const own = thresholds.filter((threshold) => threshold.key === key);
    if (mean === null && (errors || own.length)) return [`${key} has no scores.`];
    const many = hasTooManyErrors(aggregate, { maxErrors })
      ? [`${key} has ${counted(errors, "error")}, but ${countedAre(maxErrors)} allowed (${maxErrorsOption}).`]
      : [];
    return [...many, ...missedLimits(key, mean as number, isMeanOfBooleans(aggregate), own)];
  });
  return [...ofRows, ...ofSummaries];
}

const missedLimits = (
  key: string,
  mean: number,
  isMeanOfBooleans: boolean,
  thresholds: readonly MeanLimit[],
): string[] =>
  thresholds.flatMap(({ limit, side }) => {
    // A mean has rounding errors: that of 0.1 and 0.2 exceeds 0.15.
    const missed = side === "below" ? limit - mean : mean - limit;
    if (missed < 1e-9 * Math.max(1, Math.abs(limit))) return [];
    const [actual, allowed] = [mean, limit].map((value) => figure(value, isMeanOfBooleans));
    const exact = actual === allowed ? ` (${decimal(mean - limit)})` : "";
    return [`${key} is ${actual}, ${side} ${allowed}${exact}.`];
  });

/** Whether the errors of a key fail the experiment. */
export const hasTooManyErrors = (
  { mean, errors }: Aggregate,
  { maxErrors = 0 }: Pick<ScoreLimits, "maxErrors">,
): boolean => errors > (mean === null ? 0 : maxErrors);

/** Whether the repetitions of each example pass for a key, by the id of the example. */
export const passesByExample = (
  rows: readonly ExperimentRow[],
  key: string,
  scaleOf: ScaleOf,
): Map<string, boolean[]> =>
  new Map(
    Array.from(rowsByExample(rows), ([id, repetitions]) => [
      id,
      passesIn(repetitions, key, (score) => isPassing(score, scaleOf(key))),
    ]),
  );

/**
 * Whether rows pass for a key. An error counts as a failure. A result that is not applicable and a score without a verdict do not
 * count.
 */
export const passesIn = (
  rows: readonly ExperimentRow[],
  key: string,
  passes: (score: number | boolean) => boolean | undefined,
): boolean[] =>
  rows.flatMap(({ evaluationResults, errors }) => [
    ...evaluationResults.flatMap((result) => {
      const score = result.key === key ? scoreOf(result) : undefined;
      return score === undefined ? [] : (passes(score) ?? []);
    }),
    ...errors.flatMap((error) => (error.key === key ? [false] : [])),
  ]);

/**
 * Whether a row passes in too few of the repetitions that count. The quotient 7 / 25 is the number 0.28; the product 0.28 · 25
 * would be more than 7.
 */
export const passesTooSeldom = (passes: readonly boolean[], eachAtLeast: number): boolean =>
  passes.length > 0 && passes.filter((pass) => pass).length / passes.length < eachAtLeast;
