/** Reads and checks the messages for recipes. */

import { invalidInput } from "../../core/errors.js";
import { show } from "../../core/input/checks.js";
import { callsOf } from "../../models/conversation/calls.js";
import { type ChatMessage, toChatMessages } from "../../models/conversation/chat-messages.js";
import { contentOf } from "../../models/conversation/content.js";
import { isItem } from "../../models/conversation/forms.js";
import { roleOf } from "../../models/conversation/roles.js";
import type { RecipeMessage } from "./types.js";

/** Converts each message of a conversation to one or more chat messages. */
export function readConversation(messages: readonly RecipeMessage[]): ChatMessage[][] {
  if (!Array.isArray(messages)) {
    throw invalidInput("messages has to be a list of messages");
  }
  // Unlike `map`, `Array.from` also visits the holes of a sparse list.
  return Array.from(messages, (message, index) => readMessage(message, `messages[${index}]`));
}

function readMessage(message: unknown, path: string): ChatMessage[] {
  const fields = typeof message === "object" && message ? message : {};
  const role = roleOf(fields);
  const isSpoken = typeof role === "string" && role !== "";
  if (!isSpoken && !isItem(fields)) {
    throw invalidInput(
      `${path} is ${show(message)}, which is not a message: a message has a role and content, and an item of the Responses ` +
        "API has one of its types, such as function_call",
    );
  }
  const place = () => path;
  return toChatMessages(fields, { role, calls: callsOf(fields, place), content: contentOf(fields) }, place);
}
