import { checkOptions } from "../../../core/input/checks.js";
import { metadataOfParts, type PartEvaluator, partName } from "../../calls/parts.js";
import type { Check } from "../check.js";
import {
  askAll,
  COMBINATION_OPTIONS,
  type CombinationOptions,
  checkPart,
  checkParts,
  combination,
  lineOf,
  passTest,
  passTests,
  watchForAll,
  watchForAny,
} from "./combination.js";

/**
 * Makes a check that passes if all of several evaluators pass. All are called in parallel; see {@link firstFailing} if
 * some are expensive.
 *
 * @param evaluators Checks, judges, other evaluators of this package that take a row, and functions `(params) => ({
 * key, score })`. Each passes by the `passAt` of the combination, its own `passAt`, or its metric's pass mark.
 * @returns A check with the key `all_of`. The comment has a line for each failing part; `metadata.parts` has all
 * results, and `metadata.usage` their total usage.
 * @throws {@link OpenEvalsError} `invalid_config` for an empty list, or an entry that is not an evaluator. The check
 * throws the error of a part, with its place: `all_of[1]`; and `invalid_config` for a part that returns numbers and has
 * no pass mark.
 *
 * @example
 * ```ts
 * import { allOf } from "openevals-wasm/checks";
 * import { tokenF1 } from "openevals-wasm/text";
 *
 * const isShort = ({ outputs }: { outputs: string }) => outputs.length < 80;
 * const good = allOf([isShort, tokenF1], { feedbackKey: "good", passAt: 0.5 });
 * const { score } = await good({ outputs: "Berlin", referenceOutputs: "in Berlin" });
 * console.log(score); // true
 * ```
 */
export function allOf(evaluators: readonly PartEvaluator[], options: CombinationOptions = {}): Check {
  const parts = checkParts(evaluators);
  const { feedbackKey: key = "all_of", passAt } = checkOptions("allOf", options, COMBINATION_OPTIONS);
  const passes = passTests(parts, passAt);
  return combination({
    key,
    parts,
    always: parts.length,
    async score(ask) {
      const results = await askAll(ask, parts);
      const failing = results.filter((result, part) => !passes(result, part));
      return {
        score: failing.length === 0,
        ...(failing.length && { comment: failing.map(lineOf).join("\n") }),
        metadata: metadataOfParts(results),
      };
    },
    watch: watchForAll(parts),
  }) as Check;
}

/**
 * Makes a check that passes if at least one of several evaluators passes. All are called in parallel; see {@link
 * unless} if one is cheap.
 *
 * @param evaluators As for {@link allOf}.
 * @returns A check with the key `any_of`. If none passes, the comment has a line for each part; `metadata.parts` has
 * all results.
 * @throws {@link OpenEvalsError} The same errors as {@link allOf}, even if another part passes.
 *
 * @example
 * ```ts
 * import { exactMatch } from "openevals-wasm";
 * import { anyOf } from "openevals-wasm/checks";
 * import { jaroWinkler } from "openevals-wasm/text";
 *
 * const alike = anyOf([exactMatch, jaroWinkler], { passAt: 0.9 });
 * const { score } = await alike({ outputs: "Lovelase", referenceOutputs: "Lovelace" });
 * console.log(score); // true
 * ```
 */
export function anyOf(evaluators: readonly PartEvaluator[], options: CombinationOptions = {}): Check {
  const parts = checkParts(evaluators);
  const { feedbackKey: key = "any_of", passAt } = checkOptions("anyOf", options, COMBINATION_OPTIONS);
  const passes = passTests(parts, passAt);
  return combination({
    key,
    parts,
    always: parts.length,
    async score(ask) {
      const results = await askAll(ask, parts);
      const score = results.some(passes);
      return {
        score,
        ...(!score && { comment: results.map(lineOf).join("\n") }),
        metadata: metadataOfParts(results),
      };
    },
    watch: watchForAny(parts),
  }) as Check;
}

/**
 * Makes a check that passes if an evaluator does not. Checks can also be negated with their option `negate`, which
 * gives better comments.
 *
 * @returns A check with the key of the evaluator after `not_`, or `not` if its key is unknown.
 * @throws {@link OpenEvalsError} `invalid_config` if it is not an evaluator. The check throws the evaluator's errors.
 *
 * @example
 * ```ts
 * import { levenshteinDistance } from "openevals-wasm";
 * import { not } from "openevals-wasm/checks";
 *
 * const ownWords = not(levenshteinDistance, { passAt: 0.9, feedbackKey: "own_words" });
 * const { score } = await ownWords({ outputs: "To be or not to be", referenceOutputs: "To be, or not to be" });
 * console.log(score); // false
 * ```
 */
export function not(evaluator: PartEvaluator, options: CombinationOptions = {}): Check {
  const parts = [checkPart(evaluator, "evaluator")];
  const name = partName(evaluator);
  const { feedbackKey: key = name ? `not_${name}` : "not", passAt } = checkOptions(
    "not",
    options,
    COMBINATION_OPTIONS,
  );
  const passes = passTest(evaluator, passAt);
  return combination({
    key,
    parts,
    always: 1,
    async score(ask) {
      const result = await ask(0);
      const score = !passes(result);
      const { key, comment } = result;
      return {
        score,
        ...(!score && { comment: `${key} passes${comment ? `: ${comment}` : "."}` }),
        metadata: metadataOfParts([result]),
      };
    },
  }) as Check;
}
