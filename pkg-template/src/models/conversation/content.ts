/** Reads the content of messages. */

import { CALLS, hasType } from "./calls.js";
import { type AnyMessage, isLangChainMessage } from "./forms.js";

/** The content of a message without the parts that are calls, or repeat them in LangChain's messages. */
export function contentOf(message: AnyMessage): unknown {
  const { tool_calls, additional_kwargs: more, content } = message;
  const hasOthers = tool_calls?.length || more?.tool_calls;
  if (!Array.isArray(content) || (hasOthers && !isLangChainMessage(message))) return content;
  return content.filter((part) => !hasType(hasOthers ? REPEATED : CALLS, part));
}

/** The types of calls that LangChain also has in `tool_calls`, and their chunks. */
const REPEATED = /^((server_)?tool_(use|call)|functionCall|input_json_delta)$/;
