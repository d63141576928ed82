/** What a comparison fails by. */

import type { Comparison } from "../experiment/types.js";
import { counted, decimal, pValue, whole } from "../presentation/numerals.js";
import { change, isLowerBetter } from "../presentation/reading.js";

/** What is bad news, and how much may be missing. */
export interface ComparisonLimits {
  lowerIsBetter: readonly string[];
  maxUnpaired?: number | undefined;
}

/** What is wrong with the second experiment, in sentences. */
export const comparisonProblems = (
  comparisons: Readonly<Record<string, Comparison>>,
  { lowerIsBetter, maxUnpaired = 0 }: ComparisonLimits,
): string[] =>
  Object.entries(comparisons).flatMap(([key, comparison]) => [
    ...worseProblem(key, comparison, lowerIsBetter),
    ...unpairedProblem(key, comparison, maxUnpaired),
    ...errorProblem(key, comparison),
  ]);

/** A key with a margin has to be shown to be worse by less; others must not be worse by more than chance. */
function worseProblem(key: string, comparison: Comparison, lowerIsBetter: readonly string[]): string[] {
  const { margin } = comparison;
  if (!margin) return change(key, comparison, { lowerIsBetter }) === "worse" ? [`${key} became worse.`] : [];
  const { isShown, adjustedPValue } = isLowerBetter(key, { lowerIsBetter })
    ? margin.notHigher
    : margin.notLower;
  if (isShown) return [];
  const p = adjustedPValue === null ? "nothing can be told" : `p = ${pValue(adjustedPValue)}`;
  const fewest = margin.fewestExamples ?? 0;
  const tooFew =
    comparison.count < fewest
      ? ` It takes ${whole(fewest)} examples to show that, even of equal experiments.`
      : "";
  return [`${key} is not shown to be worse by less than ${decimal(margin.margin)} (${p}).${tooFew}`];
}

/** A key that only the second has is new: there is nothing that it could have lost. */
function unpairedProblem(
  key: string,
  { unpaired, errors, count, bounds }: Comparison,
  most: number,
): string[] {
  const isNew = count === 0 && unpaired.first === 0 && errors.first === 0;
  const { first, second } = unpaired;
  if (isNew || first + second <= most) return [];
  const failed = errors.second ? ` (${counted(errors.second, "error")} in the second)` : "";
  const strangers =
    count === 0 && first && second ? " No row of the one has the id of a row of the other." : "";
  const between = bounds
    ? ` The difference is between ${decimal(bounds.worst)} and ${decimal(bounds.best)}, whatever they would be.`
    : "";
  return [
    `${key} has ${counted(first + second, "score")} without a counterpart${failed}, where ${whole(most)} are allowed ` +
      `(--max-unpaired).${strangers}${between}`,
  ];
}

/** Where both have failed everywhere, no score lacks a counterpart, and none was compared. */
function errorProblem(key: string, { unpaired, errors, count }: Comparison): string[] {
  if (count || unpaired.first || unpaired.second || !(errors.first || errors.second)) return [];
  return [
    `${key} has no scores: ${counted(errors.first, "error")} in the first, ${whole(errors.second)} in the second.`,
  ];
}
