/** What the main entry point of AgentEvals exports of its inner works. */

import { typedReading } from "../core/errors.js";
import { named } from "../core/tracing/hook.js";
import type { ChatCompletionMessage, Message } from "../core/types.js";
import { toOpenAIMessage } from "../models/conversation/langchain.js";
import { messagesOf } from "../models/conversation/list.js";
import { _runEvaluator as run } from "./run-evaluator.js";
import { historyOf } from "./trajectory/langgraph.js";

export { processScore } from "./run-evaluator.js";

/** A message of LangChain in OpenAI's form; any other as it is. */
export const _convertToOpenAIMessage = (message: Message): ChatCompletionMessage =>
  typedReading("_convertToOpenAIMessage", () => toOpenAIMessage(message) as ChatCompletionMessage);

/** The same without the `id` that LangChain gives; what a tool said gets a `tool_call_id` where it has none. */
export const _convertToChatCompletionMessage = (message: Message): ChatCompletionMessage =>
  typedReading("_convertToChatCompletionMessage", () => {
    let converted = _convertToOpenAIMessage(message);
    if (converted !== message)
      converted = { ...converted, id: undefined } as unknown as ChatCompletionMessage;
    if (converted.role !== "tool" || converted.tool_call_id) return converted;
    return { ...converted, tool_call_id: `generated-${Math.random().toString(36).slice(2)}` };
  });

/** The messages in a list or in `{ messages }`, in OpenAI's form; none of nothing. */
export const _normalizeToOpenAIMessagesList = (
  messages?: readonly Message[] | { messages: readonly Message[] },
): ChatCompletionMessage[] =>
  typedReading("_normalizeToOpenAIMessagesList", () =>
    messages
      ? messagesOf(messages, "messages").map((message) => _convertToChatCompletionMessage(message as Message))
      : [],
  );

/** Calls a scorer and makes results of what it returns, as an evaluator of AgentEvals. */
export const _runEvaluator: typeof run = named("_runEvaluator", (name, scorer, key, params) =>
  run(name, scorer, key, params, "agentevals"),
);

/** The states of a thread and of the graphs in it. */
export const _getLangGraphStateHistoryRecursive: typeof historyOf = (graph, config) =>
  historyOf(graph, config);
