/** Calls an evaluator of any kind with one row. */

import { callbackFailed, invalidConfig, isError } from "../../core/errors.js";
import { checkedParams } from "../../core/input/checked-params.js";
import { show } from "../../core/input/checks.js";
import type { EvaluationResult } from "../../core/records/types.js";
import type { ConversationEvaluator, EvaluatorFunction } from "../../evaluation.js";
import { messagesOf } from "../../evaluators/calls/messages.js";
import { readResults } from "../../evaluators/calls/read-results.js";

/** An evaluator of this package, your own function, or a recipe with `evaluate(messages, tools)`. */
export type AnyEvaluator = EvaluatorFunction | ConversationEvaluator;

/** Scores a row. */
export type ScoreRow = (params: Record<string, unknown>) => Promise<EvaluationResult[]>;

/**
 * Reads an evaluator.
 *
 * @param maker The name of the calling function in messages.
 * @throws {@link OpenEvalsError} `invalid_config` if it is not an evaluator.
 */
export function readEvaluator(maker: string, evaluator: AnyEvaluator): { name: string; score: ScoreRow } {
  const { evaluate, feedbackKey, evalName, name: functionName } = Object(evaluator);
  const key = feedbackKey ?? evalName ?? functionName;
  const name = typeof key === "string" && key ? key : "evaluator";
  if (typeof evaluator === "function")
    return { name, score: throwingErrors(name, (params) => evaluator(checkedParams(params))) };
  if (typeof evaluate === "function") {
    const evaluateMessages = (params: Record<string, unknown>) => {
      const { messages, tools } = messagesOf(params);
      return evaluator.evaluate(messages, tools);
    };
    return { name, score: throwingErrors(name, evaluateMessages) };
  }
  throw invalidConfig(
    `${maker} needs an evaluator: a function, or an object with evaluate(messages, tools); it got ${show(evaluator)}`,
  );
}

/** Reads the results of a function. Errors that it throws keep their class; other thrown values become errors. */
const throwingErrors =
  (name: string, evaluate: (params: Record<string, unknown>) => unknown): ScoreRow =>
  async (params) => {
    try {
      return readResults(await evaluate(params), name);
    } catch (thrown) {
      throw isError(thrown) ? thrown : callbackFailed(name, thrown);
    }
  };
