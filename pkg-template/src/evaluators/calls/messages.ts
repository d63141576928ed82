/** The conversation of a row, for evaluators that read conversations. */

import { invalidInput } from "../../core/errors.js";
import { show } from "../../core/input/checks.js";
import { listIn } from "../../models/conversation/list.js";

/**
 * The messages and the tools of a row: `messages` and `tools` of `mapInputs`; else the messages of the outputs, if
 * those are an agent's state (`{ messages }`), or the messages of the inputs followed by the outputs.
 */
export function messagesOf(params: Record<string, any>): { messages: unknown[]; tools: unknown[] } {
  const { inputs, outputs, messages = outputs?.messages, tools = inputs?.tools } = params;
  return {
    messages: messages ?? [...said(inputs, "user", "inputs"), ...said(outputs, "assistant", "outputs")],
    tools: tools ?? [],
  };
}

/** The messages of a side of a row. A text is one message. */
function said(value: unknown, role: string, side: string): readonly unknown[] {
  if (typeof value === "string") return [{ role, content: value }];
  const messages = listIn(value);
  if (messages) return messages;
  throw invalidInput(
    `The evaluator reads a conversation, and the ${side} are ${show(value)}. They have to be messages, ` +
      "{ messages }, or a text; or mapInputs has to return { messages }",
  );
}
