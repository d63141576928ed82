/** The common types of all recipes. */

import type { PassOptions } from "../../core/passing.js";
import type { TokenUsage } from "../../core/records/usage.js";
import type { JudgeModel, StructuredOutputMethod } from "../../models/chat/judge-model.js";

/** The result of an evaluation. */
export interface EvaluationOutput {
  /** The name of the evaluation, such as `"claim_verification"`. */
  evalName: string;
  /** Whether there was anything to evaluate. If not, ignore the score. */
  applicable: boolean;
  /** From 0 to 100; 0 if the evaluation is not applicable. */
  score: number;
  /** Possible improvements, worded for a model that writes the next answer. */
  feedback?: string;
  /** Further findings, which each evaluation documents, and `usage` if the provider reports it. */
  metadata: Record<string, unknown>;
  /** The error, if the evaluation failed. */
  error?: Error;
}

/** The result of every recipe. */
export interface RecipeResult {
  /** Whether there was anything to evaluate. */
  applicable: boolean;
  /** From 0 to 100; 0 if there was nothing to evaluate. */
  score: number;
  /** Possible improvements. */
  feedback?: string;
  /** The tokens used, if the provider reports them. */
  usage?: TokenUsage;
}

/** The options of every evaluator. */
export interface BaseEvaluatorConfig extends PassOptions {
  /**
   * The model: its name as for `initChatModel`, or any `judge` of `createLLMAsJudge`, such as a function;
   * `"openai:gpt-5.4"` by default. Each answer has the time limit of `initChatModel`, five minutes by default. It
   * applies to each step, not to their total; for another limit, pass `initChatModel(name, { timeoutMs })`.
   */
  model?: string | JudgeModel | undefined;
  /** A client of the package `openai`; `model` is then the name of its model. */
  judge?: JudgeModel | undefined;
  /** Identifies a function in the cache of an experiment, as for `createLLMAsJudge`. */
  cacheKey?: string | undefined;
  /** The structured output method of a LangChain chat model, as for `createLLMAsJudge`. */
  structuredOutputMethod?: StructuredOutputMethod | undefined;
}

// `any`, since messages and tools of every provider's types have to fit.

/**
 * A message of a conversation: an item of OpenAI's Responses API (messages, `function_call`, `function_call_output`,
 * `reasoning`), a message of its Chat Completions API, or a LangChain message. They are recognised by their shape.
 */
export type RecipeMessage = Record<string, any>;

/** A tool: `{ type: "function", function: { name, description, parameters } }`, or the same without `function`. */
export type RecipeTool = Record<string, any>;

/** Your own evaluator, made by {@link EvaluatorClass}. */
export interface RecipeEvaluator {
  /** Evaluates the last answer of the conversation. */
  evaluate(messages: readonly RecipeMessage[], tools: readonly RecipeTool[]): Promise<EvaluationOutput>;
}

/** A class of your own evaluators, for `evaluate()`. */
export type EvaluatorClass = new (config?: any) => RecipeEvaluator;
