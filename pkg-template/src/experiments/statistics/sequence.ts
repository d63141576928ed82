/** Confidence sequences: intervals that hold at every look. */

import { statisticsEngine } from "../../core/engine/statistics.js";
import { invalidInput, typedWork } from "../../core/errors.js";
import { type Checks, check, checkOptions, show } from "../../core/input/checks.js";
import { LEVEL, STATISTICS_OPTIONS } from "../../evaluators/summary/settings.js";
import type { Interval } from "../../openevals-statistics.types.js";
import { Sequence } from "./sequence-under-way.js";

/** The options of {@link confidenceSequence}. */
export interface ConfidenceSequenceOptions {
  /** The lowest and the highest score that there may be; `[0, 1]` by default. */
  range?: readonly [number, number] | undefined;
  /** In how many of all sequences the interval holds the true mean at every look, between 0 and 1; 0.95 by default. */
  level?: number | undefined;
}

/** A score; `null` for one that is missing since something failed. */
export type SequenceScore = number | boolean | null;

/** What a {@link ConfidenceSequence} knows. */
export interface SequenceEstimate {
  /** The mean of the scores that are there; `null` if there are none. */
  value: number | null;
  /**
   * Where the true mean lies. `null` before the first score, and where no mean fits: then it has changed on the way, since
   * the rows are not in random order.
   */
  interval: Interval | null;
  /** How many scores there are, with those that are missing. */
  count: number;
}

/** An interval that is told one score after the other. */
export interface ConfidenceSequence {
  /**
   * Takes note of a score, or of several in their order, and looks.
   *
   * @throws {@link OpenEvalsError} `invalid_input` for a score beyond the range; none of the call is taken then.
   */
  add(scores: SequenceScore | readonly SequenceScore[]): Promise<SequenceEstimate>;
}

/** A range of scores. */
export const aRange = check("a list of the lowest and the highest score, such as [0, 1]", (range) => {
  return Array.isArray(range) && range.length === 2 && range.every(Number.isFinite) && range[0] < range[1];
});

const OPTIONS: Checks<ConfidenceSequenceOptions> = { range: aRange, level: STATISTICS_OPTIONS.level };

/**
 * An interval of a mean that one may look at after every score, and stop when one likes: in `level` of all sequences, it
 * holds the true mean at all looks together. Ordinary intervals do not: who looks at one after every row finds a difference
 * sooner or later, whether there is one or not.
 *
 * It needs the range of the scores, and nothing else about them, but for their order: they have to be drawn at random, so
 * that the next one does not depend on those before. A missing score (`null`) may have been any, which makes the interval
 * wider on both sides. It is the hedged capital of Waudby-Smith and Ramdas (*Estimating means of bounded random variables by
 * betting*, 2024), with ends at a thousandth of the range; it never becomes wider again.
 *
 * @throws {@link OpenEvalsError} `invalid_config` for options that cannot work.
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
  let [count, known, sum] = [0, 0, 0];
  return {
    add: (scores) =>
      typedWork("confidenceSequence", async () => {
        waiting = waiting.concat(readScores(scores, from, to));
        // All that wait, so that scores stay in order while the engine is loaded.
        return statisticsEngine.run("confidenceSequence", waiting.length, () => {
          const lows = Float64Array.from(waiting, (score) => (score === null ? from : Number(score)));
          const highs = Float64Array.from(waiting, (score) => (score === null ? to : Number(score)));
          const { interval } = sequence.look(lows, highs);
          for (const score of waiting) {
            count++;
            if (score === null) continue;
            known++;
            sum += Number(score);
          }
          waiting = [];
          return { value: known ? sum / known : null, interval, count };
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
    const place = Array.isArray(scores) ? `scores[${index}]` : "The score";
    throw invalidInput(
      `${place} is ${isScore ? score : show(score)}; it has to be true, false, null or a number from ${from} to ${to}, the range of ` +
        "the sequence",
    );
  }
  return list;
}
