import { invalidInput, typedWork } from "../../core/errors.js";
import { isListOf, show } from "../../core/input/checks.js";
import type { Comparison } from "../../core/records/types.js";
import { adjustFamily, copyOf } from "./family.js";

/**
 * Adjusts the p-values of several comparisons together, by Holm's method over all of their keys, and over all of their slices. {@link compareExperiments}
 * adjusts for the keys of one comparison only: if you compare several experiments and act on any difference, use this as well.
 *
 * @param comparisons The result of {@link compareExperiments} for each pair of experiments.
 * @returns Copies of them, in the same order, with new values of `adjustedPValue`, and of `adjustedInterval` unless they were read
 * from JSON. Of slices that were read from JSON, all count, so that their adjusted p-values are larger.
 * @throws {@link OpenEvalsError} `invalid_input` for a value that is not a comparison.
 *
 * @example
 * ```ts
 * import { adjustPValues, compareExperiments, type Experiment } from "openevals-wasm/evaluation";
 *
 * export async function worse(before: Experiment, variants: Experiment[]) {
 *   const comparisons = await Promise.all(variants.map((after) => compareExperiments(before, after)));
 *   const adjusted = await adjustPValues(comparisons);
 *   return adjusted.map(({ exact_match }) => (exact_match?.adjustedPValue ?? 1) < 0.05);
 * }
 * ```
 */
export async function adjustPValues(
  comparisons: readonly Readonly<Record<string, Comparison>>[],
): Promise<Record<string, Comparison>[]>;
export async function adjustPValues(
  comparisons: readonly Readonly<Record<string, Comparison>>[],
  ...more: unknown[]
): Promise<Record<string, Comparison>[]> {
  return typedWork("adjustPValues", async () => {
    if (more.length)
      throw invalidInput(`adjustPValues takes one list and no options, but also got ${show(more[0])}`);
    const promise = Array.isArray(comparisons) ? comparisons.findIndex((one) => one instanceof Promise) : -1;
    if (promise >= 0)
      throw invalidInput(
        `comparisons[${promise}] is a promise. Await it, such as with Promise.all(comparisons)`,
      );
    if (!isListOf(comparisons, isComparison))
      throw invalidInput(
        `comparisons is ${show(comparisons)}; it has to be a list of results of compareExperiments()`,
      );
    const copies = comparisons.map((comparison) =>
      Object.fromEntries(Object.entries(comparison).map(([key, one]) => [key, copyOf(one)])),
    );
    await adjustFamily(
      "adjustPValues",
      copies.flatMap((one) => Object.values(one)),
      "holm",
    );
    return copies;
  });
}

const isComparison = (value: unknown): boolean =>
  typeof value === "object" &&
  value !== null &&
  isPlainPrototype(Object.getPrototypeOf(value)) &&
  Object.values(value).every(isTested);

const isTested = (one: any): boolean =>
  (one?.pValue === null || isProbability(one?.pValue)) &&
  (one.slices === undefined || isListOf(one.slices, isTested));

/** Rejects a Map, a Date and instances of classes: they have no keys, so nothing would be adjusted. */
const isPlainPrototype = (prototype: unknown): boolean =>
  prototype === null || Object.getPrototypeOf(prototype) === null;

const isProbability = (value: unknown): boolean => typeof value === "number" && value >= 0 && value <= 1;
