/** The types of code evaluators. */

import type { EvaluatorResult } from "../../core/types.js";
import type { JudgeModel, StructuredOutputMethod } from "../../models/chat/judge-model.js";

/** The parameters of a code evaluator. */
export interface CodeParams {
  /** The input of the application. */
  inputs?: unknown;
  /**
   * Its answer: a string; a message, whose `content` is text or a list of parts with text; or `{ messages }`, whose
   * last message counts.
   */
  outputs: string | Record<string, any>;
  /** Any other variable; evaluators with a model make it available to their prompt. */
  [variable: string]: unknown;
}

/** An evaluator of code. */
export interface CodeEvaluator<Result = EvaluatorResult> {
  (params: CodeParams): Promise<Result>;
  /**
   * Scores many rows and returns the results in their order. If one row fails, the batch is rejected with an error that
   * names it.
   */
  batch(rows: readonly CodeParams[]): Promise<Result[]>;
}

/** The options of code evaluators without a judge. */
export interface CodeEvaluatorOptions extends CodeExtractionOptions {
  /** The `key` of the result. */
  feedbackKey?: string | undefined;
}

/**
 * How code is extracted from outputs: `none` uses them unchanged; `markdown_code_blocks` joins their fenced code
 * blocks, except for those of shells and JSON; `llm` asks a model.
 */
export type CodeExtractionStrategy = "none" | "llm" | "markdown_code_blocks";

/** Extracts the code from outputs, which are passed unchanged; returns `null` or an empty string if there is none. */
export type CodeExtractor = (
  outputs: string | Record<string, unknown>,
) => string | null | Promise<string | null>;

/** The options of all code evaluators. */
export interface CodeExtractionOptions {
  /** How the code is extracted from the outputs; `none` by default. */
  codeExtractionStrategy?: CodeExtractionStrategy | undefined;
  /** Your own function that extracts the code; excludes a strategy. */
  codeExtractor?: CodeExtractor | undefined;
  /** The model that extracts the code with the strategy `llm`, named as for {@link initChatModel}. */
  model?: string | undefined;
  /** The client that extracts the code with the strategy `llm`, instead of `model`. Anything that can be a `judge`. */
  client?: JudgeModel | undefined;
  /** Identifies the client in the cache of an experiment, as for `createLLMAsJudge`. */
  cacheKey?: string | undefined;
  /** The structured output method of a LangChain chat model, as for `createLLMAsJudge`. */
  structuredOutputMethod?: StructuredOutputMethod | undefined;
}

/** A language whose comments are known. */
export type CodeLanguage = "typescript" | "python";

/** The extracted code, or why there is none. */
export type Extraction = { code: string } | { failure: string };

/** An error that a compiler reports. */
export interface CodeDiagnostic {
  /** Its number, which is the same in every language and nearly every version. */
  code: number;
  /** The message. */
  message: string;
  /** The position in the code; missing if the error is elsewhere. */
  position?: number;
}

/** Checks a program that consists of one file. */
export type TypeCheck = (code: string) => Promise<CodeDiagnostic[]>;
