/** Reads the calls of an agent and their results from messages in all forms. */

import { callbackFailed, invalidInput } from "../../core/errors.js";
import { show } from "../../core/input/checks.js";
import type { ToolCall } from "../../models/conversation/calls.js";
import { type AnyMessage, isItem } from "../../models/conversation/forms.js";
import { eachMessage, messagesOf } from "../../models/conversation/list.js";
import { roleOf } from "../../models/conversation/roles.js";
import { checkedCalls } from "../../models/conversation/unread.js";
import type { ComparedStep } from "../trajectory/steps.js";
import { ResultPairing, textOfId } from "./result-pairing.js";
import { type FoundResult, isErrorResult, resultsIn } from "./results.js";

/** A tool call with its place and its result. */
export type AgentCall = {
  /** The name of the tool. */
  name: unknown;
  /** The arguments as in the message: a value, or JSON text. */
  args: unknown;
  /** The index of its message. */
  message: number;
  /** The index among the calls of its message. */
  call: number;
  /** The result in its own form; `undefined` without one. */
  result?: unknown;
};

/** Decides whether the result of a call is an error. */
export type IsToolError = (call: AgentCall) => boolean;

/** A trajectory as these evaluators read it. */
export interface AgentTrajectory {
  messages: readonly unknown[];
  /** The role and calls of each message. */
  steps: readonly ComparedStep[];
  calls: readonly AgentCall[];
  /** For each call: `o` for a result, `f` for an error, `-` for none. */
  outcomes: string;
}

/**
 * Reads a list of messages, `{ messages: [...] }` or a single message.
 *
 * @param path The name of the trajectory in messages.
 */
export function readAgentTrajectory(value: unknown, path: string, isError?: IsToolError): AgentTrajectory {
  const calls: AgentCall[] = [];
  const pairing = new ResultPairing();
  let index = 0;
  let wasCallItem = false;
  const steps = eachMessage(value, path, (message, place) => {
    const own = checkedCalls(message, place);
    const results = resultsIn(message, own);
    const role = roleIn(message, own, results.length > 0);
    // Consecutive items that are calls are one step, as in the engine.
    const isCallItem = typeof role === "string" && role.endsWith("_call");
    if (own.length && !(isCallItem && wasCallItem)) pairing.beginStep();
    const isBetween = !own.length && (role === "assistant" || role === "reasoning");
    wasCallItem = isCallItem || (wasCallItem && isBetween);
    own.forEach(({ id, name, args }, call) => {
      pairing.addCall(id);
      calls.push({ name, args, message: index, call });
    });
    for (const result of results) {
      const call = calls[pairing.take(result, index) ?? -1];
      if (call) call.result = result.value;
    }
    index++;
    return { role, calls: own };
  });
  checkStray(pairing, calls, path);
  let outcomes = "";
  calls.forEach((call, index) => {
    const result = pairing.found[index];
    outcomes += result ? (failed(call, result, isError) ? "f" : "o") : "-";
  });
  return { messages: messagesOf(value, path), steps, calls, outcomes };
}

/**
 * Rejects a result whose id no call has, if a call of the step before it has no result: the result may be its own, and a call
 * without a result counts as successful. Other such results are ignored, because their calls may have been cut off.
 */
function checkStray({ stray, found }: ResultPairing, calls: readonly AgentCall[], path: string): void {
  for (const { id, message, start, end } of stray) {
    for (let index = start; index < end; index++) {
      if (found[index]) continue;
      const open = calls[index] as AgentCall;
      throw invalidInput(
        `${path}[${message}] is the result of a call with the id ${show(id)}, which no message has, and ` +
          `${path}[${open.message}].tool_calls[${open.call}] has no result; give a call and its result the same id`,
      );
    }
  }
}

function failed(call: AgentCall, result: FoundResult, isError: IsToolError | undefined): boolean {
  if (!isError) return isErrorResult(result);
  let isFailure: unknown;
  try {
    isFailure = isError(call);
  } catch (thrown) {
    throw callbackFailed("isError", thrown);
  }
  if (typeof isFailure === "boolean") return isFailure;
  throw invalidInput(
    `isError returned ${show(isFailure)} for a call of ${show(call.name)}; it has to return true or false`,
  );
}

/** The role of a message: Anthropic has tool results in messages of the user. Items keep their type. */
function roleIn(message: AnyMessage, calls: readonly ToolCall[], hasResults: boolean): unknown {
  const role = roleOf(message);
  if (role === undefined && isItem(message)) return message.type;
  return hasResults && !calls.length ? "tool" : role;
}

/** A history with a call that is about to be made, and the index of that call. */
export function withCall(
  call: object,
  history: unknown,
  isError?: IsToolError,
): { trajectory: AgentTrajectory; live: number } {
  // A call without a name is an item of the Responses API, which is a message itself.
  const { name, type } = call as AnyMessage;
  const isCallItem = name === undefined && String(type).endsWith("_call");
  const made = isCallItem ? call : { role: "assistant", content: "", tool_calls: [call] };
  const [own] = checkedCalls(made, () => "call");
  const messages = messagesOf(history, "history");
  const known = readAgentTrajectory(messages, "history", isError);
  if (own && own.id != null && own.id !== "") {
    for (let live = known.calls.length - 1; live >= 0; live--) {
      const { message, call: position } = known.calls[live] as AgentCall;
      const { id } = known.steps[message]?.calls[position] as ToolCall;
      if (textOfId(id) !== textOfId(own.id) || known.outcomes[live] !== "-") continue;
      // The history has it as the model made it. It may have been changed since.
      const calls = known.calls.map((one, index) =>
        index === live ? { ...one, name: own.name, args: own.args } : one,
      );
      const steps = known.steps.map((step, index) =>
        index === message
          ? { ...step, calls: step.calls.map((one, at) => (at === position ? own : one)) }
          : step,
      );
      return { trajectory: { ...known, calls, steps }, live };
    }
  }
  const trajectory = readAgentTrajectory([...messages, made], "history", isError);
  return { trajectory, live: known.calls.length };
}
