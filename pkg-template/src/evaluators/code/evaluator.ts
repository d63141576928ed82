/** The common part of all code evaluators: they extract the code, then score it. */

import { invalidConfig, invalidInput, typedWork } from "../../core/errors.js";
import { anything, aString, type OptionChecks } from "../../core/input/checks.js";
import { scoreBatch } from "../../core/input/rows.js";
import { VERDICT } from "../../core/scales.js";
import { named, traced } from "../../core/tracing/hook.js";
import type { EvaluatorResult } from "../../core/types.js";
import { withAccessOf } from "../../models/chat/providers/check-access.js";
import { EXTRACTION_OPTIONS, extractionOf } from "./extraction.js";
import type {
  CodeEvaluator,
  CodeEvaluatorOptions,
  CodeExtractionOptions,
  CodeLanguage,
  CodeParams,
} from "./types.js";

/** The checks of the options of code evaluators without a judge. */
export const CODE_OPTIONS: OptionChecks<CodeEvaluatorOptions> = {
  ...EXTRACTION_OPTIONS,
  model: anything,
  client: anything,
  feedbackKey: aString,
};

/** Makes an evaluator that scores only the code; `runName` is the name of its runs in LangSmith. */
export function codeEvaluator(
  runName: string,
  options: CodeEvaluatorOptions,
  defaultKey: string,
  language: CodeLanguage,
  score: (code: string) => Promise<Omit<EvaluatorResult, "key">>,
): CodeEvaluator {
  const { codeExtractionStrategy, model, client, feedbackKey: key = defaultKey } = options;
  if (codeExtractionStrategy !== "llm" && (model !== undefined || client !== undefined)) {
    throw invalidConfig(
      'model and client extract the code from the outputs, so they need codeExtractionStrategy: "llm"',
    );
  }
  const evaluate = async (code: string) => ({ key, ...(await score(code)) });
  return extractingEvaluator(runName, options, key, evaluate, language);
}

/** Makes an evaluator that extracts the code and passes it to `evaluate`. */
export function extractingEvaluator<Result>(
  runName: string,
  options: CodeExtractionOptions,
  key: string,
  evaluate: (code: string, params: CodeParams) => Promise<Result>,
  language?: CodeLanguage,
): CodeEvaluator<Result | EvaluatorResult> {
  const extract = extractionOf(options, language);
  const evaluateOutputs = async (params: CodeParams): Promise<Result | EvaluatorResult> => {
    if (params?.outputs == null) {
      throw invalidInput("An evaluator of code needs outputs. Call it with { inputs, outputs }");
    }
    const found = await extract(params.outputs);
    if ("code" in found) return evaluate(found.code, params);
    const comment = `Code extraction failed: ${found.failure}.`;
    return { key, score: false, comment, metadata: { code_extraction_failed: true } };
  };
  const evaluator = traced(runName, evaluateOutputs, { inputs: { inputs: "" } });
  const batched = Object.assign(named(key, evaluator), {
    feedbackKey: key,
    scale: VERDICT,
    batch: (rows: readonly CodeParams[]) =>
      typedWork(`${runName}.batch`, () => scoreBatch(runName, rows, evaluator)),
  });
  return withAccessOf(batched, [extract, evaluate]);
}
