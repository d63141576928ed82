/** Non-inferiority and equivalence: whether a difference is smaller than a margin. */

import { invalidConfig, invalidInput } from "../../core/errors.js";
import { check, isRecordOf } from "../../core/input/checks.js";
import type { HypothesisTest, MarginComparison } from "../../core/records/types.js";
import type { ScoreScale } from "../../core/types.js";
import type { MarginTest } from "../../openevals-statistics.types.js";
import { aRange } from "./sequence.js";

/** The smallest difference that matters, above 0. Scores that are not from 0 to 1 also need their `range`. */
export type MarginOption = number | { margin: number; range: readonly [number, number] };

/** The margin, with the lowest and the highest possible score. */
interface Margin {
  margin: number;
  low: number;
  high: number;
  /** Whether the range is taken from the scores: neither the option nor the scale says all of it. */
  isAssumed: boolean;
}

const isPositive = (margin: unknown): boolean =>
  typeof margin === "number" && margin > 0 && Number.isFinite(margin);

const isMargin = (margin: any): boolean =>
  isPositive(margin) || (isPositive(margin?.margin) && aRange.test(margin.range));

/** One margin for all keys, or an object with one for each key. */
export const aMargin = check(
  "a number above 0, or an object with one for each key, or with { margin, range: [lowest, highest] }",
  (margin) => isPositive(margin) || isRecordOf(margin, isMargin),
);

/**
 * Reads the margin of a key. The default range is the one of the scale. An end that the scale does not have is 0 or 1, extended to
 * the observed scores.
 */
export function readMargin(
  key: string,
  option: MarginOption,
  scores: readonly number[],
  scale: ScoreScale | undefined,
): Margin {
  const read = marginAndRange(key, option, scores, scale);
  const { margin, low, high } = read;
  // Without scores, the range is unknown.
  if (scores.length === 0 || margin < high - low) return read;
  throw invalidConfig(
    `margin is ${margin}, but scores of ${key} only span ${high - low}, so no difference can be larger. ` +
      (high - low === 1 ? "For 5 percentage points, set 0.05" : "Set a smaller margin for this key"),
  );
}

function marginAndRange(
  key: string,
  option: MarginOption,
  scores: readonly number[],
  { min, max }: ScoreScale = {},
): Margin {
  if (typeof option === "number") {
    const reach = (pick: typeof Math.min, end: number) =>
      scores.reduce((far, score) => pick(far, score), end);
    const [low, high] = [reach(Math.min, min ?? 0), reach(Math.max, max ?? 1)];
    // Scores without a declared range are verdicts and shares, as long as none is beyond 0 and 1.
    const isDeclared = low === min && high === max;
    const isShare = min === undefined && max === undefined && low === 0 && high === 1;
    return { margin: option, low, high, isAssumed: !isDeclared && !isShare };
  }
  const {
    margin,
    range: [low, high],
  } = option;
  const beyond = scores.find((score) => score < low || score > high);
  if (beyond === undefined) return { margin, low, high, isAssumed: false };
  throw invalidInput(
    `A score of ${key} is ${beyond}, outside the range of its margin, ${low} to ${high}. Set the range of all possible scores`,
  );
}

/** The result of a key. `adjustedPValue` and `isShown` are set once all keys are tested. */
export function marginResult(
  { margin, low, high, isAssumed }: Margin,
  { notLower, notHigher, fewest, test }: MarginTest,
): MarginComparison {
  const shown = (pValue: number | null): HypothesisTest => ({ pValue, adjustedPValue: null, isShown: false });
  const both = notLower === null || notHigher === null ? null : Math.max(notLower, notHigher);
  return {
    margin,
    notLower: shown(notLower),
    notHigher: shown(notHigher),
    equivalent: shown(both),
    test: notLower === null ? null : test,
    range: [low, high],
    fewestExamples: fewest,
    ...(isAssumed && {
      comment: `The test assumes that all possible scores are from ${low} to ${high}. If that is wrong, set range in the margin of compareExperiments().`,
    }),
  };
}
