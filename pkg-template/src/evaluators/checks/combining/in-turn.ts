import { type Checks, checkOptions, oneOf } from "../../../core/input/checks.js";
import { scaleOf } from "../../../core/scale.js";
import type { EvaluatorResult } from "../../../core/types.js";
import { metadataOfParts, type PartEvaluator, partName } from "../../results/parts.js";
import type { Check } from "../check.js";
import {
  COMBINATION_OPTIONS,
  type Combination,
  type CombinationOptions,
  checkPart,
  checkParts,
  combination,
  lineOf,
  verdictOf,
  verdictsOf,
  watchForAll,
} from "./combination.js";

/**
 * Makes a check that asks evaluators one after the other, and stops at the first that fails: put the cheap ones first, and a
 * judge last, which is then only asked about what has passed all of them.
 *
 * @param evaluators As for {@link allOf}.
 * @returns A check with the key `first_failing`. The comment is that of the part that fails, with its key; `metadata.parts`
 * has the results of those that were asked.
 * @throws {@link OpenEvalsError} as {@link allOf} does.
 *
 * @example
 * ```ts
 * import { createLLMAsJudge } from "openevals-wasm";
 * import { firstFailing } from "openevals-wasm/checks";
 *
 * const polite = createLLMAsJudge({ prompt: "Is this polite? {outputs}", model: "ollama:llama3.3" });
 * const answered = ({ outputs }: { outputs: string }) => outputs.trim() !== "";
 * const good = firstFailing([answered, polite]);
 * const { score } = await good({ outputs: " " }); // nobody asks the judge
 * console.log(score); // false
 * ```
 */
export function firstFailing(evaluators: readonly PartEvaluator[], options: CombinationOptions = {}): Check {
  const parts = checkParts(evaluators);
  const { feedbackKey: key = "first_failing", passAt } = checkOptions(
    "firstFailing",
    options,
    COMBINATION_OPTIONS,
  );
  const passes = verdictsOf(parts, passAt);
  return combination({
    key,
    parts,
    always: 1,
    async score(ask) {
      const results: EvaluatorResult[] = [];
      for (const part of parts.keys()) {
        const result = await ask(part);
        results.push(result);
        if (!passes(result, part))
          return { score: false, comment: lineOf(result), metadata: metadataOfParts(results) };
      }
      return { score: true, metadata: metadataOfParts(results) };
    },
    watch: watchForAll(parts),
  }) as Check;
}

/** The options of {@link unless}. */
export interface UnlessOptions extends CombinationOptions {
  /**
   * Where the judge is asked: where the cheap evaluator `"fails"` (the default), so that what passes needs no judge; or where
   * it `"passes"`, so that what fails needs none.
   */
  askWhere?: "fails" | "passes" | undefined;
}

const OPTIONS: Checks<UnlessOptions> = { ...COMBINATION_OPTIONS, askWhere: oneOf(["fails", "passes"]) };

/**
 * Makes an evaluator that asks a judge only where a cheap evaluator has not settled it: a pipeline that spends little. The
 * score is that of the judge where it was asked, else that of the cheap evaluator. Either may be a combination again.
 *
 * @param cheap Is asked about every row; it passes as in {@link allOf}.
 * @param judge Is asked where the other one fails or, with `askWhere: "passes"`, where it passes.
 * @returns An evaluator with the key of the judge, as far as it is known; else `unless`. The comment is that of the part that
 * decided; `metadata.parts` has one result or two.
 * @throws {@link OpenEvalsError} as {@link allOf} does.
 *
 * @example
 * ```ts
 * import { CORRECTNESS_PROMPT, createLLMAsJudge, exactMatch } from "openevals-wasm";
 * import { unless } from "openevals-wasm/checks";
 *
 * const judge = createLLMAsJudge({ prompt: CORRECTNESS_PROMPT, model: "ollama:llama3.3" });
 * const correct = unless(exactMatch, judge, { feedbackKey: "correct" });
 * const { score } = await correct({ inputs: "2 + 2?", outputs: "4", referenceOutputs: "4" }); // nobody asks the judge
 * console.log(score); // true
 * ```
 */
export function unless(cheap: PartEvaluator, judge: PartEvaluator, options: UnlessOptions = {}): Combination {
  const parts = [checkPart(cheap, "cheap"), checkPart(judge, "judge")];
  const {
    feedbackKey: key = partName(judge) || "unless",
    passAt,
    askWhere = "fails",
  } = checkOptions("unless", options, OPTIONS);
  const passes = verdictOf(cheap, passAt);
  return combination({
    key,
    parts,
    always: 1,
    async score(ask) {
      const results = [await ask(0)];
      if (passes(results[0] as EvaluatorResult) === (askWhere === "passes")) results.push(await ask(1));
      const { score, comment } = results.at(-1) as EvaluatorResult;
      return { score, ...(comment && { comment }), metadata: metadataOfParts(results) };
    },
    // The cheap one's where that has settled it: the same where both score the same.
    scale: scaleOf(judge),
  });
}
