/** Messages in all their forms, reduced to what a trajectory is compared by. */

import { OpenEvalsError } from "./errors.js";

/** What of a message the engine compares. Tool calls stay in their own form, which the engine reads. */
export interface Step {
  role: unknown;
  tool_calls?: readonly unknown[];
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
    return isLangChainMessage(message) ? readLangChainMessage(message) : readMessage(message, `${path}[${index}]`);
  });
}

function messagesOf(trajectory: unknown, path: string): readonly unknown[] {
  if (Array.isArray(trajectory)) return trajectory;
  if (typeof trajectory === "object" && trajectory !== null) {
    if ("messages" in trajectory && Array.isArray(trajectory.messages)) return trajectory.messages;
    if (isLangChainMessage(trajectory) || ("role" in trajectory && "content" in trajectory)) return [trajectory];
  }
  throw new OpenEvalsError(
    "invalid_input",
    `${path} has to be a list of messages, or an object with such a list in "messages".`,
  );
}

function readMessage(message: object, path: string): Step {
  const { role, tool_calls } = message as { role?: unknown; tool_calls?: unknown };
  // An empty list says what a missing one says: no tool was called.
  if (tool_calls == null) return { role };
  if (!Array.isArray(tool_calls)) {
    throw new OpenEvalsError("invalid_input", `${path}.tool_calls is not a list.`);
  }
  return { role, tool_calls: tool_calls.map(readCall) };
}

/** Drops what is not compared, such as ids, so that it neither crosses nor has to be JSON. */
function readCall(call: unknown): unknown {
  if (typeof call !== "object" || call === null) return call;
  const { function: called, name, args } = call as { function?: unknown; name?: unknown; args?: unknown };
  if (typeof called !== "object" || called === null) return { name, args };
  const { name: tool, arguments: text } = called as { name?: unknown; arguments?: unknown };
  return { function: { name: tool, arguments: text } };
}

/** LangChain's messages, by what only they have; the package never imports LangChain. */
interface LangChainShape {
  getType?(): string;
  _getType?(): string;
  role?: unknown;
  tool_calls?: readonly unknown[];
  additional_kwargs?: { tool_calls?: readonly unknown[]; __openai_role__?: unknown };
}

const isLangChainMessage = (message: object): message is LangChainShape =>
  typeof (message as LangChainShape).getType === "function" ||
  typeof (message as LangChainShape)._getType === "function";

const ROLES: Record<string, string> = { human: "user", ai: "assistant" };

function readLangChainMessage(message: LangChainShape): Step {
  const type = message.getType?.() ?? message._getType?.() ?? "";
  // A generic message names its role itself, and LangChain notes where a system message was a developer message.
  const named = type === "generic" ? message.role : message.additional_kwargs?.__openai_role__;
  const role = named ?? ROLES[type] ?? type;
  const calls = message.tool_calls?.length ? message.tool_calls : message.additional_kwargs?.tool_calls;
  return calls ? { role, tool_calls: calls.map(readCall) } : { role };
}

/** The arguments of every call of a trajectory, in order, as a custom matcher gets them. */
export function callArguments(steps: readonly Step[]): Record<string, unknown>[] {
  return steps.flatMap(({ tool_calls = [] }) => tool_calls).map((call) => {
    const { function: called, args } = call as { function?: { arguments?: unknown }; args?: unknown };
    const value = called ? called.arguments : args;
    if (typeof value !== "string") return (value ?? {}) as Record<string, unknown>;
    // The engine asks no matcher about arguments that are not JSON.
    try {
      return value.trim() === "" ? {} : JSON.parse(value);
    } catch {
      return {};
    }
  });
}
