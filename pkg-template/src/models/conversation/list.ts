/** Lists of messages: what holds one, and what stands in it. */

import { OpenEvalsError } from "../../core/errors.js";
import { show } from "../../core/input/checks.js";
import { type AnyMessage, isLangChainMessage } from "./forms.js";
import type { MessagePlace } from "./place.js";
import { roleOf } from "./roles.js";

/** The messages in a list, in `{ messages: [...] }`, in `{ outputs: [...] }` alone, or of a single one; `undefined` if it is none of them. */
export function listIn(value: unknown): readonly unknown[] | undefined {
  if (Array.isArray(value)) return value;
  if (typeof value !== "object" || value === null) return undefined;
  const { messages, outputs } = value as AnyMessage & { outputs?: unknown };
  if (Array.isArray(messages)) return messages;
  // LangSmith's `evaluate` wraps what a target returns, unless that is an object.
  if (Array.isArray(outputs) && Object.keys(value).length === 1) return outputs;
  const isMessage = "content" in value && ("role" in value || roleOf(value) !== undefined);
  return isMessage || isLangChainMessage(value) ? [value] : undefined;
}

/**
 * The same; anything else is an error.
 *
 * @param path What errors call the list.
 */
export function messagesOf(value: unknown, path: string): readonly unknown[] {
  const messages = listIn(value);
  if (messages) return messages;
  throw new OpenEvalsError(
    "invalid_input",
    `${path} has to be a message, a list of messages, or an object with such a list in "messages".`,
  );
}

/**
 * What `read` makes of each message; what is none is an error.
 *
 * @param read Gets the place of its message, which is only right until it returns.
 */
export const eachMessage = <T>(
  value: unknown,
  path: string,
  read: (message: AnyMessage, place: MessagePlace) => T,
): T[] => {
  const messages = messagesOf(value, path);
  const made: T[] = [];
  let index = 0;
  // One function for all messages: making one for each takes as long as reading it.
  const place = () => `${path}[${index}]`;
  // Unlike `map`, the loop sees the gaps of a list.
  for (; index < messages.length; index++) {
    const message = messages[index];
    if (typeof message !== "object" || !message) {
      throw new OpenEvalsError(
        "invalid_input",
        `${place()} is ${show(message)}; a message is an object with a role.`,
      );
    }
    made.push(read(message, place));
  }
  return made;
};
