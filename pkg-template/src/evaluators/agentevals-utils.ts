/** The internal helpers that the main entry point of AgentEvals exports. */

import { typedReading } from "../core/errors.js";
import { named } from "../core/tracing/hook.js";
import type { ChatCompletionMessage, Message } from "../core/types.js";
import { toOpenAIMessage } from "../models/conversation/langchain.js";
import { messagesOf } from "../models/conversation/list.js";
import { _runEvaluator as run } from "./run-evaluator.js";
import { historyOf } from "./trajectory/langgraph.js";

export { processScore } from "./run-evaluator.js";

/** Converts a LangChain message to OpenAI's format. Other messages are returned unchanged. */
export const _convertToOpenAIMessage = (message: Message): ChatCompletionMessage =>
  typedReading("_convertToOpenAIMessage", () => toOpenAIMessage(message) as ChatCompletionMessage);

/** Like {@link _convertToOpenAIMessage}, without LangChain's `id`. Tool messages without a `tool_call_id` get one. */
export const _convertToChatCompletionMessage = (message: Message): ChatCompletionMessage =>
  typedReading("_convertToChatCompletionMessage", () => {
    let converted = _convertToOpenAIMessage(message);
    if (converted !== message)
      converted = { ...converted, id: undefined } as unknown as ChatCompletionMessage;
    if (converted.role !== "tool" || converted.tool_call_id) return converted;
    return { ...converted, tool_call_id: `generated-${Math.random().toString(36).slice(2)}` };
  });

/** Converts a list of messages, or `{ messages }`, to OpenAI's format. `undefined` gives an empty list. */
export const _normalizeToOpenAIMessagesList = (
  messages?: readonly Message[] | { messages: readonly Message[] },
): ChatCompletionMessage[] =>
  typedReading("_normalizeToOpenAIMessagesList", () =>
    messages
      ? messagesOf(messages, "messages").map((message) => _convertToChatCompletionMessage(message as Message))
      : [],
  );

/** Calls a scorer and converts its return value to results; traces name AgentEvals as the framework. */
const runAsAgentEvals: typeof run = named("_runEvaluator", (name, scorer, key, params) =>
  run(name, scorer, key, params, "agentevals"),
);

// A bundler would rename one of two functions called `_runEvaluator`, so this function gets its name on export.
export { runAsAgentEvals as _runEvaluator };

/** Reads the states of a LangGraph thread and of its subgraphs. */
export const _getLangGraphStateHistoryRecursive: typeof historyOf = (graph, config) =>
  historyOf(graph, config);
