/** Converts messages and items into messages of the Chat Completions API. */

import { invalidInput, type OpenEvalsError } from "../../core/errors.js";
import type { ToolCall } from "./calls.js";
import type { AnyMessage } from "./forms.js";
import type { MessagePlace } from "./place.js";

/** A message of the Chat Completions API, with the fields that models read. */
export interface ChatMessage {
  role: unknown;
  name?: unknown;
  content?: unknown;
  reasoning_content?: unknown;
  reasoning?: unknown;
  tool_calls?: readonly ToolCall[];
  tool_call_id?: unknown;
}

/** The parts of a message that are read already. */
interface ReadMessage {
  /** `undefined` for items. */
  role: unknown;
  calls: readonly ToolCall[];
  /** The content without calls. */
  content: unknown;
}

/**
 * Converts one message, or one item of the Responses API. The result may be several messages, for calls and results
 * together, or none, for empty reasoning.
 *
 * @throws {@link OpenEvalsError} `invalid_input` for a message without content and calls, which a model would read as an
 * empty one.
 */
export function toChatMessages(message: AnyMessage, read: ReadMessage, place: MessagePlace): ChatMessage[] {
  if (read.role === undefined && typeof message.type === "string") return readItem(message, read.calls);
  if (read.calls.length || CONTENT_FIELDS.some((field) => message[field] !== undefined))
    return readMessage(message, read);
  throw withoutContent(message, place);
}

/** A message with one of these fields is not empty, even without calls. */
const CONTENT_FIELDS = ["content", "refusal", "audio", "reasoning_content", "reasoning"];

/** The error for a message without content and calls. */
export const withoutContent = (message: AnyMessage, place: MessagePlace): OpenEvalsError =>
  invalidInput(
    `${place()} has no content; it has ${Object.keys(message).join(", ")}. Pass messages as { role, content }`,
  );

function readMessage(message: AnyMessage, { role, calls, content: given }: ReadMessage): ChatMessage[] {
  const { name, refusal, audio, tool_call_id, additional_kwargs: more } = message;
  const { reasoning, reasoning_content = more?.reasoning_content ?? more?.reasoning } = message;
  const own = { role, name, tool_call_id, reasoning_content, reasoning, tool_calls: calls };
  // A refusal or a transcript replaces the content.
  const said = (given as any)?.length ? given : (refusal ?? audio?.transcript ?? given);
  if (!Array.isArray(said)) return [{ ...own, content: said }];
  const results = said.filter(isResult).map(readResult);
  const content = said.filter((part) => !isResult(part));
  if (!results.length) return [{ ...own, content }];
  if (calls.length) return [{ ...own, content }, ...results];
  return content.length ? [...results, { ...own, content }] : results;
}

/** Anthropic has tool results in messages of the user; the AI SDK has several results in one message. */
const isResult = (part: any): boolean => part?.type === "tool_result" || part?.type === "tool-result";

function readResult(part: AnyMessage): ChatMessage {
  const { tool_use_id, toolCallId, toolName, content, output, result } = part;
  return {
    role: "tool",
    name: toolName,
    tool_call_id: tool_use_id ?? toolCallId,
    content: content ?? output?.value ?? output ?? result,
  };
}

function readItem({ role: _, type, ...item }: AnyMessage, calls: readonly ToolCall[]): ChatMessage[] {
  if (type === "reasoning" || type === "compaction") return readReasoning(item);
  const { id, call_id = id, status: __, ...rest } = item;
  const toolMessage = (output: any) => ({
    role: "tool",
    tool_call_id: call_id,
    // Without the data of images.
    content: output?.type === "computer_screenshot" ? [{ type: "image" }] : output,
  });
  if (type.endsWith("_output")) return [toolMessage(rest.output ?? rest)];
  if (!calls.length) return [{ role: type, content: item }];
  const { output, outputs, results, result, error } = rest;
  // The only result with this name is an image.
  const content = output ?? outputs ?? results ?? error ?? (result && [{ type: "image" }]);
  const called = { role: "assistant", tool_calls: calls };
  return content ? [called, toolMessage(content)] : [called];
}

/** The readable part of the reasoning, which is often encrypted. */
function readReasoning({ summary, content }: AnyMessage): ChatMessage[] {
  const thoughts = [summary, content].flatMap((parts) => (Array.isArray(parts) ? parts : []));
  if (!thoughts.length) return [];
  return [
    { role: "assistant", content: thoughts.map((thought) => ({ type: "reasoning", text: thought?.text })) },
  ];
}
