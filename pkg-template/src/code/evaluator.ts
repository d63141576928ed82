/** What all evaluators of code have in common: they find the code, and then score it. */

import { OpenEvalsError } from "../errors.js";
import { given, knownOptions } from "../input/options.js";
import { allRows } from "../input/rows.js";
import { traced } from "../tracing/hook.js";
import type { EvaluatorResult } from "../types.js";
import { type CodeExtractionOptions, extractionOf } from "./extraction.js";

/** What an evaluator of code is called with. */
export interface CodeParams {
  /** What the application was asked. */
  inputs?: unknown;
  /**
   * What it answered: a string; a message, whose `content` is text or a list of parts with text; or `{ messages }`, of
   * which the last counts.
   */
  outputs: string | Record<string, any>;
  /** Anything else; evaluators that ask a model put it into their prompt. */
  [variable: string]: unknown;
}

/** An evaluator of code. */
export interface CodeEvaluator<Result = EvaluatorResult> {
  (params: CodeParams): Promise<Result>;
  /** Scores many rows; the results are in their order. One that cannot be scored rejects the batch, and is named. */
  batch(rows: readonly CodeParams[]): Promise<Result[]>;
}

/** The options of evaluators of code that judge without a model. */
export interface CodeEvaluatorOptions extends CodeExtractionOptions {
  /** The `key` of the result. */
  feedbackKey?: string | undefined;
}

/** Refuses options that are none, or that only another evaluator has; `more` are those that not all of them have. */
export function checkOptions(maker: string, options: object, more: readonly string[]): void {
  const all = ["codeExtractionStrategy", "codeExtractor", "model", "client", "feedbackKey"];
  knownOptions(maker, options, [...all, ...more]);
}

/** Makes an evaluator whose score is of the code and nothing else; `runName` is what LangSmith knows its runs by. */
export function scoresCode(
  runName: string,
  options: CodeEvaluatorOptions,
  defaultKey: string,
  score: (code: string) => Promise<Omit<EvaluatorResult, "key">>,
): CodeEvaluator {
  const { codeExtractionStrategy, model, client, feedbackKey: key = defaultKey } = options;
  given("feedbackKey", key, "a string", (text) => typeof text === "string");
  if (codeExtractionStrategy !== "llm" && (model !== undefined || client !== undefined)) {
    throw new OpenEvalsError(
      "invalid_config",
      'model and client take code out of the outputs, so they need codeExtractionStrategy: "llm".',
    );
  }
  return extractsCode(runName, options, key, async (code) => ({ key, ...(await score(code)) }));
}

/** Makes an evaluator that finds the code, and leaves the rest to `evaluate`. */
export function extractsCode<Result>(
  runName: string,
  options: CodeExtractionOptions,
  key: string,
  evaluate: (code: string, params: CodeParams) => Promise<Result>,
): CodeEvaluator<Result | EvaluatorResult> {
  const extract = extractionOf(options);
  const evaluateOutputs = async (params: CodeParams): Promise<Result | EvaluatorResult> => {
    if (params?.outputs == null) {
      throw new OpenEvalsError(
        "invalid_input",
        "An evaluator of code needs outputs. Call it with { inputs, outputs }.",
      );
    }
    const found = await extract(params.outputs);
    if ("code" in found) return evaluate(found.code, params);
    const comment = `Code extraction failed: ${found.failure}.`;
    return { key, score: false, comment, metadata: { code_extraction_failed: true } };
  };
  const evaluator = traced(runName, evaluateOutputs, { inputs: { inputs: "" } });
  return Object.assign(evaluator, {
    async batch(rows: readonly CodeParams[]) {
      if (!Array.isArray(rows))
        throw new OpenEvalsError("invalid_input", "A batch is a list of { inputs, outputs }.");
      return allRows(rows, evaluator);
    },
  });
}
