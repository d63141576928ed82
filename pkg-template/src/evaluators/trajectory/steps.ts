/** Reads the compared part of trajectories from messages in all formats. */

import { isJson } from "../../core/input/is-json.js";
import { callsOf, type ToolCall } from "../../models/conversation/calls.js";
import type { AnyMessage } from "../../models/conversation/forms.js";
import { eachMessage } from "../../models/conversation/list.js";
import { roleOf } from "../../models/conversation/roles.js";
import { checkForm } from "../../models/conversation/unread.js";

/** The part of a message that is compared: its role and calls. */
export interface ComparedStep {
  role: unknown;
  calls: readonly ToolCall[];
}

/** The steps of both sides. */
export interface ComparedSteps {
  outputs: readonly ComparedStep[];
  referenceOutputs: readonly ComparedStep[];
}

/**
 * Reads a list of messages, `{ messages: [...] }` or a single message.
 *
 * @param path The name of the trajectory in messages.
 */
export const readTrajectory = (trajectory: unknown, path: string): ComparedStep[] =>
  eachMessage(trajectory, path, (message, place) => {
    checkForm(message, place);
    return { role: roleOf(message) ?? roleOfItem(message), calls: callsOf(message, place) };
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
