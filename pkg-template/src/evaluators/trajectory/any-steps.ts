/** Reads the compared part of trajectories from messages in all forms. Loaded with the first message in an unusual form. */

import type { ComparedValues } from "../../core/input/params.js";
import type { ToolCall } from "../../models/conversation/calls.js";
import type { AnyMessage } from "../../models/conversation/forms.js";
import { eachMessage } from "../../models/conversation/list.js";
import { roleOf } from "../../models/conversation/roles.js";
import { checkedCalls } from "../../models/conversation/unread.js";
import type { ComparedStep, ComparedSteps } from "./steps.js";

/**
 * Reads both sides.
 *
 * @param path The prefix of their names in errors.
 */
export const readSteps = ({ outputs, referenceOutputs }: ComparedValues, path: string): ComparedSteps => ({
  outputs: readTrajectory(outputs, `${path}outputs`),
  referenceOutputs: readTrajectory(referenceOutputs, `${path}referenceOutputs`),
});

/**
 * Reads a list of messages, `{ messages: [...] }` or a single message. Refuses messages in forms that are not read, and objects
 * that are not messages, such as calls. The steps are as for OpenAI's chat messages, so that trajectories in different forms
 * compare: one for all calls of an answer, and one for each result of a tool.
 *
 * @param path Its name in errors.
 */
export function readTrajectory(trajectory: unknown, path: string): ComparedStep[] {
  const steps: ComparedStep[] = [];
  // The answer that items of the Responses API belong to. They are not in a message.
  let answer: ToolCall[] | undefined;
  eachMessage(trajectory, path, (message, place) => {
    const calls = checkedCalls(message, place);
    if (message.type === "reasoning") return;
    const role = roleOf(message) ?? roleOfItem(message);
    if (answer && isCallItem(message)) {
      answer.push(...calls);
      return;
    }
    // Anthropic and the AI SDK have all results of an answer in one message; with Anthropic, the user may add a text.
    const parts = Array.isArray(message.content) ? message.content : [];
    const results = parts.filter(isResult).length;
    const areSteps = results === parts.length || role === "user";
    for (let result = 0; areSteps && result < results; result++) steps.push({ role: "tool", calls: [] });
    if (results && results === parts.length) answer = undefined;
    else {
      const own = [...calls];
      answer = role === "assistant" ? own : undefined;
      steps.push({ role, calls: own });
    }
  });
  return steps;
}

const isCallItem = ({ role, type }: AnyMessage): boolean =>
  role === undefined && typeof type === "string" && type.endsWith("_call");

const isResult = (part: { type?: unknown } | null | undefined): boolean =>
  part?.type === "tool_result" || part?.type === "tool-result";

/** The role of an item of the Responses API, by its type. */
const roleOfItem = ({ type }: AnyMessage): unknown =>
  typeof type === "string" ? type.replace(/.*_call$/, "assistant").replace(/.*_output$/, "tool") : undefined;
