/** Finds the sources against which the claims of an answer are verified. */

import { toText } from "../../core/input/text.js";
import type { ChatMessage } from "../../models/conversation/chat-messages.js";
import { textOf } from "../../models/conversation/text.js";
import type { ClaimSource } from "../../openevals.types.js";
import { readConversation } from "./messages.js";
import type { RecipeMessage } from "./types.js";

/**
 * The system and user messages, and the outputs of tools except for the ignored ones. The assistant's own texts and
 * calls are not sources.
 */
export function sourcesOf(
  messages: readonly RecipeMessage[],
  ignoreToolNames: readonly string[],
): ClaimSource[] {
  const items = readConversation(messages);
  const calls = items.flat().flatMap(({ tool_calls }) => tool_calls ?? []);
  const tools = new Map(calls.map(({ id, name }) => [id, name]));
  return items.flatMap((item, index) => {
    const sourceMessages = item.filter(({ role }) => SOURCES.has(role));
    const sources = sourceMessages.flatMap((message) => {
      const { role, tool_call_id, name } = message;
      const isOutput = role === "tool" || role === "function";
      const toolName = isOutput ? (tools.get(tool_call_id) ?? name) : undefined;
      const tool = typeof toolName === "string" ? toolName : "";
      if (ignoreToolNames.includes(tool)) return [];
      const title = isOutput ? `function_call_output_${index}${tool ? `_${tool}` : ""}` : `${role}_${index}`;
      return partsOf(message).flatMap((part) => {
        const partText = textOf([part]);
        const text = partText || !isOutput || isMedia(part) ? partText : toText(part, `messages[${index}]`);
        return text ? { title, text } : [];
      });
    });
    // A message with a single text needs no number for its parts.
    const isWhole = sourceMessages.length === 1 && !Array.isArray(sourceMessages[0]?.content);
    return sources.map(({ title, text }, part) => ({
      sourceId: isWhole ? `${index}` : `${index}_${part}`,
      title: isWhole ? title : `${title}_part_${part}`,
      content: text,
    }));
  });
}

const SOURCES = new Set<unknown>(["system", "developer", "user", "tool", "function"]);

const partsOf = ({ content }: ChatMessage): unknown[] =>
  Array.isArray(content) ? content : content ? [content] : [];

/** Whether a content part has no text. */
const isMedia = (part: unknown): boolean => {
  const { type } = Object(part);
  return typeof type === "string" && /image|audio|file|screenshot/.test(type);
};
