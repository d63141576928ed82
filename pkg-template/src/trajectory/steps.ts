/** What a trajectory is compared by, out of messages in all their forms. */

import { type Call, callsOf } from "../conversation/calls.js";
import type { AnyMessage } from "../conversation/forms.js";
import { eachMessage } from "../conversation/list.js";
import { roleOf } from "../conversation/roles.js";
import { toJson } from "../input/json.js";

/** What of a message is compared. */
export interface Step {
  role: unknown;
  calls: readonly Call[];
}

/**
 * Reads a list of messages, `{ messages: [...] }` or a single message.
 *
 * @param path What messages call the trajectory.
 */
export const readTrajectory = (trajectory: unknown, path: string): Step[] =>
  eachMessage(trajectory, path, (message, place) => ({
    role: roleOf(message) ?? roleOfItem(message),
    calls: callsOf(message, place),
  }));

/** Items of the Responses API are calls, results and others; these have their type for a role. */
const roleOfItem = ({ type }: AnyMessage): unknown =>
  typeof type === "string" ? type.replace(/.*_call$/, "assistant").replace(/.*_output$/, "tool") : undefined;

/**
 * The steps as the engine reads them, one item a line: see `src/trajectory/message.rs`.
 *
 * @param path What messages call the trajectory.
 */
export function stepsToText(steps: readonly Step[], path: string): string {
  let text = "";
  for (let index = 0; index < steps.length; index++) {
    const { role, calls } = steps[index] as Step;
    text += `m${stringToJson(role)}\n`;
    for (let position = 0; position < calls.length; position++) {
      const { name, args, isText } = calls[position] as Call;
      text += `c${stringToJson(name)}\n`;
      if (typeof args === "string" && !isText) text += `t${withoutBreaks(escaped(args))}\n`;
      else text += `v${toJson(args, `${path}[${index}].tool_calls[${position}].args`)}\n`;
    }
  }
  return text;
}

/**
 * JSON text in which what does not survive the crossing is written as escapes, which mean the same: halves of surrogate
 * pairs, and the character that stands for them in the engine.
 */
const escaped = (json: string): string => (isKept(json) ? json : json.replaceAll(LOST, toEscapes));

const LOST = /\p{Surrogate}|\u{10FFFF}/gu;

/** Asked of every text, where a regular expression would take as long as all the rest. */
const isKept = (json: string & { isWellFormed?(): boolean }): boolean =>
  (json.isWellFormed?.() ?? !/\p{Surrogate}/u.test(json)) && !json.includes("\u{10FFFF}");

const toEscapes = (lost: string): string =>
  lost.replaceAll(/[\ud800-\udfff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16)}`);

/** Between the tokens of JSON a line break is a space, and inside of its strings neither it nor `\0` may stand. */
const withoutBreaks = (json: string): string =>
  json.includes("\n") || json.includes("\0") ? json.replaceAll("\n", " ").replaceAll("\0", "\u0001") : json;

/** Nothing for what is no string. Most are plain words. */
function stringToJson(value: unknown): string {
  if (typeof value !== "string") return "";
  return /^\w*$/.test(value) ? `"${value}"` : JSON.stringify(value);
}

/**
 * Whether two trajectories are the same to the letter: then they match in every mode, and nothing needs to cross. Not if
 * arguments are no JSON, which the engine has to say.
 */
export function areSame(steps: readonly Step[], others: readonly Step[]): boolean {
  if (steps.length !== others.length) return false;
  for (let index = 0; index < steps.length; index++) {
    const step = steps[index] as Step;
    const other = others[index] as Step;
    if (step.role !== other.role || step.calls.length !== other.calls.length) return false;
    for (let position = 0; position < step.calls.length; position++) {
      const { name, args } = step.calls[position] as Call;
      const otherCall = other.calls[position] as Call;
      if (typeof args !== "string" || args !== otherCall.args || name !== otherCall.name || !isJson(args))
        return false;
    }
  }
  return true;
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** The arguments of a call, as a custom matcher gets them. */
export function argumentsOf({ args, isText }: Call): Record<string, unknown> {
  if (typeof args !== "string" || isText) return (args ?? {}) as Record<string, unknown>;
  // The engine asks no matcher about arguments that are not JSON.
  try {
    return args.trim() === "" ? {} : (JSON.parse(args) ?? {});
  } catch {
    return {};
  }
}
