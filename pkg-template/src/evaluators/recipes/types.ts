/** Types that all recipes share. */

import type { TokenUsage } from "../../core/records/usage.js";
import type { PassOptions } from "../../core/scale.js";
import type { JudgeModel, StructuredOutputMethod } from "../../models/chat/judge-model.js";

/** The result of an evaluation. */
export interface EvaluationOutput {
  /** The name of the evaluation, such as `"claim_verification"`. */
  evalName: string;
  /** Whether there was anything to evaluate. If not, the score means nothing. */
  applicable: boolean;
  /** From 0 to 100; 0 where the evaluation is not applicable. */
  score: number;
  /** What could be better, for a model that writes the next answer. */
  feedback?: string;
  /** What else was found out: what each evaluation documents, and `usage`, where the provider tells. */
  metadata: Record<string, unknown>;
  /** Why there is no score: the evaluation failed. */
  error?: Error;
}

/** What every recipe answers. */
export interface RecipeResult {
  /** Whether there was anything to evaluate. */
  applicable: boolean;
  /** From 0 to 100; 0 where there was nothing to evaluate. */
  score: number;
  /** What could be better. */
  feedback?: string;
  /** The tokens that were used, where the provider tells. */
  usage?: TokenUsage;
}

/** The options that every evaluator has. */
export interface BaseEvaluatorConfig extends PassOptions {
  /**
   * What is asked: a model as for `initChatModel`, or anything that `createLLMAsJudge` takes as a `judge`, such as a
   * function. `"openai:gpt-5.4"` by default. Each answer may take as long as `initChatModel` says, five minutes by default:
   * so long for each step, not for all of them together; for another limit, pass `initChatModel(name, { timeoutMs })`.
   */
  model?: string | JudgeModel | undefined;
  /** A client of the package `openai`, where `model` is the name of its model. */
  judge?: JudgeModel | undefined;
  /** What the cache of an experiment knows a function by, as for `createLLMAsJudge`. */
  cacheKey?: string | undefined;
  /** How a chat model of LangChain is held to the form of its answers, as for `createLLMAsJudge`. */
  structuredOutputMethod?: StructuredOutputMethod | undefined;
}

// `any` below, since messages and tools of every provider's types have to fit.

/**
 * A message of a conversation: an item of OpenAI's Responses API (messages, `function_call`, `function_call_output`,
 * `reasoning`), a message of its Chat Completions API, or one of LangChain's. They are told apart by their shape.
 */
export type RecipeMessage = Record<string, any>;

/** A tool: `{ type: "function", function: { name, description, parameters } }`, or the same without `function`. */
export type RecipeTool = Record<string, any>;

/** An evaluator of your own, made by {@link EvaluatorClass}. */
export interface RecipeEvaluator {
  /** Evaluates the last answer of the conversation. */
  evaluate(messages: readonly RecipeMessage[], tools: readonly RecipeTool[]): Promise<EvaluationOutput>;
}

/** A class of evaluators, to be used in `evaluate()` beside those that are built in. */
export type EvaluatorClass = new (config?: any) => RecipeEvaluator;
