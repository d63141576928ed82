import { invalidConfig } from "../../core/errors.js";
import { readable } from "../../core/input/checks.js";
import type { ChatMessage } from "../../models/conversation/chat-messages.js";
import { listIn } from "../../models/conversation/list.js";
import { textOf } from "../../models/conversation/text.js";
import { readConversation } from "../recipes/messages.js";
import type { RecipeMessage } from "../recipes/types.js";
import type { ContextSource } from "./row.js";

/** The messages of a conversation in the form of the Chat Completions API. */
export const chatMessagesOf = (value: unknown): ChatMessage[] =>
  readConversation((listIn(value) ?? []) as RecipeMessage[]).flat();

/**
 * Finds contexts in a trajectory: the last result of a tool. A result is a JSON list of contexts, an object with such a
 * list as its only list, content parts with one text each, or one text. Pass it as `contextFrom`; the messages are those
 * in `outputs`.
 *
 * @param name The name of the tool.
 * @returns A function of the parameters, which returns `undefined` if the tool was not called.
 * @throws {@link OpenEvalsError} `invalid_config` for an empty name. The function throws `invalid_input` for values
 * that are not messages.
 *
 * @example
 * ```ts
 * import { faithfulness, lastToolResult } from "openevals-wasm/rag";
 *
 * const faithful = faithfulness({ model: "openai:gpt-5.4", contextFrom: lastToolResult("search") });
 * export const score = () =>
 *   faithful({
 *     outputs: [
 *       { role: "user", content: "When does the shop open?" },
 *       { role: "assistant", tool_calls: [{ id: "1", function: { name: "search", arguments: "{}" } }] },
 *       { role: "tool", tool_call_id: "1", content: '["The shop opens at 9 a.m."]' },
 *       { role: "assistant", content: "At nine." },
 *     ],
 *   });
 * ```
 */
export function lastToolResult(name: string): ContextSource {
  if (typeof name !== "string" || !name) throw invalidConfig("lastToolResult needs the name of a tool");
  return (row: { outputs?: unknown }) => {
    const messages = chatMessagesOf(readable("lastToolResult", () => Object(row).outputs));
    const names = new Map(
      messages.flatMap(({ tool_calls }) => tool_calls ?? []).map((call) => [call.id, call.name]),
    );
    const results = messages.filter(
      ({ role, name: toolName, tool_call_id }) =>
        (role === "tool" || role === "function") && (names.get(tool_call_id) ?? toolName) === name,
    );
    const last = results.at(-1);
    return last && contextsIn(last.content);
  };
}

function contextsIn(content: unknown): unknown {
  if (Array.isArray(content)) {
    const texts = content.map((part) => textOf([part]) || part);
    return texts.length === 1 ? contextsIn(texts[0]) : texts;
  }
  let found = content;
  if (typeof content === "string") {
    try {
      found = JSON.parse(content);
    } catch {
      return content;
    }
  }
  if (Array.isArray(found)) return found;
  const lists = Object.values(Object(found)).filter(Array.isArray);
  return lists.length === 1 && typeof found === "object" ? lists[0] : content;
}
