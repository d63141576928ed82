import { anything, checkOptions, type OptionChecks } from "../../core/input/checks.js";
import type { EvaluatorResult } from "../../core/types.js";
import { withAccessOf } from "../../models/chat/providers/check-access.js";
import { type JudgeParams, makeJudge } from "../judge/judge.js";
import { JUDGE_OPTIONS, type LLMAsJudgeOptions } from "../judge/judge-options.js";
import { extractingEvaluator } from "./evaluator.js";
import { EXTRACTION_OPTIONS } from "./extraction.js";
import type { CodeEvaluator, CodeExtractionOptions, CodeParams } from "./types.js";

/** The options of {@link createCodeLLMAsJudge}. */
export interface CodeLLMAsJudgeOptions
  extends LLMAsJudgeOptions,
    Omit<CodeExtractionOptions, "model" | "client"> {
  /** The `key` of the result; `code_correctness` by default. */
  feedbackKey?: string | undefined;
  /**
   * The client that extracts the code with the strategy `llm`, if it differs from the judge. Anything that can be a
   * `judge`. It is also the judge if neither `judge` nor `model` is given.
   */
  client?: LLMAsJudgeOptions["judge"];
}

/** OpenEvals' name for the same type. */
export type CodeLLMAsJudgeConfig = CodeLLMAsJudgeOptions;

const OPTIONS: OptionChecks<CodeLLMAsJudgeOptions & { outputSchema?: object }> = {
  ...JUDGE_OPTIONS,
  ...EXTRACTION_OPTIONS,
  client: anything,
};

/**
 * Makes an evaluator that extracts code from the outputs and asks a language model about it. Besides the options of
 * {@link createLLMAsJudge}, it has `codeExtractionStrategy`, `codeExtractor` and `client`.
 *
 * The code is the prompt's variable `{outputs}`; `{inputs}` is empty if it is not passed.
 *
 * @returns An evaluator with the result of a judge. If there is no code, the score is `false` and
 * `metadata.code_extraction_failed` is `true`.
 * @throws {@link OpenEvalsError} The errors of {@link createLLMAsJudge}, also from the model that extracts the code;
 * `invalid_input` for outputs without text; `callback_failed` if the `codeExtractor` throws.
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
 * Makes an evaluator whose answer fits your schema.
 *
 * @returns An evaluator whose result is the object that the model answered. If there is no code, it is
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
  const evaluate = makeJudge({ ...asked, feedbackKey, judge }, { runName: "" });
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
  const evaluator = extractingEvaluator(
    "code_llm_as_judge",
    extraction,
    feedbackKey,
    withAccessOf(judged, [evaluate]),
  );
  return Object.assign(evaluator, { scale: evaluate.scale });
}
