/** Conversations in all their forms, and the texts that recipes read of them. */

import { toOpenAIMessage } from "../chat/openai-messages.js";
import type { Engine } from "../engine.js";
import { OpenEvalsError, throwing } from "../errors.js";
import { toJson } from "../input/json.js";
import type { RecipeMessage } from "./types.js";

/** A message of the Chat Completions API. */
interface ChatMessage {
  role?: string;
  content?: unknown;
  tool_calls?: { id?: string; function?: { name?: string; arguments?: string } }[];
  tool_call_id?: string;
}

/** A conversation as messages of the Chat Completions API, one for each message or item that it was given as. */
export class Conversation {
  readonly #messages: readonly ChatMessage[];

  constructor(messages: readonly RecipeMessage[]) {
    if (!Array.isArray(messages)) {
      throw new OpenEvalsError("invalid_input", "messages has to be a list of messages.");
    }
    this.#messages = messages.map((message, index) => toChatMessage(message, `messages[${index}]`));
  }

  /** What was said, to the end or in the first so many messages, as a model reads it. */
  history(engine: Engine, { until = this.#messages.length, system = true } = {}): string {
    const messages = this.#messages.slice(0, until).filter(({ role }) => system || !isSystem(role));
    return JSON.parse(throwing(() => engine.renderTrajectory(toJson(messages, "messages"), "messages")));
  }

  /** The text of the last message of a role; empty if there is none. */
  last(role: "user" | "assistant"): string {
    return textOf(this.#messages[this.#lastIndex((message) => message.role === role && !!textOf(message))]);
  }

  /** How many messages there are up to the last one of the user, and with it. */
  get untilLastUser(): number {
    return this.#lastIndex(({ role }) => role === "user") + 1 || this.#messages.length;
  }

  /** How many messages there are before the answer that is evaluated. */
  get untilLastAssistant(): number {
    const last = this.#lastIndex((message) => message.role === "assistant" && !!textOf(message));
    return last < 0 ? this.#messages.length : last;
  }

  #lastIndex(matches: (message: ChatMessage) => boolean): number {
    for (let index = this.#messages.length - 1; index >= 0; index--) {
      if (matches(this.#messages[index] as ChatMessage)) return index;
    }
    return -1;
  }
}

const isSystem = (role?: string): boolean => role === "system" || role === "developer";

/** An item of the Responses API, or a message of any other kind, as a message of the Chat Completions API. */
function toChatMessage(message: RecipeMessage, path: string): ChatMessage {
  const { type, call_id, name, arguments: args, output } = message ?? {};
  if (type === "function_call") {
    return { role: "assistant", tool_calls: [{ id: call_id, function: { name, arguments: args } }] };
  }
  if (type === "function_call_output") return { role: "tool", tool_call_id: call_id, content: output };
  const read = toOpenAIMessage(message) as ChatMessage;
  if (typeof read?.role === "string") return read;
  throw new OpenEvalsError("invalid_input", `${path} is no message; a message has a role, or a type.`);
}

/** The texts of a message, one under the other. */
function textOf(message: ChatMessage | undefined): string {
  const content = message?.content;
  if (typeof content === "string") return content;
  if (!Array.isArray(content)) return "";
  const texts = content.map((part) => (typeof part === "string" ? part : part?.text));
  return texts.filter((text) => typeof text === "string").join("\n");
}
