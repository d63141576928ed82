/** Finds what a check examines in a row: a text, or a value. */

import { invalidInput } from "../../core/errors.js";
import { show } from "../../core/input/checks.js";
import { type FieldSource, fieldOf } from "../../core/input/field.js";
import { toText } from "../../core/input/text.js";
import { type AnyMessage, isItem } from "../../models/conversation/forms.js";
import { listIn } from "../../models/conversation/list.js";
import { roleOf } from "../../models/conversation/roles.js";
import { textOfMessage } from "../../models/conversation/text.js";
import type { CheckedRow } from "./check.js";

/** The text of outputs: the last assistant message, the only field, or else the whole as JSON. */
export function textIn(outputs: unknown, output: FieldSource | undefined): string {
  const value = valueIn(outputs, output);
  if (typeof value === "string") return value;
  return assistantTextIn(value) ?? toText(onlyField(value), "outputs");
}

/** The value that `output` selects, or the whole outputs. */
export function valueIn(outputs: unknown, output: FieldSource | undefined): unknown {
  const value =
    output === undefined ? outputs : fieldOf("value", outputs, "outputs", "output", output, undefined);
  if (value === undefined || value === null)
    throw invalidInput(`outputs is ${value}: there is nothing to check`);
  return value;
}

/** The only field of an object, otherwise the value itself. */
export function onlyField(value: unknown): unknown {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
  const [only, ...others] = Object.values(value);
  return only === undefined || others.length ? value : only;
}

/** The text of the last assistant message in a conversation; `undefined` if the value is not a conversation. */
export function assistantTextIn(value: unknown): string | undefined {
  const messages = listIn(value) ?? (Object(value).role === "assistant" ? [value] : undefined);
  const isConversation =
    messages?.length &&
    messages.every((message) => isMessage(message)) &&
    messages.some((message) => roleOf(message as object));
  if (!isConversation) return undefined;
  const last = Array.from(messages)
    .reverse()
    .find((message) => roleOf(message) === "assistant" || isCallItem(message));
  if (!last) throw invalidInput("outputs has no message of the assistant");
  if (isCallItem(last)) return "";
  const { content, tool_calls, function_call } = last as AnyMessage;
  const text = textOfMessage(last);
  const unread = Array.isArray(content) ? content.find((part) => isUnread(part, text !== "")) : undefined;
  if (unread)
    throw invalidInput(
      `The last message of the assistant has a part whose text is not read: ${show(unread)}. Pass it as { type: "text", text }`,
    );
  if (text) return text;
  // A message with only calls has no text. The text of other messages may be in a field that is not read.
  const isRead = content === null || typeof content === "string" || Array.isArray(content);
  if (isRead || (content === undefined && (tool_calls?.length || function_call))) return "";
  throw invalidInput(
    `The last message of the assistant has no text or list as content, but ${Object.keys(last).join(", ")}. ` +
      "Pass it as { role, content }",
  );
}

/** Whether a message is a call as an item of the Responses API. It has no text, as a message that only has calls. */
const isCallItem = (message: AnyMessage): boolean =>
  roleOf(message) === undefined && /_call$/.test(String(message.type));

/**
 * Whether a part may have a text that is not read. If the message has another text, only parts count whose text is in an unknown
 * form; otherwise, parts of an unknown type count, too.
 */
function isUnread(part: unknown, hasText: boolean): boolean {
  const { type, text, transcript } = Object(part) as Record<string, unknown>;
  if (Array.isArray(part) || Object(text) === text || (transcript && !hasText)) return true;
  return (
    !hasText &&
    typeof type === "string" &&
    !/text$|refusal|think|reason|tool|function|image|file|document|video|^audio|input/i.test(type)
  );
}

const isMessage = (value: unknown): value is object =>
  typeof value === "object" && value !== null && (roleOf(value) !== undefined || isItem(value));

/** The requirement of {@link isSearched}, in words. */
export const SEARCHED = "a string that is not empty";

/** Whether a value is a text to search for. The empty text is in every text, so finding it proves nothing. */
export const isSearched = (text: unknown): text is string => typeof text === "string" && text !== "";

/** The texts of the reference outputs. */
export function textsOfReference(name: string, { referenceOutputs }: CheckedRow): string[] {
  const found = referenceIn(name, referenceOutputs);
  const texts = Array.isArray(found) ? Array.from(found) : [found];
  if (!texts.length)
    throw invalidInput(`${name} looks for the texts of referenceOutputs, and there are none`);
  return texts.map((text) => {
    if (isSearched(text)) return text;
    if (typeof text === "number" || typeof text === "boolean") return String(text);
    throw invalidInput(
      `${name} looks for the text of referenceOutputs, which is ${show(text)}; it has to be ${SEARCHED}`,
    );
  });
}

/** The reference outputs of a row; throws if it has none. */
export function referenceIn(name: string, referenceOutputs: unknown): unknown {
  if (referenceOutputs === undefined || referenceOutputs === null) {
    throw invalidInput(`${name} has no value to compare with: pass one, or give the row referenceOutputs`);
  }
  return onlyField(referenceOutputs);
}
