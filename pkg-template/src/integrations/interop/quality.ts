/** Converts scores for other tools: from 0 to 1, where 1 is best. */

import { invalidConfig, invalidInput } from "../../core/errors.js";
import { isPassing, type PassOptions, scaleOf, withPassMark } from "../../core/passing.js";
import { VERDICT } from "../../core/scales.js";
import type { ScoreScale } from "../../core/types.js";

/** Converts the scores of one evaluator. */
export interface Quality {
  /** The scale of the converted scores. */
  scale: ScoreScale;
  /** Converts a score. */
  of(score: number | boolean): number;
}

/**
 * Converts the scores of an evaluator to shares of its best score:
 *
 * - verdicts become 1 and 0;
 * - scores with a maximum are placed between the minimum (0 without one) and it, and inverted if lower is better;
 * - scores without a maximum, such as error rates, pass (1) or fail (0) by their mark;
 * - scores of functions without a scale have to be shares already.
 *
 * @param name The evaluator, in messages.
 * @throws {@link OpenEvalsError} `invalid_config` for scores without a maximum that have no pass mark.
 */
export function qualityOf(name: string, evaluator: unknown, marks: PassOptions): Quality {
  const declared = scaleOf(evaluator);
  const scale = withPassMark(declared, marks);
  const { min, max, direction, passAt } = scale;
  const isLower = direction === "lower";
  const verdict = (score: number | boolean) => Number(isPassing(score, scale));
  const converted = (share: (score: number) => number): Quality => {
    const mark = passAt === undefined ? undefined : { passAt: share(passAt) };
    const of = (score: number | boolean) => (typeof score === "boolean" ? verdict(score) : share(score));
    return { scale: { min: 0, max: 1, direction: "higher", ...mark }, of };
  };
  if (max !== undefined && direction) {
    const low = min ?? 0;
    const range = max - low || 1;
    return converted((score) => {
      if (score > max || score < (min ?? Number.NEGATIVE_INFINITY))
        throw invalidInput(
          `${name} scored ${score}, which its \`scale\` does not contain: it ${rangeOf(min, max)}`,
        );
      return Math.min(1, Math.max(0, (isLower ? max - score : score - low) / range));
    });
  }
  const isVerdict = min === undefined && declared.passAt === (declared.direction === "lower" ? 0 : 1);
  if (isVerdict) {
    return converted((score) => {
      if (score >= 0 && score <= 1) return isLower ? 1 - score : score;
      throw invalidInput(
        `${name} scored ${score}, which is not between 0 and 1. Give the evaluator a \`scale\` with its \`max\``,
      );
    });
  }
  if (passAt !== undefined) return { scale: VERDICT, of: verdict };
  throw invalidConfig(
    `${name} has no best score, so its scores cannot be converted to 0 to 1. Set passAt and lowerIsBetter`,
  );
}

const rangeOf = (min: number | undefined, max: number): string =>
  min === undefined ? `ends at ${max}` : `is from ${min} to ${max}`;
