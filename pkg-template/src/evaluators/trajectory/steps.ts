/** Reads the compared part of trajectories whose messages are in the usual form. */

import { isJson } from "../../core/input/is-json.js";
import type { ComparedValues } from "../../core/input/params.js";
import type { ToolCall } from "../../models/conversation/calls.js";

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

/** The roles and fields of nearly all messages. */
const ROLES = /^(user|assistant|system|tool)$/;
const FIELDS = ["role", "content", "name", "id", "tool_calls", "tool_call_id"];

/**
 * Reads both sides, lists of messages or `{ messages: [...] }`. The result is `undefined` if anything is unusual: then
 * `any-steps.ts` reads them, or says what is wrong.
 */
export function plainSteps({ outputs, referenceOutputs }: ComparedValues): ComparedSteps | undefined {
  const steps = stepsIn(outputs);
  const referenceSteps = steps && stepsIn(referenceOutputs);
  return referenceSteps && { outputs: steps, referenceOutputs: referenceSteps };
}

function stepsIn(trajectory: unknown): readonly ComparedStep[] | undefined {
  const list = Array.isArray(trajectory) ? trajectory : Object(trajectory).messages;
  if (!Array.isArray(list)) return undefined;
  const steps: ComparedStep[] = [];
  for (const message of list) {
    const { role, content, tool_calls } = Object(message);
    const calls = callsIn(tool_calls ?? []);
    const isPlain =
      calls &&
      ROLES.test(role) &&
      Object(content) !== content &&
      Object.keys(message).every((field) => FIELDS.includes(field));
    if (!isPlain) return undefined;
    steps.push({ role, calls });
  }
  return steps;
}

/** Calls as `{ function: { name, arguments } }` or `{ name, args }`. */
function callsIn(list: unknown): readonly ToolCall[] | undefined {
  if (!Array.isArray(list)) return undefined;
  const calls: ToolCall[] = [];
  for (const call of list) {
    const { function: called, id, name, args } = Object(call);
    const read = called ? { id, name: called.name, args: called.arguments } : { id, name, args };
    if (typeof read.name !== "string" || !read.name || read.args == null) return undefined;
    calls.push(read);
  }
  return calls;
}

/** A copy of a list of messages: a caller may add some before `any-steps.ts` is loaded. */
export function copied<T>(trajectory: T): T {
  if (Array.isArray(trajectory)) return trajectory.slice() as T;
  const { messages } = Object(trajectory);
  return Array.isArray(messages) ? ({ messages: messages.slice() } as T) : trajectory;
}

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
