/** Who speaks, as OpenAI calls it. */

import { type AnyMessage, isLangChainMessage } from "./forms.js";

/** What LangChain calls those who speak. A map, since a role may be any string, such as `constructor`. */
const LANGCHAIN_ROLES = new Map<unknown, string>([
  ["human", "user"],
  ["ai", "assistant"],
  ["system", "system"],
  ["tool", "tool"],
]);

/**
 * The role of a message in any form; `undefined` where it has none. LangChain's plain objects, as its servers send them,
 * have theirs as their type.
 */
export function roleOf(message: AnyMessage): unknown {
  const { role, type, additional_kwargs: more } = message;
  // LangChain notes where a system message was a developer message.
  const named = role ?? more?.__openai_role__;
  if (named != null) return LANGCHAIN_ROLES.get(named) ?? named;
  const kind = isLangChainMessage(message) ? (message.getType?.() ?? message._getType?.() ?? "") : undefined;
  return LANGCHAIN_ROLES.get(kind ?? type) ?? kind;
}
