/** What the claims of an answer are verified against. */

import { toText } from "../input/json.js";
import type { ClaimSource } from "./claim-verification.js";
import { textOf } from "./conversation.js";
import { toChatMessages } from "./messages.js";
import type { RecipeMessage } from "./types.js";

/**
 * The messages of the system and the user, and the outputs of tools but for those with these names. What the assistant
 * said and called is no source.
 */
export function sourcesOf(
  messages: readonly RecipeMessage[],
  ignoreToolNames: readonly string[],
): ClaimSource[] {
  const items = messages.map((message, index) => toChatMessages(message, `messages[${index}]`));
  const calls = items.flat().flatMap(({ tool_calls }) => tool_calls ?? []);
  const tools = new Map(calls.map((call) => [call.id, call.function?.name]));
  return items.flatMap((item, index) =>
    item.flatMap(({ role, content, tool_call_id, ...others }) => {
      if (!/^(system|developer|user|tool|function)$/.test(role)) return [];
      const isOutput = role === "tool" || role === "function";
      const tool = isOutput ? (tools.get(tool_call_id) ?? (others as { name?: string }).name) : undefined;
      if (tool !== undefined && ignoreToolNames.includes(tool)) return [];
      const title = isOutput ? `function_call_output_${index}${tool ? `_${tool}` : ""}` : `${role}_${index}`;
      const source = (part: unknown) => {
        const text = textOf({ role, content: [part] });
        return text || !isOutput || isMedia(part) ? text : toText(part, `messages[${index}]`);
      };
      if (!Array.isArray(content)) {
        const text = content ? source(content) : "";
        return text ? [{ sourceId: `${index}`, title, content: text }] : [];
      }
      const texts = content.map(source).filter(Boolean);
      return texts.map((content, part) => ({
        sourceId: `${index}_${part}`,
        title: `${title}_part_${part}`,
        content,
      }));
    }),
  );
}

/** Whether a part of a content has nothing to be read. */
const isMedia = (part: unknown): boolean =>
  /image|audio|file|screenshot/.test((part as { type?: string } | null)?.type ?? "");
