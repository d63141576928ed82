/** What the claims of an answer are verified against. */

import { toText } from "../../core/input/json.js";
import type { ChatMessage } from "../../models/conversation/chat-messages.js";
import { textOf } from "../../models/conversation/text.js";
import type { ClaimSource } from "../../openevals.types.js";
import { readConversation } from "./messages.js";
import type { RecipeMessage } from "./types.js";

/**
 * The messages of the system and the user, and the outputs of tools but for those with these names. What the assistant
 * said and called is no source.
 */
export function sourcesOf(
  messages: readonly RecipeMessage[],
  ignoreToolNames: readonly string[],
): ClaimSource[] {
  const items = readConversation(messages);
  const calls = items.flat().flatMap(({ tool_calls }) => tool_calls ?? []);
  const tools = new Map(calls.map(({ id, name }) => [id, name]));
  return items.flatMap((item, index) => {
    const said = item.filter(({ role }) => SOURCES.has(role));
    const sources = said.flatMap((message) => {
      const { role, tool_call_id, name } = message;
      const isOutput = role === "tool" || role === "function";
      const called = isOutput ? (tools.get(tool_call_id) ?? name) : undefined;
      const tool = typeof called === "string" ? called : "";
      if (ignoreToolNames.includes(tool)) return [];
      const title = isOutput ? `function_call_output_${index}${tool ? `_${tool}` : ""}` : `${role}_${index}`;
      return partsOf(message).flatMap((part) => {
        const own = textOf([part]);
        const text = own || !isOutput || isMedia(part) ? own : toText(part, `messages[${index}]`);
        return text ? { title, text } : [];
      });
    });
    // One that is whole has the number of its message alone.
    const isWhole = said.length === 1 && !Array.isArray(said[0]?.content);
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

/** Whether a part of a content has nothing to be read. */
const isMedia = (part: unknown): boolean => {
  const { type } = Object(part);
  return typeof type === "string" && /image|audio|file|screenshot/.test(type);
};
