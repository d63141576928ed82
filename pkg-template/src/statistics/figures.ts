/** The statistics of the engine, with JavaScript's lists around them. */

import { loadEngine } from "../../engine/load.js";
import { OpenEvalsError } from "../../errors.js";
import { given, show } from "../../input/options.js";
import type { Interval } from "../types.js";

/** What intervals and tests go by. */
export interface StatisticsOptions {
  /**
   * Where the random numbers of the bootstrap and the permutation test begin: a whole number from 0, 0 by default. The
   * same seed gives the same figures on every runtime.
   */
  seed?: number | undefined;
  /** The level of confidence intervals, between 0 and 1; 0.95 by default. */
  level?: number | undefined;
}

/** What the engine computes, by the numbers that it knows them by. */
const SUMMARIES = [
  "mean",
  "description",
  "quantile",
  "comparison",
  "pass_at_k",
  "pass_hat_k",
  "confusion_matrix",
  "cohens_kappa",
  "matthews_correlation",
  "f",
] as const;

/** The name of what the engine computes. */
export type Summary = (typeof SUMMARIES)[number];

/** The level of intervals that is meant when none is given. */
const LEVEL = 0.95;

/** Refuses options that cannot work. */
export function checkStatisticsOptions({ seed, level }: StatisticsOptions): void {
  given("seed", seed, "a whole number from 0", (value) => Number.isSafeInteger(value) && value >= 0);
  given("level", level, "a number between 0 and 1, such as 0.95", (value) => {
    return typeof value === "number" && value > 0 && value < 1;
  });
}

/**
 * What the engine makes of columns of numbers: a list that begins with a figure and both ends of its interval. NaN is
 * what is not defined.
 *
 * @param exampleIds Which rows belong to the same example, and so are not independent of each other; without it, none.
 */
export async function figuresOf(
  summary: Summary,
  { seed = 0, level = LEVEL }: StatisticsOptions,
  columns: readonly (readonly number[])[],
  exampleIds: readonly string[] | undefined,
  args: readonly number[] = [],
): Promise<number[]> {
  const rows = columns[0]?.length ?? 0;
  const { order, examples } = byExample(rows, exampleIds);
  const numbers = new Float64Array((columns.length + 1) * rows);
  columns.forEach((column, index) => {
    numbers.set(order ? order.map((row) => column[row] as number) : column, index * rows);
  });
  numbers.set(examples, columns.length * rows);
  const engine = await loadEngine();
  const options = Float64Array.from([SUMMARIES.indexOf(summary), level, seed, ...args]);
  return Array.from(engine.run(summary, numbers.length, (bindings) => bindings.summarise(options, numbers)));
}

/** The rows in an order in which those of an example follow each other, if that is another one; and the examples of these. */
function byExample(rows: number, exampleIds: readonly string[] | undefined) {
  const numbers = new Map<string, number[]>();
  exampleIds?.forEach((id, row) => {
    const group = numbers.get(id);
    if (group) group.push(row);
    else numbers.set(id, [row]);
  });
  if (numbers.size === 0 || numbers.size === rows) {
    return { order: undefined, examples: Array.from({ length: rows }, (_, row) => row) };
  }
  const groups = [...numbers.values()];
  return { order: groups.flat(), examples: groups.flatMap((group, index) => group.map(() => index)) };
}

/** The number, unless it is not defined, or beyond all numbers. */
export const orNull = (figure: number | undefined): number | null =>
  figure !== undefined && Number.isFinite(figure) ? figure : null;

/** The interval between two ends, unless they are not defined. */
export function intervalOf(
  low: number | undefined,
  high: number | undefined,
  { level = LEVEL }: StatisticsOptions,
): Interval | null {
  const [from, to] = [orNull(low), orNull(high)];
  return from === null || to === null ? null : { low: from, high: to, level };
}

/** A score as a number, if statistics can be made of it: `true` is 1 and `false` is 0. */
export function numberOf(score: unknown, place: string): number {
  if (typeof score === "boolean") return Number(score);
  if (typeof score === "number" && Number.isFinite(score)) return score;
  throw new OpenEvalsError(
    "invalid_input",
    `${place} is ${typeof score === "number" ? score : show(score)}; a score has to be true, false or a finite number. ` +
      "What has no score is an error or not applicable, and is counted so.",
  );
}
