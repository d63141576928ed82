/** Roles of messages, with OpenAI's names. */

import { type AnyMessage, isLangChainMessage } from "./forms.js";

/** LangChain's names of roles, and of its classes. A map, because a role may be any string, such as `constructor`. */
const LANGCHAIN_ROLES = new Map<unknown, string>([
  ["human", "user"],
  ["ai", "assistant"],
  ["system", "system"],
  ["tool", "tool"],
  ["HumanMessage", "user"],
  ["AIMessage", "assistant"],
  ["AIMessageChunk", "assistant"],
  ["SystemMessage", "system"],
  ["ToolMessage", "tool"],
]);

/**
 * The role of a message in any form; `undefined` without one. Plain objects of LangChain, which its servers send, have the
 * role as their type.
 */
export function roleOf(message: AnyMessage): unknown {
  const { role, type, additional_kwargs: more } = message;
  // LangChain marks system messages that were developer messages.
  const named = role ?? more?.__openai_role__;
  if (named != null) return LANGCHAIN_ROLES.get(named) ?? named;
  const kind = isLangChainMessage(message) ? (message.getType?.() ?? message._getType?.() ?? "") : undefined;
  return LANGCHAIN_ROLES.get(kind ?? type) ?? kind;
}

/**
 * The message in a stored message of LangChain: one of `JSON.stringify`, or of `mapChatMessagesToStoredMessages()`. Returns any
 * other value unchanged.
 */
export function unwrapped(value: unknown): unknown {
  const { role, type, data, lc, id, kwargs } = Object(value) as AnyMessage;
  const [name, fields] = lc ? [id?.at?.(-1), kwargs] : [type, data];
  const isStored = role == null && fields === Object(fields) && (LANGCHAIN_ROLES.has(name) || fields.role);
  return isStored ? { type: name, content: fields.content_blocks, ...fields } : value;
}
