/** Messages and items as messages of the Chat Completions API, one for each thing that was said or done. */

import { type Call, isCallPart } from "./calls.js";
import { type AnyMessage, isItem } from "./forms.js";

/** A message of the Chat Completions API, with its calls in one form. */
export interface ChatMessage {
  role: unknown;
  content?: unknown;
  tool_calls?: readonly Call[];
  tool_call_id?: unknown;
  name?: unknown;
}

/**
 * The messages that a message is, or an item of the Responses API: some hold both calls and results, and reasoning may be
 * empty.
 */
export const toChatMessages = (message: AnyMessage, role: unknown, calls: readonly Call[]): ChatMessage[] =>
  isItem(message) ? readItem(message, calls) : readMessage(message, role, calls);

function readMessage(message: AnyMessage, role: unknown, calls: readonly Call[]): ChatMessage[] {
  const { function_call: _, content, refusal, audio, tool_calls, ...rest } = message;
  // What is refused or spoken stands in the place of the content.
  const said = content?.length ? content : (refusal ?? audio?.transcript ?? content);
  if (!Array.isArray(said)) return [{ ...rest, role, content: said, tool_calls: calls }];
  // If calls stand beside the content, those in it are not theirs.
  const isOwn = (part: any) => !isResult(part) && (!!tool_calls?.length || !isCallPart(part));
  const own = { ...rest, role, content: said.filter(isOwn), tool_calls: calls };
  const results = said.filter(isResult).map(readResult);
  if (!results.length) return [own];
  if (calls.length) return [own, ...results];
  return own.content.length ? [...results, own] : results;
}

/** Anthropic has the results of tools among what the user says, the AI SDK in messages that may have several. */
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

function readItem({ role: _, type, ...item }: AnyMessage, calls: readonly Call[]): ChatMessage[] {
  if (type === "reasoning" || type === "compaction") return readReasoning(item);
  const { id, call_id = id, status: __, ...rest } = item;
  const toolMessage = (output: any) => ({
    role: "tool",
    tool_call_id: call_id,
    // Without the data of pictures.
    content: output?.type === "computer_screenshot" ? [{ type: "image" }] : output,
  });
  if (type.endsWith("_output")) return [toolMessage(rest.output ?? rest)];
  if (!calls.length) return [{ role: type, content: item }];
  const { output, outputs, results, result, error } = rest;
  // The only result under this name is a picture.
  const content = output ?? outputs ?? results ?? error ?? (result && [{ type: "image" }]);
  const called = { role: "assistant", tool_calls: calls };
  return content ? [called, toolMessage(content)] : [called];
}

/** The thoughts that are told; they are often encrypted. */
function readReasoning({ summary, content }: AnyMessage): ChatMessage[] {
  const thoughts = [summary, content].flatMap((parts) => (Array.isArray(parts) ? parts : []));
  if (!thoughts.length) return [];
  return [
    { role: "assistant", content: thoughts.map((thought) => ({ type: "reasoning", text: thought?.text })) },
  ];
}
