/** What evaluators of code are called with, how they find the code, and what a compiler says of it. */

import type { EvaluatorResult } from "../../core/types.js";
import type { JudgeModel, StructuredOutputMethod } from "../../models/chat/judge-model.js";

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

/**
 * How code is found in outputs: `none`, they are code and nothing else; `markdown_code_blocks`, it stands in their
 * fenced blocks, but for those of shells and JSON; `llm`, a model takes it out.
 */
export type CodeExtractionStrategy = "none" | "llm" | "markdown_code_blocks";

/** Finds the code in outputs, which come as they were passed; returns `null` where there is none. */
export type CodeExtractor = (
  outputs: string | Record<string, unknown>,
) => string | null | Promise<string | null>;

/** The options that all evaluators of code have. */
export interface CodeExtractionOptions {
  /** How code is found in the outputs; `none` by default. */
  codeExtractionStrategy?: CodeExtractionStrategy | undefined;
  /** Finds the code, in the place of a strategy. */
  codeExtractor?: CodeExtractor | undefined;
  /** The model that takes the code out with the strategy `llm`, as for {@link initChatModel}. */
  model?: string | undefined;
  /** What takes the code out with the strategy `llm`, in the place of `model`: all that can be a `judge`. */
  client?: JudgeModel | undefined;
  /** What the cache of an experiment knows the client by, as for `createLLMAsJudge`. */
  cacheKey?: string | undefined;
  /** How a `client` that is a chat model of LangChain is held to the form of its answers, as for `createLLMAsJudge`. */
  structuredOutputMethod?: StructuredOutputMethod | undefined;
}

/** The code in outputs, or why there is none. */
export type Extraction = { code: string } | { failure: string };

/** What a compiler complains about. */
export interface Complaint {
  /** The number of the message, which is the same in every language and nearly every version. */
  code: number;
  /** What is wrong. */
  message: string;
  /** Where in the code; missing if it is about something else. */
  position?: number;
}

/** Checks a program of one file. */
export type TypeCheck = (code: string) => Promise<Complaint[]>;
