/** The messages of a simulated conversation. */

import { OpenEvalsError } from "../../core/errors.js";
import { check, checkValue, show } from "../../core/input/checks.js";
import { toOpenAIMessage } from "../../models/conversation/langchain.js";
import { messagesOf } from "../../models/conversation/list.js";
import { roleOf } from "../../models/conversation/roles.js";
import type { SimulatedMessage } from "./types.js";

/**
 * Reads a message of OpenAI's or LangChain's: a copy in OpenAI's form, with an id.
 *
 * @param place What messages call it.
 */
export function readMessage(value: unknown, place: string): SimulatedMessage {
  const message = Object(toOpenAIMessage(value));
  const role = roleOf(message);
  if (typeof role !== "string" || !("content" in message)) {
    const problem = `${place} is ${show(value)}; a message is an object with role and content.`;
    throw new OpenEvalsError("invalid_input", problem);
  }
  return { ...message, role, id: message.id || newId() };
}

/** Reads messages: one, a list, or an object that holds it, as agents return it. */
export const readMessages = (messages: unknown, place: string): SimulatedMessage[] =>
  // Other than `map`, it sees the gaps of a list.
  Array.from(messagesOf(messages, place), (message, index) => readMessage(message, `${place}[${index}]`));

/** Reads one of the responses of a user; a string is what it says. */
export const readResponse = (response: unknown, place: string): SimulatedMessage =>
  readMessage(typeof response === "string" ? { role: "user", content: response } : response, place);

/** Refuses an option that is given and no list of responses; `or` says what else it can be. */
export function checkResponses(option: string, responses: unknown, or = ""): void {
  checkValue(option, responses, check(`${or}a list of strings and messages`, Array.isArray));
  (responses as unknown[] | undefined)?.forEach((response, index) => {
    readResponse(response, `${option}[${index}]`);
  });
}

/** A random UUID, also where a page is not secure and browsers hide their own: it is no secret. */
export const newId = (): string =>
  crypto.randomUUID?.() ??
  "********-****-4***-a***-************".replace(/\*/g, () => Math.floor(Math.random() * 16).toString(16));
