/** LangChain's messages in OpenAI's form. */

import { toText } from "../../core/input/json.js";
import { contentOf } from "./calls.js";
import { type AnyMessage, isLangChainMessage } from "./forms.js";
import { roleOf } from "./roles.js";

/** A message of LangChain in OpenAI's form; any other value as it is. */
export function toOpenAIMessage(message: unknown): unknown {
  if (!isLangChain(message)) return message;
  const { name, tool_call_id, id, content, tool_calls, additional_kwargs: more } = message;
  const calls = tool_calls?.length ? tool_calls : more?.tool_calls;
  return withoutUndefined({
    role: roleOf(message),
    content: calls ? contentOf(message) : content,
    name,
    tool_calls: Array.isArray(calls) ? calls.map(toOpenAICall) : calls,
    tool_call_id,
    id,
  });
}

function toOpenAICall(call: AnyMessage | null): unknown {
  if (typeof call !== "object" || !call || call.function) return call;
  const { id, name, args } = call;
  const text = args === undefined ? args : toText(args, "args");
  return withoutUndefined({ id, type: "function", function: { name, arguments: text } });
}

/** A value with the messages of LangChain in it in OpenAI's form: a message, a list, or `{ messages }`. */
export function withOpenAIMessages(value: unknown): unknown {
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.some(isLangChain) ? value.map(toOpenAIMessage) : value;
  const { messages } = value as { messages?: unknown };
  if (Array.isArray(messages) && messages.some(isLangChain)) {
    return { ...value, messages: messages.map(toOpenAIMessage) };
  }
  return toOpenAIMessage(value);
}

const isLangChain = (message: unknown): message is AnyMessage =>
  typeof message === "object" && message !== null && isLangChainMessage(message);

const withoutUndefined = (object: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(object).filter(([, value]) => value !== undefined));
