/** The helpers that packages built on `openevals` import from `openevals/utils`. */

import { invalidInput, typedReading } from "./core/errors.js";
import { show } from "./core/input/checks.js";
import { isObject } from "./core/input/objects.js";
import type { ChatCompletionMessage, Message } from "./core/types.js";
import { _convertToOpenAIMessage } from "./evaluators/agentevals-utils.js";
import { toPart } from "./models/conversation/content-parts.js";
import { messagesOf } from "./models/conversation/list.js";

export { _convertToOpenAIMessage } from "./evaluators/agentevals-utils.js";
export {
  _runEvaluator,
  _runEvaluatorUntyped,
  type EvaluationResultType,
  processScore,
} from "./evaluators/run-evaluator.js";

/** Whether two values are deeply equal. The order of keys does not matter. */
export const _deepEqual = (a: unknown, b: unknown): boolean =>
  typedReading("_deepEqual", () => areEqual(a, b));

function areEqual(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (typeof a !== "object" || typeof b !== "object" || !a || !b) return false;
  if (Array.isArray(a) !== Array.isArray(b)) return false;
  const keys = Object.keys(a);
  const [left, right] = [a, b] as Record<string, unknown>[];
  return (
    keys.length === Object.keys(b).length &&
    keys.every((key) => Object.hasOwn(b, key) && areEqual(left?.[key], right?.[key]))
  );
}

/** Converts a list of messages, `{ messages }` or a single message to a list of messages in OpenAI's format. */
export const _normalizeToOpenAIMessagesList = (
  messages: readonly Message[] | { messages: readonly Message[] } | Message,
): ChatCompletionMessage[] =>
  typedReading("_normalizeToOpenAIMessagesList", () =>
    messagesOf(messages, "messages").map((message) => _convertToOpenAIMessage(message as Message)),
  );

/**
 * Returns the content blocks that are objects. OpenEvals also converts them to LangChain's blocks, which is not needed
 * here.
 */
export const _normalizeContentBlocks = (blocks: Record<string, unknown>[]): Record<string, unknown>[] =>
  typedReading("_normalizeContentBlocks", () => blocks.filter(isObject));

/**
 * Converts an attachment to a content part: an image's URL, `{ mime_type, data }`, or a content part, which is
 * unchanged.
 */
export const _attachmentToContentBlock = (
  attachment: string | Record<string, unknown>,
): Record<string, unknown> =>
  typedReading("_attachmentToContentBlock", () => {
    const isPart = typeof attachment === "object" && attachment?.type && attachment.mime_type === undefined;
    return isPart ? attachment : { ...toPart(attachment, "attachment") };
  });

/** Returns the text of an answer: a string, the `content` of a message, or that of the last of `messages`. */
export const _normalizeOutputsAsString = (outputs: string | Record<string, unknown>): string =>
  typedReading("_normalizeOutputsAsString", () => textIn(outputs));

function textIn(outputs: string | Record<string, unknown>): string {
  if (typeof outputs === "string") return outputs;
  if (typeof outputs === "object" && outputs && "content" in outputs) return outputs.content as string;
  const { messages } = Object(outputs);
  if (Array.isArray(messages) && messages.length > 0) return messages.at(-1).content;
  throw invalidInput(`outputs is ${show(outputs)}; it has to be a string, a message, or { messages }`);
}
