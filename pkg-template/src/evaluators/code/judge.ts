import { anything, type Checks, checkOptions } from "../../core/input/checks.js";
import type { EvaluatorResult } from "../../core/types.js";
import { withAccessOf } from "../../models/chat/check-access.js";
import { createLLMAsJudge, JUDGE_OPTIONS, type JudgeParams, type LLMAsJudgeOptions } from "../judge/judge.js";
import { extractsCode } from "./evaluator.js";
import { EXTRACTION_OPTIONS } from "./extraction.js";
import type { CodeEvaluator, CodeExtractionOptions, CodeParams } from "./types.js";

/** The options of {@link createCodeLLMAsJudge}. */
export interface CodeLLMAsJudgeOptions
  extends LLMAsJudgeOptions,
    Omit<CodeExtractionOptions, "model" | "client"> {
  /** The `key` of the result; `code_correctness` by default. */
  feedbackKey?: string | undefined;
  /**
   * What takes the code out with the strategy `llm`, if that is not to be what judges; all that can be a `judge`. It
   * judges as well where there is neither `judge` nor `model`.
   */
  client?: LLMAsJudgeOptions["judge"];
}

/** The same, under the name that OpenEvals gives it. */
export type CodeLLMAsJudgeConfig = CodeLLMAsJudgeOptions;

const OPTIONS: Checks<CodeLLMAsJudgeOptions & { outputSchema?: object }> = {
  ...JUDGE_OPTIONS,
  ...EXTRACTION_OPTIONS,
  client: anything,
};

/**
 * Makes an evaluator that asks a language model about code, once it is found in the outputs: a judge with the options
 * `codeExtractionStrategy`, `codeExtractor` and `client` besides those of {@link createLLMAsJudge}.
 *
 * The code is the variable `{outputs}` of the prompt; `{inputs}` is empty where they are not passed.
 *
 * @returns An evaluator whose result is that of a judge; where no code is found, the score is `false` and
 * `metadata.code_extraction_failed` is `true`.
 * @throws {@link OpenEvalsError} What {@link createLLMAsJudge} throws, also if the model that takes the code out fails;
 * `invalid_input` for outputs that are no text; `callback_failed` when the `codeExtractor` throws.
 *
 * @example
 * ```ts
 * import { createCodeLLMAsJudge } from "openevals-wasm";
 *
 * const isShort = createCodeLLMAsJudge({
 *   prompt: "{outputs}",
 *   codeExtractionStrategy: "markdown_code_blocks",
 *   judge: ({ messages }) => ({ score: messages[0]!.content.length < 40 }),
 * });
 * const result = await isShort({ outputs: "Here you are:\n```ts\nexport const one = 1;\n```\nHappy to help with more!" });
 * console.log(result.score); // true
 * ```
 */
export function createCodeLLMAsJudge(
  options: CodeLLMAsJudgeOptions & { outputSchema?: undefined },
): CodeEvaluator;
/**
 * The same with an answer of your own form.
 *
 * @returns An evaluator whose result is the object that the model answered; where no code is found, it is
 * `{ key, score: false, comment, metadata: { code_extraction_failed: true } }`.
 */
export function createCodeLLMAsJudge<Output = Record<string, unknown>>(
  options: CodeLLMAsJudgeOptions & { outputSchema: object },
): CodeEvaluator<Output | EvaluatorResult>;
export function createCodeLLMAsJudge(
  options: CodeLLMAsJudgeOptions & { outputSchema?: object | undefined },
): CodeEvaluator<any> {
  const read = checkOptions("createCodeLLMAsJudge", options, OPTIONS);
  const { codeExtractionStrategy, codeExtractor, client, ...asked } = read;
  const { model, feedbackKey = "code_correctness" } = asked;
  const judge = asked.judge ?? (model === undefined ? client : undefined);
  const evaluate = createLLMAsJudge({ ...asked, feedbackKey, judge }, "");
  const extraction = {
    codeExtractionStrategy,
    codeExtractor,
    model,
    client: client ?? judge,
    cacheKey: asked.cacheKey,
    structuredOutputMethod: asked.structuredOutputMethod,
  };
  const judged = (code: string, params: CodeParams) =>
    evaluate({ ...params, inputs: params.inputs ?? "", outputs: code } as JudgeParams);
  const evaluator = extractsCode(
    "code_llm_as_judge",
    extraction,
    feedbackKey,
    withAccessOf(judged, [evaluate]),
  );
  return Object.assign(evaluator, { scale: evaluate.scale });
}
