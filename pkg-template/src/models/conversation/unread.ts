/** Rejects messages with calls in fields that are not read, so that no call is missed. */

import { invalidInput } from "../../core/errors.js";
import type { AnyMessage } from "./forms.js";
import type { MessagePlace } from "./place.js";

/** The fields with calls of the AI SDK's user interface and steps, of Google and of Amazon. */
const FIELDS = ["parts", "toolInvocations", "toolCalls"];
const CALLS = ["toolUse", "toolResult", "functionCall", "functionResponse"];

/** Throws for a message in such a form. */
export function checkForm(message: AnyMessage, place: MessagePlace): void {
  const { content, parts, toolInvocations, toolCalls } = message;
  // Handles nearly all messages: looking up fields by name takes longer than comparing.
  if (!Array.isArray(content) && !parts && !toolInvocations && !toolCalls) return;
  const field = FIELDS.find((name) => message[name]?.length && !isText(message, name));
  const part =
    Array.isArray(content) && content.some((one) => one && !one.type && CALLS.some((name) => one[name]));
  if (!field && !part) return;
  throw invalidInput(
    `${place()} has ${field ?? "calls in content"} in a form that is not read; convert messages of the AI SDK's user interface ` +
      "with convertToModelMessages(), and others to { role, content, tool_calls: [{ id, name, args }] }",
  );
}

/** Whether the parts of a message only repeat its content. */
const isText = ({ content, parts }: AnyMessage, name: string): boolean =>
  name === "parts" &&
  content != null &&
  parts.every?.((part: any) => !/^(dynamic-)?tool/.test(Object(part).type ?? "tool"));
