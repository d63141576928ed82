/** Reads the compared part of trajectories whose messages are in the usual form. */

import { isJson } from "../../core/input/json/is-json.js";
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
  const length = lengthOf(list);
  const steps = new Array<ComparedStep>(length);
  for (let index = 0; index < length; index++) {
    const message = list[index];
    const { role, content, tool_calls } = Object(message);
    const calls = tool_calls == null ? NO_CALLS : callsIn(tool_calls);
    if (!calls || !isUsualRole(role) || Object(content) === content) return undefined;
    for (const field in message) if (!isUsualField(field)) return undefined;
    steps[index] = { role, calls };
  }
  return steps;
}

/**
 * The length to make a list with: one that grows has room for many more elements, and takes a third more time. A whole
 * number, even if the list is a proxy.
 */
const lengthOf = (list: readonly unknown[]): number => list.length >>> 0;

const NO_CALLS: readonly ToolCall[] = [];

// Comparisons one by one are twice as fast as a set or a regular expression, and are half of the work on equal texts.

const isUsualRole = (role: unknown): boolean =>
  role === "user" || role === "assistant" || role === "tool" || role === "system";

const isUsualField = (field: string): boolean =>
  field === "role" ||
  field === "content" ||
  field === "tool_calls" ||
  field === "tool_call_id" ||
  field === "name" ||
  field === "id";

const isUsualCallField = (field: string): boolean =>
  field === "id" || field === "type" || field === "function" || field === "name" || field === "args";

/** Calls as `{ function: { name, arguments } }` or `{ name, args }`. */
function callsIn(list: unknown): readonly ToolCall[] | undefined {
  if (!Array.isArray(list)) return undefined;
  const length = lengthOf(list);
  const calls = new Array<ToolCall>(length);
  for (let index = 0; index < length; index++) {
    const call = list[index];
    const { function: called, id, name, args } = Object(call);
    const read = called ? { id, name: called.name, args: called.arguments } : { id, name, args };
    // Other fields may contradict these. `any-steps.ts` checks that.
    if (called && (name ?? args) != null) return undefined;
    for (const field in call) if (!isUsualCallField(field)) return undefined;
    for (const field in called) if (field !== "name" && field !== "arguments") return undefined;
    if (typeof read.name !== "string" || !read.name || read.args == null) return undefined;
    calls[index] = read;
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
