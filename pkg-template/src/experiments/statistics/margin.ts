/** Whether a difference is less than a margin. */

import { invalidConfig, invalidInput } from "../../core/errors.js";
import { check } from "../../core/input/checks.js";
import type { MarginComparison, Shown } from "../../core/records/types.js";
import type { MarginTest } from "../../openevals-statistics.types.js";
import { aRange } from "./sequence.js";

/** A difference that would not matter, with the range of the scores if that is not from 0 to 1. */
export type MarginOption = number | { margin: number; range: readonly [number, number] };

/** What the engine is asked: the margin, and the lowest and the highest score that there can be. */
interface Margin {
  margin: number;
  low: number;
  high: number;
}

const isNumber = (margin: unknown): boolean =>
  typeof margin === "number" && margin > 0 && Number.isFinite(margin);

const isMargin = (margin: any): boolean =>
  isNumber(margin) || (isNumber(margin?.margin) && aRange.test(margin.range));

/** One margin for all keys, or one for each. */
export const aMargin = check(
  "a number above 0, or an object with one for each key, or with { margin, range: [lowest, highest] }",
  (margin) => isNumber(margin) || (typeof margin === "object" && Object.values(margin).every(isMargin)),
);

/**
 * The margin and the range of the scores. Without a range, it is from 0 to 1, and reaches to the lowest and the highest
 * score if these lie beyond.
 */
export function marginQuestion(
  key: string,
  option: MarginOption,
  from: Float64Array,
  to: Float64Array,
): Margin {
  const question = marginAndRange(key, option, [...from, ...to]);
  const { margin, low, high } = question;
  // Of no scores, the range is not known.
  if (from.length === 0 || margin < high - low) return question;
  throw invalidConfig(
    `margin is ${margin}, and scores of ${key} have a range of ${high - low}: no difference can be larger. ` +
      (high - low === 1 ? "0.05 means 5 percentage points" : "give a smaller margin, for each key its own"),
  );
}

function marginAndRange(key: string, option: MarginOption, scores: readonly number[]): Margin {
  if (typeof option === "number") {
    const reach = (pick: typeof Math.min, end: number) =>
      scores.reduce((far, score) => pick(far, score), end);
    return { margin: option, low: reach(Math.min, 0), high: reach(Math.max, 1) };
  }
  const {
    margin,
    range: [low, high],
  } = option;
  const beyond = scores.find((score) => score < low || score > high);
  if (beyond === undefined) return { margin, low, high };
  throw invalidInput(`A score of ${key} is ${beyond}; the range of its margin is from ${low} to ${high}`);
}

/** What was found; `isShown` comes once all keys are known. */
export function marginResult(
  { margin, low, high }: Margin,
  { notLower, notHigher, fewest, test }: MarginTest,
  isGiven: boolean,
): MarginComparison {
  const shown = (pValue: number | null): Shown => ({ pValue, adjustedPValue: null, isShown: false });
  const both = notLower === null || notHigher === null ? null : Math.max(notLower, notHigher);
  const isAssumed = !isGiven && (low < 0 || high > 1);
  return {
    margin,
    notLower: shown(notLower),
    notHigher: shown(notHigher),
    equivalent: shown(both),
    test: notLower === null ? null : test,
    range: [low, high],
    fewestExamples: fewest,
    ...(isAssumed && {
      comment: `It holds if no score can lie beyond ${low} and ${high}. Give the range of the scores if you know it.`,
    }),
  };
}
