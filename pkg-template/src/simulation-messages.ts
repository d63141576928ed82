/** The messages of a simulated conversation. */

import { OpenEvalsError } from "./errors.js";
import { toOpenAIMessage } from "./openai-messages.js";
import { given } from "./options.js";
import type { ChatCompletionMessage } from "./types.js";

/**
 * Reads a message of OpenAI's or LangChain's: a copy in OpenAI's form, with an id.
 *
 * @param place What messages call it.
 */
export function readMessage(value: unknown, place: string): ChatCompletionMessage {
  const message = toOpenAIMessage(value);
  if (typeof message !== "object" || message === null) {
    throw noMessage(place, message === null ? "null" : typeof message);
  }
  const { role, id } = message as Partial<ChatCompletionMessage>;
  if (typeof role !== "string" || !("content" in message)) {
    throw noMessage(place, `an object with ${Object.keys(message).join(", ") || "nothing in it"}`);
  }
  return { ...message, id: id || newId() } as ChatCompletionMessage;
}

/** Reads what an application answers in one turn: a message, a list, or an object that holds it, as agents return it. */
export function readAnswer(answer: any): ChatCompletionMessage[] {
  const list = Array.isArray(answer) ? answer : answer?.messages;
  if (!Array.isArray(list)) return [readMessage(answer, "what it returned")];
  if (!list.length) throw new OpenEvalsError("invalid_input", "it returned no message.");
  return list.map((message, index) => readMessage(message, `message ${index} of what it returned`));
}

/** Reads one of the responses of a user; a string is what it says. */
export const readResponse = (response: unknown, place: string): ChatCompletionMessage =>
  readMessage(typeof response === "string" ? { role: "user", content: response } : response, place);

/** Refuses an option that is no list of responses. */
export function checkResponses(option: string, responses: unknown): void {
  given(option, responses, "a list of strings and messages", Array.isArray);
  for (const [index, response] of Object.entries((responses as unknown[]) ?? [])) {
    readResponse(response, `${option}[${index}]`);
  }
}

/** A random UUID, also where a page is not secure and browsers hide their own. */
export function newId(): string {
  if (crypto.randomUUID) return crypto.randomUUID();
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  const hex = Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
  return hex.replace(/^(.{8})(.{4}).(.{3}).(.{3})/, "$1-$2-4$3-a$4-");
}

const noMessage = (place: string, found: string): OpenEvalsError =>
  new OpenEvalsError("invalid_input", `${place} is ${found}; a message is an object with role and content.`);
