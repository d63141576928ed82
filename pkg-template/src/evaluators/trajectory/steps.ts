/** Reads the compared part of trajectories from messages in all formats. */

import { isJson } from "../../core/input/is-json.js";
import type { ComparedValues } from "../../core/input/params.js";
import { onUse } from "../../core/platform/on-use.js";
import { callsOf, type ToolCall } from "../../models/conversation/calls.js";
import type { AnyMessage } from "../../models/conversation/forms.js";
import { eachMessage } from "../../models/conversation/list.js";
import { roleOf } from "../../models/conversation/roles.js";

/** The part of a message that is compared: its role and calls. */
export interface ComparedStep {
  role: unknown;
  calls: readonly ToolCall[];
  /** Whether the message has a role, content or fields that few messages have, so that its form has to be checked. */
  isOdd?: boolean;
}

/** The steps of both sides. */
export interface ComparedSteps {
  outputs: readonly ComparedStep[];
  referenceOutputs: readonly ComparedStep[];
}

/**
 * Reads both sides, without {@link checkForms}.
 *
 * @param path The prefix of their names in messages.
 */
export const readSteps = ({ outputs, referenceOutputs }: ComparedValues, path: string): ComparedSteps => ({
  outputs: readTrajectory(outputs, `${path}outputs`),
  referenceOutputs: readTrajectory(referenceOutputs, `${path}referenceOutputs`),
});

/** Refuses messages in forms that are not read, and objects that are not messages, such as calls. */
export async function checkForms(comparison: ComparedValues, path: string): Promise<void> {
  const load = () => import("../../models/conversation/unread.js");
  (await onUse("The check of messages", load)).checkMessages(comparison, path);
}

/** Whether {@link checkForms} has to check both sides. It takes longer than to look for unusual messages. */
export const hasOdd = (steps: ComparedSteps): boolean =>
  Object.values(steps).some((side: readonly ComparedStep[]) => side.some(({ isOdd }) => isOdd));

/** The roles and fields of nearly all messages. */
const ROLES = /^(user|assistant|system|tool)$/;
const FIELDS = ["role", "content", "name", "id", "tool_calls", "tool_call_id"];

/**
 * Reads a list of messages, `{ messages: [...] }` or a single message, without a check of their forms.
 *
 * @param path Its name in messages.
 */
export const readTrajectory = (trajectory: unknown, path: string): ComparedStep[] =>
  eachMessage(trajectory, path, (message, place) => {
    const { role, content } = message;
    const calls = callsOf(message, place);
    return {
      role: roleOf(message) ?? roleOfItem(message),
      calls,
      isOdd:
        !ROLES.test(role) ||
        Object(content) === content ||
        calls.some(({ name }: AnyMessage) => !name?.trim) ||
        !Object.keys(message).every((field) => FIELDS.includes(field)),
    };
  });

/** The role of an item of the Responses API, by its type. */
const roleOfItem = ({ type }: AnyMessage): unknown =>
  typeof type === "string" ? type.replace(/.*_call$/, "assistant").replace(/.*_output$/, "tool") : undefined;

/**
 * Whether two trajectories are literally the same, so that they match in every mode without the engine. False if
 * arguments are not valid JSON, since the engine reports that.
 */
export function areSame(steps: readonly ComparedStep[], others: readonly ComparedStep[]): boolean {
  if (steps.length !== others.length) return false;
  for (let index = 0; index < steps.length; index++) {
    const step = steps[index] as ComparedStep;
    const other = others[index] as ComparedStep;
    if (step.role !== other.role || step.calls.length !== other.calls.length) return false;
    for (let position = 0; position < step.calls.length; position++) {
      const { name, args } = step.calls[position] as ToolCall;
      const otherCall = other.calls[position] as ToolCall;
      if (typeof args !== "string" || args !== otherCall.args || name !== otherCall.name || !isJson(args))
        return false;
    }
  }
  return true;
}
