/** Converts messages of LangChain into OpenAI's form. */

import { definedFields } from "../../core/input/objects.js";
import { toText } from "../../core/input/text.js";
import { contentOf } from "./content.js";
import { type AnyMessage, hasLangChainMessages, isLangChainMessage } from "./forms.js";
import { roleOf } from "./roles.js";

/** Converts a message of LangChain; returns any other value unchanged. */
export function toOpenAIMessage(message: unknown): unknown {
  if (!isLangChain(message)) return message;
  const { name, tool_call_id, id, content, tool_calls, additional_kwargs: more } = message;
  const calls = tool_calls?.length ? tool_calls : more?.tool_calls;
  return definedFields({
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
  return definedFields({ id, type: "function", function: { name, arguments: text } });
}

/** Converts the LangChain messages in a value: a message, a list, or `{ messages }`. */
export function withOpenAIMessages(value: unknown): unknown {
  if (!hasLangChainMessages(value)) return value;
  if (Array.isArray(value)) return value.map(toOpenAIMessage);
  const { messages } = value as { messages?: unknown };
  return Array.isArray(messages)
    ? { ...(value as object), messages: messages.map(toOpenAIMessage) }
    : toOpenAIMessage(value);
}

const isLangChain = (message: unknown): message is AnyMessage => isLangChainMessage(message);
