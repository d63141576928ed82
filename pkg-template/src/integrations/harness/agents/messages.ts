/** Reads the messages that agents receive and return. */

import { toText } from "../../../core/input/text.js";
import type { Message } from "../../../core/types.js";
import { _convertToOpenAIMessage } from "../../../utils.js";
import type { AgentRunStep, ReportedRun, RunMessage } from "./types.js";
import { addStepUsage, readUsage } from "./usage.js";

/** The messages of a list, of `{ messages }`, or a single message; `undefined` for anything else. */
export function messagesIn(value: unknown): readonly unknown[] | undefined {
  const list = Array.isArray(value) ? value : Object(value).messages;
  if (Array.isArray(list)) return list.every(isMessage) ? list : undefined;
  return isMessage(value) ? [value] : undefined;
}

/** Whether a value is a message of a supported package, or an item of OpenAI's Responses API. */
function isMessage(value: any): boolean {
  if (typeof value !== "object" || value === null) return false;
  return (
    typeof value.role === "string" ||
    typeof value.getType === "function" ||
    typeof value._getType === "function" ||
    (typeof value.type === "string" && /_/.test(value.type))
  );
}

/** Messages as plain data, without members that are `undefined`. Those of LangChain are converted to OpenAI's form. */
export const plainMessages = (messages: readonly unknown[], path: string): RunMessage[] =>
  JSON.parse(
    toText(
      messages.map((message) => _convertToOpenAIMessage(message as Message)),
      path,
    ),
  );

/** The messages of an input. An input without messages becomes one message of the user. */
export function inputMessages(input: unknown): RunMessage[] {
  const messages = messagesIn(input);
  if (messages) return plainMessages(messages, "the input of the agent");
  return [{ role: "user", content: toText(input ?? "", "the input of the agent") }];
}

/**
 * Splits returned messages into steps: each answer of the model begins one.
 *
 * @param input The messages of the input. Returned messages that begin with an answer or a tool result do not repeat them.
 */
export function readReturned(returned: readonly unknown[], input: readonly RunMessage[]): ReportedRun {
  const messages = plainMessages(returned, "the messages that the agent returned");
  const isConversation = /^(user|system|developer)$/.test(messages[0]?.role ?? "");
  const steps: AgentRunStep[] = [];
  let wasAnswer = false;
  for (let index = isConversation ? input.length : 0; index < messages.length; index++) {
    const message = messages[index] as RunMessage;
    const isAnswer = message.role === "assistant" || /_call$|^reasoning$/.test(message.type);
    if (steps.length === 0 || (isAnswer && !wasAnswer)) steps.push({ messages: [] });
    wasAnswer = isAnswer;
    const step = steps.at(-1) as AgentRunStep;
    step.messages.push(message);
    addStepUsage(step, readUsage(Object(returned[index]).usage_metadata));
  }
  return { steps, ...(isConversation && { messages }) };
}
