/** Decides whether a key keeps its limits, in the program and in tests. */

import { counted, decimal, figure, whole } from "../../core/records/numerals.js";
import type { MeanLimit } from "./limit-range.js";

/** The limits that a mean misses, as sentences. */
export const missedLimits = (
  key: string,
  mean: number,
  isRate: boolean,
  limits: readonly MeanLimit[],
): string[] =>
  limits.flatMap(({ limit, side }) => {
    if (side === "below" ? mean >= limit : mean <= limit) return [];
    const [is, should] = [figure(mean, isRate), figure(limit, isRate)];
    return [`${key} is ${is}, ${side} ${should}${is === should ? ` (${decimal(mean - limit)})` : ""}.`];
  });

/**
 * Whether a key has more errors than it may, as a sentence. By default, one with a limit on its mean may have none.
 *
 * @param option The option that sets the limit, in brackets after a space.
 */
export function tooManyErrors(
  key: string,
  errors: number,
  limits: readonly MeanLimit[],
  maxErrors = limits.length ? 0 : Number.POSITIVE_INFINITY,
  option = "",
): string[] {
  if (errors <= maxErrors) return [];
  return [`${key} has ${counted(errors, "error")}, where ${whole(maxErrors)} are allowed${option}.`];
}
