/** The options of `createPairwiseJudge()`. */

import {
  aFlag,
  anything,
  aString,
  check,
  fromZero,
  isListOf,
  type OptionChecks,
  oneOf,
  wholeFrom,
} from "../../core/input/checks.js";
import type { LLMAsJudgeOptions } from "../../evaluators/judge/judge.js";
import { aModelName, aStructuredOutputMethod } from "../../evaluators/judge/option-checks.js";
import type { Prompt } from "../../evaluators/judge/prompt.js";
import { STATISTICS_OPTIONS } from "../../evaluators/summary/settings.js";
import type { JudgeModel } from "../../models/chat/judge-model.js";

/** The options of {@link createPairwiseJudge}. */
export interface PairwiseJudgeOptions
  extends Pick<
    LLMAsJudgeOptions,
    | "model"
    | "judge"
    | "system"
    | "temperature"
    | "cacheKey"
    | "structuredOutputMethod"
    | "useReasoning"
    | "promptCaching"
  > {
  /**
   * The prompt, in any form that `createLLMAsJudge` accepts. Default: {@link PAIRWISE_PROMPT}. Its variables are `{inputs}`,
   * `{output_a}`, `{output_b}`, `{reference_outputs}`, and any others that you call the judge with. It asks which output is
   * better; the output schema restricts the answer to `A`, `B` or `tie`.
   */
  prompt?: Prompt | undefined;
  /** The `key` of the result. Default: `preference`. */
  feedbackKey?: string | undefined;
  /**
   * Several judges, in place of `model` and `judge`: each a model name or anything that `judge` accepts. The output that more of
   * them prefer wins; equal numbers are a tie. A judge that is listed several times has as many votes; `temperature` controls how
   * much its answers vary.
   */
  judges?: readonly (JudgeModel | string)[] | undefined;
  /** The number of judges that have to return a verdict, from 1. Default: more than half of them. */
  quorum?: number | undefined;
  /**
   * The orders in which each judge sees the outputs. `both` (the default): two questions, and only a verdict that is the same in
   * both orders counts; otherwise it is a tie. `random`: one order, chosen by the `seed` and the outputs, for half the price.
   * `given`: the order of `outputs`.
   */
  orders?: "both" | "random" | "given" | undefined;
  /** The seed of the random orders, a whole number from 0. Default: 0. */
  seed?: number | undefined;
  /** Whether a judge may answer `tie`. Default: `true`. Verdicts that depend on the order are ties either way. */
  tie?: boolean | undefined;
}

export const OPTIONS: OptionChecks<PairwiseJudgeOptions> = {
  prompt: anything,
  feedbackKey: aString,
  model: aModelName,
  judge: anything,
  judges: check("a list of at least one model or judge", (list) => {
    return isListOf(list, (judge) => judge !== undefined && judge !== null) && list.length > 0;
  }),
  quorum: wholeFrom(1),
  system: aString,
  temperature: fromZero,
  cacheKey: aString,
  structuredOutputMethod: aStructuredOutputMethod,
  useReasoning: aFlag,
  promptCaching: anything,
  orders: oneOf(["both", "random", "given"]),
  seed: STATISTICS_OPTIONS.seed,
  tie: aFlag,
};
