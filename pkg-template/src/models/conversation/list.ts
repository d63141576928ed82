/** Reads lists of messages. */

import { invalidInput } from "../../core/errors.js";
import { show } from "../../core/input/checks.js";
import { type AnyMessage, isLangChainMessage } from "./forms.js";
import type { MessagePlace } from "./place.js";
import { roleOf, unwrapped } from "./roles.js";

/**
 * The messages of a list, of `{ messages: [...] }`, of `{ outputs: [...] }` alone, or a single message; else `undefined`.
 * Stored messages of LangChain are unwrapped.
 */
export function listIn(value: unknown): readonly unknown[] | undefined {
  const list = rawListIn(unwrapped(value));
  return list?.some((message) => unwrapped(message) !== message) ? list.map(unwrapped) : list;
}

function rawListIn(value: unknown): readonly unknown[] | undefined {
  if (Array.isArray(value)) return value;
  if (typeof value !== "object" || value === null) return undefined;
  const { messages, outputs } = value as AnyMessage & { outputs?: unknown };
  if (Array.isArray(messages)) return messages;
  // LangSmith's `evaluate` wraps the result of a target unless it is an object.
  if (Array.isArray(outputs) && Object.keys(value).length === 1) return outputs;
  const isMessage = "content" in value && ("role" in value || roleOf(value) !== undefined);
  return isMessage || isLangChainMessage(value) ? [value] : undefined;
}

/**
 * The same, but throws for anything else.
 *
 * @param path The name of the list in errors.
 */
export function messagesOf(value: unknown, path: string): readonly unknown[] {
  const messages = listIn(value);
  if (messages) return messages;
  throw invalidInput(
    `${path} has to be a message, a list of messages, or an object with such a list in "messages"`,
  );
}

/**
 * The results of `read` for each message. Throws for anything that is not a message.
 *
 * @param read Receives the place of the message, which is valid only until it returns.
 */
export const eachMessage = <T>(
  value: unknown,
  path: string,
  read: (message: AnyMessage, place: MessagePlace) => T,
): T[] => {
  const messages = messagesOf(value, path);
  const made: T[] = [];
  let index = 0;
  // One function for all messages, because creating one takes as long as reading a message.
  const place = () => `${path}[${index}]`;
  // Unlike `map`, the loop visits the gaps of a list.
  for (; index < messages.length; index++) {
    const message = messages[index];
    if (typeof message !== "object" || !message) {
      throw invalidInput(`${place()} is ${show(message)}; a message has a role`);
    }
    made.push(read(message, place));
  }
  return made;
};
