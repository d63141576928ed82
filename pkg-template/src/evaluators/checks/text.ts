/** Finds what a check examines in a row: a text, or a value. */

import { invalidInput, type OpenEvalsError } from "../../core/errors.js";
import { show } from "../../core/input/checks.js";
import { type FieldSource, fieldOf } from "../../core/input/field.js";
import { toText } from "../../core/input/text.js";
import { type AnyMessage, isItem } from "../../models/conversation/forms.js";
import { listIn } from "../../models/conversation/list.js";
import { roleOf } from "../../models/conversation/roles.js";
import { textOfMessage } from "../../models/conversation/text.js";
import type { CheckedRow } from "./check.js";

/** The text of outputs: that of the last assistant message, or the only field. Objects with several fields or levels are an error. */
export function textIn(outputs: unknown, output: FieldSource | undefined): string {
  const [text, ...others] = textsIn(outputs, output);
  if (others.length)
    throw invalidInput(
      `outputs has no single text: ${show(outputs)}. Set output to the key of the text, or a function`,
    );
  return text as string;
}

/** The texts of outputs: the one of {@link textIn}, or else all values in an object or a list, and its keys. */
export function textsIn(outputs: unknown, output: FieldSource | undefined): string[] {
  const found = answerIn(valueIn(outputs, output));
  if (typeof found === "string") return [found];
  const texts: string[] = [];
  const keys: string[] = [];
  JSON.parse(toText(found, "outputs"), function (this: unknown, key, value) {
    if (value !== null && typeof value !== "object") texts.push(`${value}`);
    if (key && !Array.isArray(this)) keys.push(key);
  });
  if (!texts.length) throw nothingIn(outputs);
  return texts.concat(keys);
}

/** The text of the last assistant message, the only field, or the value itself. */
export const answerIn = (value: unknown): unknown =>
  typeof value === "string" ? value : (assistantTextIn(value) ?? onlyField(value));

/** The error for outputs without a text or another value. */
export const nothingIn = (outputs: unknown): OpenEvalsError =>
  invalidInput(`outputs is ${show(outputs)}: nothing to check`);

/** The value that `output` selects, or the whole outputs. */
export function valueIn(outputs: unknown, output: FieldSource | undefined): unknown {
  return output === undefined ? outputs : fieldOf("value", outputs, "outputs", "output", output, undefined);
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
  const parts = [content ?? []].flat();
  const unread = parts.find((part) => isUnread(part, text !== ""));
  // A message with only calls has no text, and that of others may be empty. Reasoning alone is no answer.
  const isRead =
    text || tool_calls?.length || function_call || parts.some((part) => !/think|reason/.test(part?.type));
  if (isRead && !unread) return text;
  throw invalidInput(
    `outputs has no message of the assistant with text: ${show(last)}. Pass a string as content`,
  );
}

/** Whether a message is a call as an item of the Responses API. It has no text, as a message that only has calls. */
const isCallItem = (message: AnyMessage): boolean =>
  roleOf(message) === undefined && /_call$/.test(String(message.type));

/**
 * Whether a part may have a text that is not read. If the message has another text, only parts count whose text is in an unknown
 * form; otherwise, all other than texts, calls and reasoning.
 */
function isUnread(part: unknown, hasText: boolean): boolean {
  const { type, text } = Object(part) as Record<string, unknown>;
  return (
    Array.isArray(part) ||
    Object(text) === text ||
    !(hasText || /^(.*put_)?text$|tool|call|think|reason/i.test(type as string))
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
