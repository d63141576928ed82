/** Finds the reasons why a comparison fails. */

import { counted, countedAre } from "../../../core/input/counted.js";
import { whole } from "../../../core/input/counts.js";
import { decimal } from "../../../core/number-text.js";
import type { Comparison, Experiment } from "../../../core/records/types.js";
import { isMeanOfBooleans } from "../../../presentation/figures.js";
import { isLowerBetter, type ScaleOf } from "../../../presentation/reading.js";
import { sliceName, worseSlices } from "../../../presentation/story/slices.js";
import { changeVerdict, isWithin, marginText } from "../../../presentation/verdict.js";

/** The limits of a comparison. */
export interface ComparisonLimits {
  scaleOf: ScaleOf;
  maxUnpaired?: number | undefined;
  /** The aggregates of the second experiment. */
  aggregates: Experiment["aggregates"];
}

/** The reasons why the second experiment fails, as sentences. */
export const comparisonProblems = (
  comparisons: Readonly<Record<string, Comparison>>,
  limits: ComparisonLimits,
): string[] =>
  Object.entries(comparisons).flatMap(([key, comparison]) => [
    ...worseProblem(key, comparison, limits),
    ...worseSlices({ [key]: comparison }, limits.scaleOf).map(
      (slice) => `${key} became worse in ${sliceName(slice)}.`,
    ),
    ...unpairedProblem(key, comparison, limits),
    ...errorProblem(key, comparison),
  ]);

/** Whether anything was compared: any row with a score on both sides. */
export const isCompared = (comparisons: Readonly<Record<string, Comparison>>): boolean =>
  Object.values(comparisons).some(({ count }) => count > 0);

/** A key must not be significantly worse. With a margin, it has to be shown to be worse by less than that. */
function worseProblem(key: string, comparison: Comparison, limits: ComparisonLimits): string[] {
  const { margin } = comparison;
  if (!margin)
    return changeVerdict(key, comparison, limits.scaleOf) === "worse" ? [`${key} became worse.`] : [];
  return isWithin(key, margin, limits.scaleOf) ? [] : marginNote(key, comparison, limits);
}

/** The margins that the second experiment is shown to keep, as sentences. */
export const keptMargins = (
  comparisons: Readonly<Record<string, Comparison>>,
  limits: ComparisonLimits,
): string[] =>
  Object.entries(comparisons).flatMap(([key, comparison]) => {
    const { margin } = comparison;
    return margin && isWithin(key, margin, limits.scaleOf) ? marginNote(key, comparison, limits) : [];
  });

const marginNote = (
  key: string,
  comparison: Comparison,
  { scaleOf, aggregates }: ComparisonLimits,
): string[] => {
  const text = marginText(key, comparison, scaleOf, isMeanOfBooleans(aggregates[key]));
  return text === undefined ? [] : [text];
};

/**
 * A key that only the second experiment has is new, so it needs no counterpart. Neither does a score whose counterpart failed: the
 * error is fixed. Scores that could not make the key worse, whatever they were, are no problem, unless the second experiment lost them
 * to an error. That needs a range: that of verdicts, or one that the scale declares.
 */
function unpairedProblem(
  key: string,
  { unpaired, errors, count, bounds }: Comparison,
  { maxUnpaired: most = 0, scaleOf, aggregates }: ComparisonLimits,
): string[] {
  const sign = isLowerBetter(key, scaleOf) ? -1 : 1;
  const { min, max } = scaleOf(key) ?? {};
  const hasRange = isMeanOfBooleans(aggregates[key]) || (min !== undefined && max !== undefined);
  const reach = bounds && [bounds.worst, bounds.best].sort((one, other) => one - other);
  const isHarmless = reach?.every((difference) => sign * difference >= 0);
  if (hasRange && isHarmless && !errors.second) return [];
  const isNew = count === 0 && unpaired.first === 0 && errors.first === 0;
  const { first, second } = unpaired;
  const fixed = Math.min(errors.first, second);
  const missing = first + second - fixed;
  if (isNew || missing <= most) return [];
  const failed = errors.second ? ` (${counted(errors.second, "error")} in the second)` : "";
  const foreign = count === 0 && first && second ? " The two experiments have no row id in common." : "";
  const between = reach
    ? ` The difference is between ${reach.map(decimal).join(" and ")}, whatever these scores would be.`
    : "";
  return [
    `${key} has ${counted(missing, "score")} without a counterpart${failed}, but ${countedAre(most)} allowed ` +
      `(--max-unpaired).${foreign}${between}`,
  ];
}

/** If all rows of both failed, no score lacks a counterpart, but nothing was compared. */
function errorProblem(key: string, { unpaired, errors, count }: Comparison): string[] {
  if (count || unpaired.first || unpaired.second || !(errors.first || errors.second)) return [];
  return [
    `${key} has no scores: ${counted(errors.first, "error")} in the first, ${whole(errors.second)} in the second.`,
  ];
}
