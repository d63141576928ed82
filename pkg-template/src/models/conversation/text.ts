/** Reads the text of messages. */

import type { AnyMessage } from "./forms.js";

/** The text of a message: of its content or its parts, or its refusal or transcript; empty if it has none. */
export function textOfMessage({ content, parts, refusal, audio }: AnyMessage): string {
  const text: unknown = textOf(content) || textOf(parts) || (refusal ?? audio?.transcript);
  return typeof text === "string" ? text : "";
}

/**
 * The text of a content: a string, or its parts with text or refusals, in the forms of OpenAI, Anthropic and LangChain.
 * Reasoning, tool calls and tool results are left out.
 *
 * @param between The separator of parts; empty by default, because models split one answer into several.
 */
export function textOf(content: unknown, between = ""): string {
  if (typeof content === "string") return content;
  if (!Array.isArray(content)) return "";
  return content
    .map(textOfPart)
    .filter((text) => typeof text === "string" && text)
    .join(between);
}

function textOfPart(part: unknown): unknown {
  if (typeof part !== "object" || !part) return part;
  const { type, text, refusal } = part as { type?: unknown; text?: unknown; refusal?: unknown };
  return TEXTS.includes(type ?? "text") ? text : refusal;
}

const TEXTS: unknown[] = ["text", "input_text", "output_text"];
