/** Finds the reasons for which an experiment fails. */

import { nearest } from "../../core/input/near.js";
import { counted, figure, isMeanOfBooleans, whole } from "../../core/records/numerals.js";
import { rowCountOf } from "../../core/records/row-count.js";
import { scoreOf } from "../../core/records/score.js";
import type { Experiment } from "../../core/records/types.js";
import { isPassing } from "../../core/scale.js";
import { missedLimits, tooManyErrors } from "../../experiments/presentation/key-limits.js";
import { declaredScales, limitOutOfRange, limitsIn } from "../../experiments/presentation/limit-range.js";
import { scalesIn } from "../../experiments/presentation/reading.js";
import { wrong } from "./mistake.js";

/** The limits of an experiment. */
export interface ScoreLimits {
  /** The limits of means, by key. */
  failUnder: ReadonlyMap<string, number>;
  failOver: ReadonlyMap<string, number>;
  /** The most errors of every key; by default, only keys with a threshold are limited, to none. */
  maxErrors: number | undefined;
  /** The share of its repetitions in which each row has to pass. */
  eachAtLeast: number | undefined;
  lowerIsBetter: readonly string[];
}

/** The keys that can have thresholds. */
export const keysOf = ({ aggregates, summaryResults }: Experiment): string[] => [
  ...new Set([...Object.keys(aggregates), ...summaryResults.map(({ key }) => key)]),
];

/**
 * Rejects a threshold whose key looks like a misspelt evaluator, before anything is paid for. Other unknown keys show only after
 * the run, since an evaluator may return several keys.
 */
export function checkThresholds(
  { failUnder, failOver }: Pick<ScoreLimits, "failUnder" | "failOver">,
  evaluators: readonly string[],
): void {
  for (const key of [...failUnder.keys(), ...failOver.keys()]) {
    const isOwn = evaluators.some((name) => key === name || key.startsWith(`${name}:`));
    const meant = isOwn ? undefined : nearest(key, evaluators);
    if (meant !== undefined)
      throw wrong(
        `There is a threshold for the key "${key}", which no evaluator has; did you mean ${meant}?`,
      );
  }
}

/** Rejects a threshold outside of the range of its key, if an evaluator declares it, before anything is paid for. */
export function checkRanges(
  { failUnder, failOver }: Pick<ScoreLimits, "failUnder" | "failOver">,
  evaluators: readonly unknown[],
): void {
  const problem = limitOutOfRange(limitsIn(failUnder, failOver), declaredScales(evaluators));
  if (problem !== undefined) throw wrong(problem);
}

/** The notice that a shard has no rows, which is valid: with few rows, some parts are empty. */
export const emptyShard = ({ shard }: Experiment): string =>
  `Shard ${shard?.index} of ${shard?.count} has no rows; there is nothing to score.`;

/** The reasons for which an experiment fails, as sentences; throws {@link wrong} for a threshold of an unknown key. */
export const scoreProblems = (experiment: Experiment, limits: ScoreLimits): string[] => [
  ...thresholdProblems(experiment, limits),
  ...rowProblems(experiment, limits),
];

/** What may be misunderstood about the scores, as sentences. */
export const scoreNotes = (experiment: Experiment, limits: Omit<ScoreLimits, "maxErrors">): string[] => [
  ...coverageNotes(experiment, limits),
  ...rangeNotes(experiment, limits),
];

/** The keys that pass at 1, the default, although they have higher scores. */
function rangeNotes(experiment: Experiment, { lowerIsBetter }: Pick<ScoreLimits, "lowerIsBetter">): string[] {
  const scaleOf = scalesIn(experiment, { lowerIsBetter });
  return Object.entries(experiment.aggregates).flatMap(([key, { distribution }]) => {
    const { direction, max = 1, passAt } = scaleOf(key);
    const isBeyond = distribution?.kind === "number" && distribution.max > max;
    return isBeyond && direction === "higher" && passAt === max
      ? [
          `${key} passes at ${passAt}, but has scores up to ${Number(distribution.max.toFixed(3))}: set passAt to what is good enough.`,
        ]
      : [];
  });
}

/** The limited keys that some rows have no result of, not even that it is not applicable, as sentences. */
function coverageNotes(
  experiment: Experiment,
  { failUnder, failOver, eachAtLeast }: Pick<ScoreLimits, "failUnder" | "failOver" | "eachAtLeast">,
): string[] {
  const total = rowCountOf(experiment);
  return Object.entries(experiment.aggregates).flatMap(
    ([key, { count, errors, notApplicable, values = 0 }]) => {
      const measured = count + errors + notApplicable + values;
      const isLimited = eachAtLeast !== undefined || failUnder.has(key) || failOver.has(key);
      return isLimited && measured < total
        ? [
            `${key} was measured in ${whole(measured)} of ${counted(total, "row")}: its evaluator returned no result for the others.`,
          ]
        : [];
    },
  );
}

/** The rows that pass too seldom. An error counts as a failure, and a result that is not applicable does not count. */
function rowProblems(
  { rows, aggregates, scales }: Experiment,
  { eachAtLeast, lowerIsBetter }: ScoreLimits,
): string[] {
  if (eachAtLeast === undefined) return [];
  const scaleOf = scalesIn({ scales }, { lowerIsBetter });
  let isJudged = false;
  const problems = Object.keys(aggregates).flatMap((key) => {
    const passes = new Map<string, boolean[]>();
    for (const { example, evaluationResults, errors } of rows) {
      const own = [
        ...evaluationResults.flatMap((result) => {
          const score = result.key === key ? scoreOf(result) : undefined;
          return score === undefined ? [] : (isPassing(score, scaleOf(key)) ?? []);
        }),
        ...errors.flatMap((error) => (error.key === key ? [false] : [])),
      ];
      isJudged ||= own.length > 0;
      const before = passes.get(example.id);
      if (before) before.push(...own);
      else passes.set(example.id, own);
    }
    const few = [...passes].filter(([, own]) => {
      return own.length && own.filter((pass) => pass).length < eachAtLeast * own.length;
    });
    if (!few.length) return [];
    const some = few
      .slice(0, 10)
      .map(([id, own]) => `${id} (${own.filter((pass) => pass).length} of ${own.length})`);
    const more = few.length > some.length ? ` and ${whole(few.length - some.length)} more` : "";
    return [
      `${key} passes in less than ${figure(eachAtLeast, true)} of the repetitions of ${some.join(", ")}${more}.`,
    ];
  });
  const isMeasured = Object.values(aggregates).some(({ count }) => count > 0);
  return isMeasured && !isJudged
    ? ["No score passes or fails: set pass marks with --pass-at KEY=NUMBER."]
    : problems;
}

/** Missed thresholds, missing scores, and too many errors: a failure never passes. */
function thresholdProblems(experiment: Experiment, limits: ScoreLimits): string[] {
  const { aggregates, summaryResults, scales = {} } = experiment;
  const { failUnder, failOver, maxErrors } = limits;
  const thresholds = limitsIn(failUnder, failOver);
  for (const { key } of thresholds) {
    const keys = keysOf(experiment);
    // A summary evaluator that failed has its name instead of its key.
    if (keys.includes(key) || summaryResults.some(({ error }) => error)) continue;
    throw wrong(
      `There is a threshold for the key "${key}", which no result has; ${keys.length ? `the keys are ${keys.join(", ")}` : "there are no keys"}`,
    );
  }
  const outOfRange = limitOutOfRange(thresholds, scales);
  if (outOfRange !== undefined) throw wrong(outOfRange);
  const beyond = thresholds.find(({ key, limit }) => {
    return Object.hasOwn(aggregates, key) && isMeanOfBooleans(aggregates[key]) && (limit < 0 || limit > 1);
  });
  if (beyond) {
    const { key, limit, side } = beyond;
    const share = limit > 1 && limit <= 100 ? limit : 5;
    throw wrong(
      `The mean of "${key}" must not be ${side} ${limit}, but its scores are true and false, so their ` +
        `mean is from 0 to 1. Write ${share / 100} for ${share}%`,
    );
  }
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
    const failed = tooManyErrors(key, errors, own, maxErrors, " (--max-errors)");
    return failed.length ? failed : missedLimits(key, mean as number, isMeanOfBooleans(aggregate), own);
  });
  return [...ofRows, ...ofSummaries];
}
