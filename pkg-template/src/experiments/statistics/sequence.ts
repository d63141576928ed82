/** Confidence sequences: intervals that are valid at every look. */

import { statisticsEngine } from "../../core/engine/statistics.js";
import { invalidInput, typedWork } from "../../core/errors.js";
import { check, checkOptions, type OptionChecks, show } from "../../core/input/checks.js";
import { LEVEL, STATISTICS_OPTIONS } from "../../evaluators/summary/settings.js";
import type { Interval } from "../../openevals-statistics.types.js";
import { Sequence } from "./sequence-state.js";

/** The options of {@link confidenceSequence}. */
export interface ConfidenceSequenceOptions {
  /** The lowest and the highest possible score. Default: `[0, 1]`. */
  range?: readonly [number, number] | undefined;
  /** The probability that the interval contains the true mean at all looks together, between 0 and 1. Default: 0.95. */
  level?: number | undefined;
}

/** A score, or `null` for one that is missing because of an error. */
export type SequenceScore = number | boolean | null;

/** The estimate of a {@link ConfidenceSequence} so far. */
export interface SequenceEstimate {
  /** The mean of the scores, without missing ones; `null` if there are none. */
  value: number | null;
  /**
   * The confidence interval of the true mean. `null` before the first score, and if no mean fits all scores, which happens
   * when the mean drifts because the rows are not in random order.
   */
  interval: Interval | null;
  /** The number of scores, including missing ones. */
  count: number;
}

/** A confidence interval that is updated score by score. */
export interface ConfidenceSequence {
  /**
   * Adds a score, or several in order, and returns the new estimate.
   *
   * @throws {@link OpenEvalsError} `invalid_input` for a score outside the range. None of the scores of that call is added.
   */
  add(scores: SequenceScore | readonly SequenceScore[]): Promise<SequenceEstimate>;
}

/** The largest end of a range: the differences and sums of larger scores may be infinite. */
const MAX_END = 1e300;

export const aRange = check(
  "a list of the lowest and the highest score, such as [0, 1], from -1e300 to 1e300",
  (range) => {
    const isEnd = (end: unknown) => typeof end === "number" && Math.abs(end) <= MAX_END;
    return Array.isArray(range) && range.length === 2 && range.every(isEnd) && range[0] < range[1];
  },
);

const OPTIONS: OptionChecks<ConfidenceSequenceOptions> = { range: aRange, level: STATISTICS_OPTIONS.level };

/**
 * Makes a confidence sequence: an interval for a mean that you may check after every score, to stop whenever you like. With
 * the probability `level`, it contains the true mean at all looks together. An ordinary confidence interval does not: if you
 * check it after every row, it shows a difference sooner or later, even where there is none.
 *
 * The scores have to be within `range` and in random order. A missing score (`null`) may have any value in the range, so it
 * widens the interval on both sides. The method is the hedged capital process of Waudby-Smith and Ramdas (*Estimating means
 * of bounded random variables by betting*, 2024), with bounds in steps of a thousandth of the range. The interval never
 * widens from look to look: it is the part that the intervals of all looks share, so the mean of the scores so far may be outside.
 *
 * @throws {@link OpenEvalsError} `invalid_config` for invalid options.
 *
 * @example
 * ```ts
 * import { confidenceSequence } from "openevals-wasm/evaluation";
 *
 * export async function isGoodEnough(isRight: () => Promise<boolean>) {
 *   const sequence = confidenceSequence({ level: 0.95 });
 *   for (let row = 0; row < 1_000; row++) {
 *     const { interval } = await sequence.add(await isRight());
 *     if (interval && interval.low >= 0.8) return true;
 *     if (interval && interval.high < 0.8) return false;
 *   }
 *   return undefined;
 * }
 * ```
 */
export function confidenceSequence(options: ConfidenceSequenceOptions = {}): ConfidenceSequence {
  const { range: [from, to] = [0, 1], level = LEVEL } = checkOptions("confidenceSequence", options, OPTIONS);
  const sequence = new Sequence({ from, to, level, threshold: undefined, width: undefined });
  let waiting: SequenceScore[] = [];
  let [count, scored, sum] = [0, 0, 0];
  return {
    add: (scores) =>
      typedWork("confidenceSequence", async () => {
        waiting = waiting.concat(readScores(scores, from, to));
        // Calls may arrive while the engine loads: adding all that wait keeps the scores in order.
        return statisticsEngine.run("confidenceSequence", waiting.length, () => {
          const lows = Float64Array.from(waiting, (score) => (score === null ? from : Number(score)));
          const highs = Float64Array.from(waiting, (score) => (score === null ? to : Number(score)));
          const { interval } = sequence.look(lows, highs);
          for (const score of waiting) {
            count++;
            if (score === null) continue;
            scored++;
            sum += Number(score);
          }
          waiting = [];
          return { value: scored ? sum / scored : null, interval, count };
        });
      }),
  };
}

function readScores(
  scores: SequenceScore | readonly SequenceScore[],
  from: number,
  to: number,
): SequenceScore[] {
  const list = Array.isArray(scores) ? Array.from(scores as SequenceScore[]) : [scores as SequenceScore];
  for (const [index, score] of list.entries()) {
    const isScore = typeof score === "boolean" || typeof score === "number";
    if (score === null || (isScore && Number(score) >= from && Number(score) <= to)) continue;
    const subject = Array.isArray(scores) ? `scores[${index}]` : "The score";
    throw invalidInput(
      `${subject} is ${isScore ? score : show(score)}; it has to be true, false, null or a number from ${from} to ${to}, the range of ` +
        "the sequence",
    );
  }
  return list;
}
