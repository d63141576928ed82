/** The options of all statistics, and the conversion of scores and examples for the engine. */

import { invalidInput } from "../../core/errors.js";
import { check, type OptionChecks, show } from "../../core/input/checks.js";
import type { Settings } from "../../openevals-statistics.types.js";

/** Options of intervals and tests. */
export interface StatisticsOptions {
  /**
   * The seed of the bootstrap and the permutation test: a whole number from 0, 0 by default. The same seed gives the
   * same figures on every runtime.
   */
  seed?: number | undefined;
  /** The confidence level of intervals, between 0 and 1; 0.95 by default. */
  level?: number | undefined;
}

/** The default confidence level. */
export const LEVEL = 0.95;

export const STATISTICS_OPTIONS: OptionChecks<StatisticsOptions> = {
  seed: check("a whole number from 0", (value) => Number.isSafeInteger(value) && value >= 0),
  level: check("a number between 0 and 1, such as 0.95", (value) => {
    return typeof value === "number" && value > 0 && value < 1;
  }),
};

/** Makes the engine's settings. */
export const settingsOf = ({ seed = 0, level = LEVEL }: StatisticsOptions): Settings => ({ seed, level });

/** Numbers the examples. Rows of the same example, which are not independent of each other, get the same number. */
export function numbered(exampleIds: readonly string[]): Uint32Array {
  const numbers = new Map<string, number>();
  return Uint32Array.from(exampleIds, (id) => {
    const number = numbers.get(id) ?? numbers.size;
    numbers.set(id, number);
    return number;
  });
}

/** Numbers the examples and the clusters of rows, as far as they are known. */
export const numberedGroups = ({
  exampleIds,
  clusters,
}: {
  exampleIds?: readonly string[] | undefined;
  clusters?: readonly string[] | undefined;
}) => ({ examples: exampleIds && numbered(exampleIds), clusters: clusters && numbered(clusters) });

/** Converts a score to a number: `true` is 1 and `false` is 0. Throws for everything else. */
export function numberOf(score: unknown, place: string): number {
  if (typeof score === "boolean") return Number(score);
  if (typeof score === "number" && Number.isFinite(score)) return score;
  throw invalidInput(
    `${place} is ${typeof score === "number" ? score : show(score)}; a score has to be true, false or a finite number. ` +
      "Count a row without a score in `errors` or `notApplicable` instead",
  );
}
