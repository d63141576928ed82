import { checkOptions, type OptionChecks, oneOf } from "../../../core/input/checks.js";
import { passesByMark } from "../../../core/passing.js";
import type { EvaluatorResult } from "../../../core/types.js";
import { metadataOfParts, type PartEvaluator, partName } from "../../calls/parts.js";
import type { Check } from "../check.js";
import {
  COMBINATION_OPTIONS,
  type Combination,
  type CombinationOptions,
  checkPart,
  checkParts,
  combination,
  lineOf,
  passTests,
  scaleOfPart,
  verdictOn,
  watchForAll,
} from "./combination.js";

/**
 * Makes a check that calls evaluators in order, and stops at the first that fails. Put cheap evaluators first and a
 * judge last, so that the judge is asked only about rows that pass all others.
 *
 * @param evaluators As for {@link allOf}.
 * @returns A check with the key `first_failing`. It has the comment of the failing part, with its key;
 * `metadata.parts` has the results of the parts that were called.
 * @throws {@link OpenEvalsError} The same errors as {@link allOf}.
 *
 * @example
 * ```ts
 * import { createLLMAsJudge } from "openevals-wasm";
 * import { firstFailing } from "openevals-wasm/checks";
 *
 * const polite = createLLMAsJudge({ prompt: "Is this polite? {outputs}", model: "ollama:llama3.3" });
 * const answered = ({ outputs }: { outputs: string }) => outputs.trim() !== "";
 * const good = firstFailing([answered, polite]);
 * const { score } = await good({ outputs: " " }); // the judge is not asked
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
  const passes = passTests(parts, passAt);
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
   * When to ask the judge: if the cheap evaluator `"fails"` (the default), or if it `"passes"`.
   */
  askWhere?: "fails" | "passes" | undefined;
}

const OPTIONS: OptionChecks<UnlessOptions> = { ...COMBINATION_OPTIONS, askWhere: oneOf(["fails", "passes"]) };

/**
 * Makes an evaluator that asks a judge only if a cheap evaluator has not settled the matter, which saves requests. The
 * score is the judge's if it was asked, otherwise that of the cheap evaluator: unchanged if both evaluators have the
 * same pass mark, and otherwise as a verdict in the judge's direction. Either may be a combination.
 *
 * @param cheap Called for every row. It passes as in {@link allOf}.
 * @param judge Asked if `cheap` fails or, with `askWhere: "passes"`, if it passes.
 * @returns An evaluator with the key of the judge, if known, otherwise `unless`. It has the comment of the deciding
 * part; `metadata.parts` has one result or two.
 * @throws {@link OpenEvalsError} The same errors as {@link allOf}.
 *
 * @example
 * ```ts
 * import { CORRECTNESS_PROMPT, createLLMAsJudge, exactMatch } from "openevals-wasm";
 * import { unless } from "openevals-wasm/checks";
 *
 * const judge = createLLMAsJudge({ prompt: CORRECTNESS_PROMPT, model: "ollama:llama3.3" });
 * const correct = unless(exactMatch, judge, { feedbackKey: "correct" });
 * const { score } = await correct({ inputs: "2 + 2?", outputs: "4", referenceOutputs: "4" }); // the judge is not asked
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
  const scale = scaleOfPart(judge, passAt);
  const cheapScale = scaleOfPart(cheap, passAt);
  const isShared = cheapScale.direction === scale.direction && cheapScale.passAt === scale.passAt;
  return combination({
    key,
    parts,
    always: 1,
    async score(ask) {
      const first = await ask(0);
      const isPassed = passesByMark(first.key, first.score, cheapScale);
      const isAsked = isPassed === (askWhere === "passes");
      const results = isAsked ? [first, await ask(1)] : [first];
      const { score, comment } = results.at(-1) as EvaluatorResult;
      return {
        score: isAsked || isShared ? score : verdictOn(scale, isPassed),
        ...(comment && { comment }),
        metadata: metadataOfParts(results),
      };
    },
    scale,
  });
}
