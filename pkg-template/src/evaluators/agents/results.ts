/** Reads tool results, and whether they are errors, in the forms of all packages. */

import { parseJson } from "../../core/input/json/parse-json.js";
import type { ToolCall } from "../../models/conversation/calls.js";
import type { AnyMessage } from "../../models/conversation/forms.js";
import { roleOf } from "../../models/conversation/roles.js";
import { textOf } from "../../models/conversation/text.js";

/** The result of a call. */
export interface FoundResult {
  /** The id of the call; without one, it belongs to the first call without a result. */
  id: unknown;
  value: unknown;
  /** Whether its own field says that it is an error. */
  isMarked: boolean;
}

/** The types of parts that are results, of Anthropic, LangChain and the AI SDK. */
const RESULTS = /^(\w+_)?tool[_-](call_)?(result|error)$/;

export const isResultPart = (part: unknown): boolean => RESULTS.test(Object(part).type);

/** The items whose results are separate items. */
const CALLED = /^(function|custom_tool|computer|local_shell|shell|apply_patch)_call$/;

/** The results in a message or an item. */
export function resultsIn(message: AnyMessage, calls: readonly ToolCall[]): FoundResult[] {
  const { content, type, tool_call_id, additional_kwargs: more } = message;
  const parts = Array.isArray(content) ? content.filter(isResultPart) : [];
  if (parts.length) return parts.map(readPart);
  const role = roleOf(message);
  if (role === "tool" || role === "function") {
    const id = tool_call_id ?? message.toolCallId ?? more?.tool_call_id;
    return [{ id, value: content, isMarked: isMarked(message) }];
  }
  if (role !== undefined || typeof type !== "string") return [];
  // The Agents SDK of OpenAI has camel case, and another type for results.
  if (/_(output|call_result)$/.test(type)) return [readItem(message, message.call_id ?? message.callId)];
  // OpenAI's hosted tools: the call has its result.
  const { output, outputs, results, result, error } = message;
  const has = (output ?? outputs ?? results ?? result ?? error) != null;
  const isHosted = calls.length > 0 && (has || (isMarked(message) && !CALLED.test(type)));
  return isHosted ? [readItem(message, calls[0]?.id)] : [];
}

function readPart(part: AnyMessage): FoundResult {
  const { type, tool_use_id, tool_call_id, toolCallId, content, output, result, error } = part;
  const isError =
    type.endsWith("error") ||
    isText(content?.type, /_error$/) ||
    isText(output?.type, /^error-|^execution-denied$/);
  return {
    id: tool_use_id ?? toolCallId ?? tool_call_id,
    value: content ?? output?.value ?? output ?? result ?? (error instanceof Error ? error.message : error),
    isMarked: isError || isMarked(part),
  };
}

function readItem(item: AnyMessage, id: unknown): FoundResult {
  const { output, outputs, results, result, error } = item;
  const value = output ?? outputs ?? results ?? result ?? error;
  return { id, value: typeof value?.text === "string" ? value.text : value, isMarked: isMarked(item) };
}

/** Whether the fields of a message, a part or an item say that its result is an error. */
const isMarked = (fields: AnyMessage): boolean =>
  isText(fields.status, FAILED) || isFlag(fields.success, false) || hasError(fields);

/** LangChain's status, those of the Responses API, and spellings of them. */
const FAILED = /^(error(ed)?|fail(ed|ure)?|incomplete)$/i;

/** Whether it has an error, or a flag for one of Anthropic, MCP or the AI SDK. */
const hasError = ({ is_error, isError, error }: AnyMessage): boolean =>
  isFlag(is_error, true) || isFlag(isError, true) || (error != null && error !== "" && !isFlag(error, false));

/** Flags may be texts, as Python writes them. */
const isFlag = (value: unknown, flag: boolean): boolean =>
  value === flag || isText(value, flag ? /^true$/i : /^false$/i);

const isText = (value: unknown, pattern: RegExp): boolean => typeof value === "string" && pattern.test(value);

/** Texts with which packages report that a tool threw. */
const ERROR_TEXT =
  /^\s*(?:[\w.]*(?:Error|Exception)|error|ERROR)\s*:|^\s*Traceback \(most recent call last\)|^An error occurred while running the tool/;

/** Whether a result is an error: by its own field, or by its value. */
export function isErrorResult({ value, isMarked: isError }: FoundResult): boolean {
  if (isError) return true;
  if (typeof value !== "string" && !Array.isArray(value)) return isErrorValue(value);
  const text = textOf(value);
  return ERROR_TEXT.test(text.slice(0, 300)) || isErrorValue(parsedError(text));
}

/**
 * Whether an object says that it is an error. Other values of `status` than `"error"` may be those of what the tool was asked
 * about, such as a payment that has failed.
 */
function isErrorValue(value: unknown): boolean {
  if (typeof value !== "object" || value === null) return false;
  const { success, ok, status } = value as AnyMessage;
  return hasError(value) || isFlag(success, false) || isFlag(ok, false) || status === "error";
}

/** A JSON object that may say that it is an error. */
const parsedError = (text: string): unknown =>
  /^\s*\{/.test(text) && /"(error|isError|is_error|success|ok|status)"/.test(text)
    ? parseJson(text)
    : undefined;
