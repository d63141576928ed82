/** The messages of a simulated conversation. */

import { invalidInput } from "../../core/errors.js";
import { check, checkValue, show } from "../../core/input/checks.js";
import { toOpenAIMessage } from "../../models/conversation/langchain.js";
import { messagesOf } from "../../models/conversation/list.js";
import { roleOf } from "../../models/conversation/roles.js";
import type { SimulatedMessage } from "./types.js";

/**
 * Reads a message in OpenAI's or LangChain's format. Returns a copy in OpenAI's format, with an id.
 *
 * @param place The name of the message in errors.
 */
export function readMessage(value: unknown, place: string): SimulatedMessage {
  const message = Object(toOpenAIMessage(value));
  const role = roleOf(message);
  if (typeof role !== "string" || !("content" in message)) {
    const problem = `${place} is ${show(value)}; a message is an object with role and content.`;
    throw invalidInput(problem);
  }
  return { ...message, role, id: message.id || newId() };
}

/** Reads messages: one message, a list, or an object with `messages`. */
export const readMessages = (messages: unknown, place: string): SimulatedMessage[] =>
  // Unlike `map`, `Array.from` also visits the holes of a sparse list.
  Array.from(messagesOf(messages, place), (message, index) => readMessage(message, `${place}[${index}]`));

/** Reads a response of a user; a string is a user message. */
export const readResponse = (response: unknown, place: string): SimulatedMessage =>
  readMessage(typeof response === "string" ? { role: "user", content: response } : response, place);

/** Rejects an option that is not a list of responses; `or` names an alternative in the error. */
export function checkResponses(option: string, responses: unknown, or = ""): void {
  checkValue(option, responses, check(`${or}a list of strings and messages`, Array.isArray));
  (responses as unknown[] | undefined)?.forEach((response, index) => {
    readResponse(response, `${option}[${index}]`);
  });
}

/** A random UUID. Insecure pages have no `crypto.randomUUID`; Math.random() suffices, since the id is not a secret. */
export const newId = (): string =>
  crypto.randomUUID?.() ??
  "********-****-4***-a***-************".replace(/\*/g, () => Math.floor(Math.random() * 16).toString(16));
