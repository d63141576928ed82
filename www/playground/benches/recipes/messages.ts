/** What the evaluations read of a conversation. */

import type { EvaluationName } from "openevals-wasm/recipes";
import { isSystem } from "./code.js";

/** The manifest of guidance: the system's message. */
export function manifestFor(
  name: EvaluationName,
  messages: readonly Record<string, unknown>[],
): { capabilityManifest?: string } {
  const system = messages.find(isSystem);
  return name === "guidance" && system ? { capabilityManifest: system.content as string } : {};
}

/** The text of the last answer. */
export function lastAnswer(messages: unknown): string {
  if (!Array.isArray(messages)) return "";
  const content = messages.findLast((message) => message?.role === "assistant" && message.content)?.content;
  if (typeof content === "string") return content;
  return Array.isArray(content) ? content.map((part) => part?.text ?? "").join("") : "";
}
