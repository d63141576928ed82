import { checkOptions } from "../../../core/input/checks.js";
import { metadataOfParts, type PartEvaluator, partName } from "../../results/parts.js";
import type { Check } from "../check.js";
import {
  askAll,
  COMBINATION_OPTIONS,
  type CombinationOptions,
  checkPart,
  checkParts,
  combination,
  lineOf,
  verdictOf,
  verdictsOf,
  watchForAll,
  watchForAny,
} from "./combination.js";

/**
 * Makes a check that passes where all of several evaluators do. All of them are asked, at the same time; where the later
 * ones cost more, see {@link firstFailing}.
 *
 * @param evaluators Checks, judges, any evaluator of this package that is called with a row, and functions
 * `(params) => ({ key, score })`. Each passes as its metric says, or its own `passAt`, or that of the combination.
 * @returns A check with the key `all_of`. The comment has a line for each part that fails; `metadata.parts` has the results
 * of all, and `metadata.usage` what they used together.
 * @throws {@link OpenEvalsError} `invalid_config` for an empty list, or what is no evaluator. The check throws what a part
 * throws, with its place: `all_of[1]`; and `invalid_config` for a part that scores numbers without a pass mark.
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
  const passes = verdictsOf(parts, passAt);
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
 * Makes a check that passes where one of several evaluators does, at least. All of them are asked, at the same time; where
 * one is cheap, see {@link unless}.
 *
 * @param evaluators As for {@link allOf}.
 * @returns A check with the key `any_of`. Where none passes, the comment has a line for each; `metadata.parts` has the
 * results of all.
 * @throws {@link OpenEvalsError} as {@link allOf} does: where a part cannot tell, nobody can.
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
  const passes = verdictsOf(parts, passAt);
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
 * Makes a check that passes where an evaluator does not. Checks can be negated by their option `negate` as well, and then
 * say better why they fail.
 *
 * @returns A check whose key is that of the evaluator, as far as it is known, after `not_`; else `not`.
 * @throws {@link OpenEvalsError} `invalid_config` for what is no evaluator. The check throws what the evaluator throws.
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
  const passes = verdictOf(evaluator, passAt);
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
