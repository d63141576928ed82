import { check, checkOptions, type OptionChecks } from "../../core/input/checks.js";
import { PASS_OPTIONS, type PassOptions, withPassMark } from "../../core/passing.js";
import { SHARE } from "../../core/scales.js";
import type { Evaluator } from "../../core/types.js";
import { levenshteinEvaluator, MAX_CELLS } from "./levenshtein.js";

/** The options of {@link createLevenshteinEvaluator}. */
export interface LevenshteinOptions extends PassOptions {
  /**
   * The largest allowed table of a comparison, in cells: the product of both lengths in UTF-16 code units, without
   * their common beginning and end. 100,000,000,000 by default, which takes about two seconds.
   */
  maxCells?: number | undefined;
}

const OPTIONS: OptionChecks<LevenshteinOptions> = {
  maxCells: check("a number from 0", (cells) => typeof cells === "number" && cells >= 0),
  ...PASS_OPTIONS,
};

/**
 * Makes an evaluator like {@link levenshteinDistance} with its own limit. A comparison cannot be interrupted, so texts
 * beyond the limit are rejected.
 *
 * @returns An evaluator whose result is `{ key: "levenshtein_distance", score }`, with `score` from 0 to 1.
 * @throws {@link OpenEvalsError} `invalid_config` if the limit is not a number from 0. The evaluator throws the errors
 * of {@link levenshteinDistance}.
 *
 * @example
 * ```ts
 * import { createLevenshteinEvaluator } from "openevals-wasm";
 *
 * const quick = createLevenshteinEvaluator({ maxCells: 1e9 });
 * const { score } = await quick({ outputs: "kitten", referenceOutputs: "sitting" });
 * console.log(score); // 0.5714285714285714
 * ```
 */
export function createLevenshteinEvaluator(options: LevenshteinOptions = {}): Evaluator {
  const { maxCells = MAX_CELLS, ...marks } = checkOptions("createLevenshteinEvaluator", options, OPTIONS);
  return levenshteinEvaluator(maxCells, withPassMark(SHARE, marks));
}
