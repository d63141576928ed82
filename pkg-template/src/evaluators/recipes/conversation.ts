/** Conversations, and the parts of them that recipes use. */

import type { Engine } from "../../core/engine/engine.js";
import type { ChatMessage } from "../../models/conversation/chat-messages.js";
import { eachMessage } from "../../models/conversation/list.js";
import { renderedMessages } from "../../models/conversation/rendered.js";
import { textOf } from "../../models/conversation/text.js";
import { checkedCalls } from "../../models/conversation/unread.js";
import { readConversation } from "./messages.js";
import type { RecipeMessage } from "./types.js";

/** A conversation as messages of the Chat Completions API. */
export class Conversation {
  readonly messages: readonly ChatMessage[];

  readonly #original: readonly RecipeMessage[];

  constructor(messages: readonly RecipeMessage[]) {
    this.#original = messages;
    this.messages = readConversation(messages).flat();
  }

  /** Renders the first `until` messages for a model, without those of some roles. */
  history(engine: Engine, { until = this.messages.length, without = [] as readonly unknown[] } = {}): string {
    eachMessage(this.#original, "messages", checkedCalls);
    const messages = this.messages.slice(0, until).filter(({ role }) => !without.includes(role));
    return renderedMessages(engine, messages, "messages");
  }

  /** The text of the last message of a role that has text; empty if there is none. */
  last(role: "user" | "assistant"): string {
    return textsOf(this.messages[this.#lastWithText(role)]);
  }

  /** The text of the system messages. */
  get systemPrompt(): string {
    const messages = this.messages.filter(({ role }) => OPERATORS.includes(role));
    return messages.map(textsOf).join("\n\n");
  }

  /** The number of messages up to and including the last user message. */
  get untilLastUser(): number {
    return this.#lastUser + 1 || this.messages.length;
  }

  /** The number of messages before the assistant's last turn; without a user message, before its first message. */
  get untilLastTurn(): number {
    if (this.#lastUser >= 0) return this.untilLastUser;
    const first = this.messages.findIndex(({ role }) => role === "assistant");
    return first < 0 ? this.messages.length : first;
  }

  /** Whether the assistant has said or done anything in its last turn. */
  get isAnswered(): boolean {
    return this.messages.slice(this.untilLastTurn).some(({ role }) => !OPERATORS.includes(role));
  }

  /** The number of messages before the evaluated answer. */
  get untilLastAssistant(): number {
    const last = this.#lastWithText("assistant");
    return last < 0 ? this.messages.length : last;
  }

  get #lastUser(): number {
    return this.#lastIndex(({ role }) => role === "user");
  }

  #lastWithText(role: "user" | "assistant"): number {
    return this.#lastIndex((message) => message.role === role && !!textsOf(message));
  }

  #lastIndex(matches: (message: ChatMessage) => boolean): number {
    for (let index = this.messages.length - 1; index >= 0; index--) {
      if (matches(this.messages[index] as ChatMessage)) return index;
    }
    return -1;
  }
}

/** The roles of the operator, who configures the assistant. */
export const OPERATORS: readonly unknown[] = ["system", "developer"];

/** The texts of a message, joined by line feeds. */
const textsOf = (message: ChatMessage | undefined): string => textOf(message?.content, "\n");
