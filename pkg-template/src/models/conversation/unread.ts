/** Rejects messages with calls in fields that are not read, and objects that are not messages, so that no call is missed. */

import { invalidInput } from "../../core/errors.js";
import { callsOf } from "./calls.js";
import { type AnyMessage, isItem } from "./forms.js";
import type { MessagePlace } from "./place.js";
import { roleOf } from "./roles.js";

/** The fields with calls of the AI SDK's user interface and steps, a misspelt one, and those of Google and of Amazon. */
const FIELDS = ["parts", "toolInvocations", "toolCalls", "tool_call"];
const CALLS = ["toolUse", "toolResult", "functionCall", "functionResponse"];

/** The types of calls outside of a message, and of messages as the server of LangChain stores them. */
const OUTSIDE = /^(function|tool[_-]use|tool-call|constructor)$/;

/** Throws for a message in such a form. */
function checkForm(message: AnyMessage, place: MessagePlace): void {
  const { role, type, content, parts, toolInvocations, toolCalls, tool_call } = message;
  if (role == null && typeof type === "string" && OUTSIDE.test(type)) throw withoutRole(place);
  // Handles nearly all messages: looking up fields by name takes longer than comparing.
  if (!Array.isArray(content) && !parts && !toolInvocations && !toolCalls && !tool_call) return;
  const field = FIELDS.find((name) => isFilled(message[name]) && !isText(message, name));
  const part =
    Array.isArray(content) && content.some((one) => one && !one.type && CALLS.some((name) => one[name]));
  if (!field && !part) return;
  throw invalidInput(
    `${place()} has ${field ?? "calls in content"} in a form that is not read; convert messages of the AI SDK's user interface ` +
      "with convertToModelMessages(), and others to { role, content, tool_calls: [{ id, name, args }] }",
  );
}

/** Throws for a message in such a form, and for an object that is not a message, such as a call. */
export function checkMessage(message: AnyMessage, place: MessagePlace): void {
  checkForm(message, place);
  if (roleOf(message) === undefined && !isItem(message) && !callsOf(message, place).length)
    throw withoutRole(place);
}

const withoutRole = (place: MessagePlace) =>
  invalidInput(
    `${place()} has no role; a message is { role, content }, a message of LangChain, or an item of the Responses API`,
  );

const isFilled = (field: any): boolean => (Array.isArray(field) ? field.length > 0 : Boolean(field));

/** Whether the parts of a message only repeat its content. */
const isText = ({ content, parts }: AnyMessage, name: string): boolean =>
  name === "parts" &&
  content != null &&
  parts.every?.((part: any) => !/^(dynamic-)?tool/.test(Object(part).type ?? "tool"));
