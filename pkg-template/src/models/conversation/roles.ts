/** Roles of messages, with OpenAI's names. */

import { type AnyMessage, isLangChainMessage } from "./forms.js";

/** LangChain's names of roles. A map, because a role may be any string, such as `constructor`. */
const LANGCHAIN_ROLES = new Map<unknown, string>([
  ["human", "user"],
  ["ai", "assistant"],
  ["system", "system"],
  ["tool", "tool"],
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
