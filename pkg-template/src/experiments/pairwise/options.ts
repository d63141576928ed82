/** The options of `createPairwiseJudge()`. */

import {
  aFlag,
  anything,
  aString,
  type Checks,
  check,
  fromZero,
  isListOf,
  oneOf,
  wholeFrom,
} from "../../core/input/checks.js";
import type { LLMAsJudgeOptions } from "../../evaluators/judge/judge.js";
import { aStructuredOutputMethod } from "../../evaluators/judge/options.js";
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
   * What the judge reads; {@link PAIRWISE_PROMPT} by default. Its variables are `{inputs}`, `{output_a}`, `{output_b}`,
   * `{reference_outputs}`, and whatever else the judge is called with; otherwise it is a prompt as that of
   * `createLLMAsJudge`, a function or a template as well. It asks which is better; the form of the answer says that it is
   * `A`, `B` or `tie`.
   */
  prompt?: Prompt | undefined;
  /** The `key` of the result; `preference` by default. */
  feedbackKey?: string | undefined;
  /**
   * Several judges, in the place of `model` and `judge`: names of models, and whatever else can be a `judge`. The output
   * that more of them found better wins, and it is a tie if as many found the other one better. The same one several times
   * is asked as often, in each order; `temperature` says how far its answers differ.
   */
  judges?: readonly (JudgeModel | string)[] | undefined;
  /** How many of the judges have to come to a verdict; more than half by default. */
  quorum?: number | undefined;
  /**
   * In which orders each judge is shown the outputs: `both` (the default), so that a verdict is what it says in both, and
   * all else a tie; `random`, one order that the `seed` and the outputs decide, for half the price; `given`, the one in
   * which they came.
   */
  orders?: "both" | "random" | "given" | undefined;
  /** Where the random orders begin: a whole number from 0, 0 by default. */
  seed?: number | undefined;
  /**
   * Whether a judge may call it a tie; `true` by default. What it says of one order and not of the other is a tie all the
   * same.
   */
  tie?: boolean | undefined;
}

export const OPTIONS: Checks<PairwiseJudgeOptions> = {
  prompt: anything,
  feedbackKey: aString,
  model: aString,
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
