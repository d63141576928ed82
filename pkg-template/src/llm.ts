/** Judges, as `openevals/llm` exports them. */

import { typedReading, typedWork } from "./core/errors.js";
import { readable } from "./core/input/checks.js";
import type { SingleResultScorerReturnType } from "./core/types.js";
import {
  type JudgeParams,
  type JudgeResult,
  type LLMAsJudgeOptions,
  makeJudge,
} from "./evaluators/judge/judge.js";

export {
  createLLMAsJudge,
  type JudgeMetadata,
  type JudgeParams,
  type JudgeResult,
  type LLMAsJudge,
  type LLMAsJudgeOptions,
} from "./evaluators/judge/judge.js";

/** A judge that returns only its verdict. */
export type LLMAsJudgeScorer = (params: JudgeParams) => Promise<SingleResultScorerReturnType>;

/** Whether a schema is a zod schema, recognised by its `parse` method. */
export const isZodSchema = (schema?: object): boolean =>
  typedReading("isZodSchema", () => typeof (schema as { parse?: unknown } | undefined)?.parse === "function");

/**
 * Makes a judge that returns only its verdict. Packages built on `openevals`, such as `agentevals`, make their
 * evaluators with it; applications use {@link createLLMAsJudge}.
 *
 * @param options The options of {@link createLLMAsJudge}, with `outputSchema` called `schema`.
 * @returns A function that resolves to `[score, reasoning, metadata]`, to the score alone with `useReasoning: false`,
 * or, with a `schema`, to the object that the judge answered.
 * @throws {@link OpenEvalsError} The same errors as {@link createLLMAsJudge}.
 *
 * @example
 * ```ts
 * import { _createLLMAsJudgeScorer } from "openevals-wasm/llm";
 *
 * const scorer = _createLLMAsJudgeScorer({
 *   prompt: "Is {outputs} polite?",
 *   judge: () => ({ score: true, reasoning: "It says please." }),
 * });
 * console.log(await scorer({ outputs: "Please." })); // [true, "It says please.", { attempts: 1, promptHash, latencyMs }]
 * ```
 */
export function _createLLMAsJudgeScorer(
  params: Omit<LLMAsJudgeOptions, "feedbackKey"> & { schema?: object | undefined },
): LLMAsJudgeScorer {
  const { judge, options, hasSchema } = readable("_createLLMAsJudgeScorer", () => {
    const { schema, ...options } = params;
    const judge = makeJudge<any>({ ...options, outputSchema: schema }, { runName: "" });
    return { judge, options, hasSchema: schema ?? (options.prompt as { schema?: object }).schema };
  });
  return async (params) => {
    const result = await typedWork("a judge", () => judge(params));
    if (hasSchema) return result;
    const { score, comment, metadata } = result as JudgeResult;
    return options.useReasoning === false ? score : [score, comment ?? "", metadata];
  };
}
