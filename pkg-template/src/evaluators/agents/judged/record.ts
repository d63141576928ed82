/** Reads the record of a run for judges: each message as a text, and the turns. */

import { wellFormed } from "../../../core/input/json/well-formed.js";
import { toText } from "../../../core/input/text.js";
import type { ChatMessage } from "../../../models/conversation/chat-messages.js";
import { eachMessage, messagesOf } from "../../../models/conversation/list.js";
import { textOf } from "../../../models/conversation/text.js";
import { checkedCalls } from "../../../models/conversation/unread.js";
import { OPERATORS } from "../../recipes/conversation.js";
import { readConversation } from "../../recipes/messages.js";
import type { RecipeMessage } from "../../recipes/types.js";
import { checkHasMessages } from "../trajectory.js";

/** A turn: one message of the user, or all messages of the agent until the user speaks again. */
export interface Turn {
  /** The index of the first of its messages. */
  message: number;
  text: string;
}

/** The record of a run. Indices refer to the messages as they were passed. */
export interface AgentRecord {
  /** Each message as a text. */
  messages: string[];
  /** The messages of the user. */
  requests: Turn[];
  /** The turns in which the agent says something. */
  turns: Turn[];
  /** The text of the system messages. */
  system: string;
}

/**
 * Reads messages in all forms.
 *
 * @param path The name of the messages in errors.
 * @throws {@link OpenEvalsError} `invalid_input` for anything else, and for an empty list.
 */
export function readRecord(value: unknown, path: string): AgentRecord {
  const messages = messagesOf(value, path) as readonly RecipeMessage[];
  eachMessage(messages, path, checkedCalls);
  const read = readConversation(messages);
  checkHasMessages(read, path);
  const record: AgentRecord = { messages: [], requests: [], turns: [], system: "" };
  let turn: Turn | undefined;
  read.forEach((parts, message) => {
    record.messages.push(
      wellFormed(parts.map((part) => textOfMessage(part, `${path}[${message}]`)).join("\n")),
    );
    for (const { role, content } of parts) {
      const text = wellFormed(textOf(content, "\n")).trim();
      if (!text) continue;
      if (OPERATORS.includes(role)) record.system += record.system ? `\n\n${text}` : text;
      else if (role === "user") {
        record.requests.push({ message, text });
        turn = undefined;
      } else if (role === "assistant") {
        if (turn) turn.text += `\n${text}`;
        else {
          turn = { message, text };
          record.turns.push(turn);
        }
      }
    }
  });
  return record;
}

/** A message with its speaker, and its calls. */
function textOfMessage({ role, name, content, tool_calls = [] }: ChatMessage, place: string): string {
  const text = Array.isArray(content) ? textOf(content, "\n") || toText(content, place) : (content ?? "");
  const speaker = name == null ? role : `${toText(role, place)} (${toText(name, place)})`;
  const line = `${toText(speaker, place)}: ${toText(text, place)}`.trim();
  return [line, ...tool_calls.map((call) => callText(call, place))].join("\n");
}

/** A call as a text: `search({"q":"x"})`. */
export const callText = ({ name, args }: { name: unknown; args: unknown }, place: string): string =>
  `${toText(name ?? "", place)}(${toText(args ?? {}, place)})`;
