/** Messages in all their forms, reduced to what a trajectory is compared by. */

import { OpenEvalsError } from "../errors.js";
import { toJson } from "./json.js";

/** What of a message is compared. */
export interface Step {
  role: unknown;
  calls: readonly Call[];
}

/** One tool call, from either form: `{ function: { name, arguments } }` or `{ name, args }`. */
export interface Call {
  name: unknown;
  /** A string is JSON text, as a model wrote it; anything else is the value itself. */
  args: unknown;
}

/**
 * Reads a list of messages, `{ messages: [...] }` or a single message.
 *
 * @param path What messages call the trajectory.
 */
export function readTrajectory(trajectory: unknown, path: string): Step[] {
  return messagesOf(trajectory, path).map((message, index) => {
    if (typeof message !== "object" || message === null) {
      throw new OpenEvalsError(
        "invalid_input",
        `${path}[${index}] is ${message === null ? "null" : `a ${typeof message}`}; a message is an object with a role.`,
      );
    }
    const place = `${path}[${index}]`;
    return isLangChainMessage(message) ? readLangChainMessage(message, place) : readMessage(message, place);
  });
}

/** The messages in a list, in `{ messages: [...] }`, or of a single one. */
export function messagesOf(trajectory: unknown, path: string): readonly unknown[] {
  if (Array.isArray(trajectory)) return trajectory;
  if (typeof trajectory === "object" && trajectory !== null) {
    if ("messages" in trajectory && Array.isArray(trajectory.messages)) return trajectory.messages;
    if (isLangChainMessage(trajectory) || ("role" in trajectory && "content" in trajectory))
      return [trajectory];
  }
  throw new OpenEvalsError(
    "invalid_input",
    `${path} has to be a message, a list of messages, or an object with such a list in "messages".`,
  );
}

function readMessage(message: object, path: string): Step {
  const { role, tool_calls } = message as { role?: unknown; tool_calls?: unknown };
  // An empty list says what a missing one says: no tool was called.
  if (tool_calls == null) return { role, calls: NO_CALLS };
  if (!Array.isArray(tool_calls)) {
    throw new OpenEvalsError("invalid_input", `${path}.tool_calls is not a list.`);
  }
  return { role, calls: tool_calls.map((call, index) => readCall(call, path, index)) };
}

const NO_CALLS: readonly Call[] = [];

function readCall(call: unknown, path: string, index: number): Call {
  if (typeof call !== "object" || call === null) {
    throw new OpenEvalsError(
      "invalid_input",
      `${path}.tool_calls[${index}] is ${call === null ? "null" : `a ${typeof call}`}; a tool call is an object, ` +
        "either { function: { name, arguments } } or { name, args }.",
    );
  }
  const { function: called, name, args } = call as { function?: unknown; name?: unknown; args?: unknown };
  if (typeof called !== "object" || called === null) return { name, args };
  const { name: tool, arguments: text } = called as { name?: unknown; arguments?: unknown };
  return { name: tool, args: text };
}

/** LangChain's messages, by what only they have; the package never imports LangChain. */
export interface LangChainShape {
  getType?(): string;
  _getType?(): string;
  role?: unknown;
  tool_calls?: readonly unknown[];
  additional_kwargs?: { tool_calls?: readonly unknown[]; __openai_role__?: unknown };
}

export const isLangChainMessage = (message: object): message is LangChainShape =>
  typeof (message as LangChainShape).getType === "function" ||
  typeof (message as LangChainShape)._getType === "function";

const ROLES: Record<string, string> = { human: "user", ai: "assistant" };

/** The role of a message of LangChain, as OpenAI calls it. */
export function langChainRole(message: LangChainShape): unknown {
  const type = message.getType?.() ?? message._getType?.() ?? "";
  // A generic message names its role itself, and LangChain notes where a system message was a developer message.
  const named = type === "generic" ? message.role : message.additional_kwargs?.__openai_role__;
  return named ?? ROLES[type] ?? type;
}

function readLangChainMessage(message: LangChainShape, path: string): Step {
  const role = langChainRole(message);
  const calls = message.tool_calls?.length ? message.tool_calls : message.additional_kwargs?.tool_calls;
  return readMessage({ role, tool_calls: calls }, path);
}

/**
 * The steps as the engine reads them, one item a line: see `src/trajectory/message.rs`.
 *
 * @param path What messages call the trajectory.
 */
export function stepsToText(steps: readonly Step[], path: string): string {
  let text = "";
  for (let index = 0; index < steps.length; index++) {
    const { role, calls } = steps[index] as Step;
    text += `m${ROLES_AS_JSON[role as string] ?? stringToJson(role)}\n`;
    for (let position = 0; position < calls.length; position++) {
      const { name, args } = calls[position] as Call;
      text += `c${stringToJson(name)}\n`;
      if (typeof args === "string") text += `t${withoutBreaks(escaped(args))}\n`;
      else text += `v${toJson(args, `${path}[${index}].tool_calls[${position}].args`)}\n`;
    }
  }
  return text;
}

/** Without prototype, since a role may be any string. */
const ROLES_AS_JSON: Record<string, string> = Object.assign(Object.create(null), {
  user: '"user"',
  assistant: '"assistant"',
  tool: '"tool"',
  system: '"system"',
});

/**
 * JSON text in which what does not survive the crossing is written as escapes, which mean the same: halves of surrogate
 * pairs, and the character that stands for them in the engine.
 */
const escaped = (json: string): string =>
  LOST.test(json) ? json.replaceAll(new RegExp(LOST, "gu"), toEscapes) : json;

const LOST = /\p{Surrogate}|\u{10FFFF}/u;

const toEscapes = (lost: string): string =>
  lost.replaceAll(/[\ud800-\udfff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16)}`);

/** Between the tokens of JSON a line break is a space, and inside of its strings neither it nor `\0` may stand. */
const withoutBreaks = (json: string): string =>
  json.includes("\n") || json.includes("\0") ? json.replaceAll("\n", " ").replaceAll("\0", "\u0001") : json;

const stringToJson = (value: unknown): string => (typeof value === "string" ? JSON.stringify(value) : "");

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
export function argumentsOf({ args }: Call): Record<string, unknown> {
  if (typeof args !== "string") return (args ?? {}) as Record<string, unknown>;
  // The engine asks no matcher about arguments that are not JSON.
  try {
    return args.trim() === "" ? {} : (JSON.parse(args) ?? {});
  } catch {
    return {};
  }
}
