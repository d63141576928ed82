/** Reads the calls of an agent and their results from messages in all forms. */

import { invalidInput } from "../../core/errors.js";
import { show } from "../../core/input/checks.js";
import { memberPath } from "../../core/input/json/flaw.js";
import { parseJson } from "../../core/input/json/parse-json.js";
import { isRecord } from "../../core/input/objects.js";
import { toText } from "../../core/input/text.js";
import { callAtOnce } from "../../core/user-function.js";
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
  /** The arguments, parsed if the message has an object as JSON text without numbers of 16 digits; anything else is unchanged. */
  args: unknown;
  /** The index of its message. */
  message: number;
  /** The index among the calls of its message. */
  call: number;
  /** The result in its own form; `undefined` without one. */
  result?: unknown;
};

/** Decides whether the result of a call is an error. `byForm` is whether its form says so, which decides by default. */
export type IsToolError = (call: AgentCall, byForm: boolean) => boolean;

/** A trajectory as these evaluators read it. */
export interface AgentTrajectory {
  messages: readonly unknown[];
  /** The role and calls of each message. */
  steps: readonly ComparedStep[];
  calls: readonly AgentCall[];
  /** For each call: `o` for a result, `f` for an error, `-` for none. */
  outcomes: string;
  /** The number of calls before the last step. */
  beforeLastStep: number;
}

/** The roles of messages that are not the agent's. Calls in them are not its own: simulated users may have tools, too. */
const OTHERS = /^(user|system|developer|tool|function)$/;

/**
 * Reads a list of messages, `{ messages: [...] }` or a single message.
 *
 * @param path The name of the trajectory in errors.
 * @param hasAllCalls Whether it has calls that the agent has not made, and their results. By default, they are left out.
 */
export function readAgentTrajectory(
  value: unknown,
  path: string,
  isError?: IsToolError,
  hasAllCalls = false,
): AgentTrajectory {
  const calls: AgentCall[] = [];
  const pairing = new ResultPairing();
  let index = 0;
  let wasCallItem = false;
  const steps = eachMessage(value, path, (message, place) => {
    const allCalls = checkedCalls(message, place);
    const isOther = !hasAllCalls && OTHERS.test(String(roleOf(message)));
    if (isOther) for (const { id } of allCalls) pairing.ignore(id);
    const ownCalls = isOther ? [] : allCalls;
    const results = resultsIn(message, ownCalls).filter(({ id }) => !pairing.isIgnored(id));
    const role = roleIn(message, ownCalls, results.length > 0);
    // Consecutive items that are calls are one step, as in the engine.
    const isCallItem = typeof role === "string" && role.endsWith("_call");
    if (ownCalls.length && !(isCallItem && wasCallItem)) pairing.beginStep();
    const isBetween = !ownCalls.length && (role === "assistant" || role === "reasoning");
    wasCallItem = isCallItem || (wasCallItem && isBetween);
    ownCalls.forEach((own, call) => {
      pairing.addCall(own.id);
      calls.push({ name: own.name, args: argumentsOf(own), message: index, call });
    });
    for (const result of results) {
      const call = calls[pairing.take(result, index) ?? -1];
      if (call) call.result = result.value;
    }
    index++;
    return { role, calls: ownCalls };
  });
  checkStray(pairing, calls, path);
  let outcomes = "";
  calls.forEach((call, index) => {
    const result = pairing.found[index];
    outcomes += result ? (failed(call, result, isError) ? "f" : "o") : "-";
  });
  const { beforeLastStep } = pairing;
  return { messages: messagesOf(value, path), steps, calls, outcomes, beforeLastStep };
}

/** The same, but throws if there is no message. */
export function readAgentRun(value: unknown, path: string, isError?: IsToolError): AgentTrajectory {
  const trajectory = readAgentTrajectory(value, path, isError);
  checkHasMessages(trajectory.messages, path);
  return trajectory;
}

/** Rejects a run without messages: an agent that did nothing breaks no rule. */
export function checkHasMessages(messages: readonly unknown[], path: string): void {
  if (!messages.length) throw invalidInput(`${path} has no messages; it needs those of the run`);
}

/**
 * The place of a call in errors and comments.
 *
 * @param path The name of the trajectory.
 */
export const placeOfCall = ({ message, call }: AgentCall, path: string): string =>
  `${path}[${message}].tool_calls[${call}]`;

/** The arguments of a call as in its message, which may be JSON text. */
export const writtenArgs = ({ steps }: AgentTrajectory, { message, call }: AgentCall): unknown =>
  steps[message]?.calls[call]?.args;

/** The arguments of a call. OpenAI's API writes them as JSON text, empty for none; others have the object itself. */
function argumentsOf({ args, isText }: ToolCall): unknown {
  // Parsing would round long numbers.
  if (typeof args !== "string" || isText || /\d{16}/.test(args)) return args;
  const value = parseJson(args.trim() || "{}");
  return isRecord(value) ? value : args;
}

/**
 * Rejects a result whose id no call has, if a call of the step before it has no result: the result may be its own. Other such
 * results are ignored, because their calls may have been cut off.
 */
function checkStray({ stray, found }: ResultPairing, calls: readonly AgentCall[], path: string): void {
  for (const { id, message, start, end } of stray) {
    for (let index = start; index < end; index++) {
      if (found[index]) continue;
      const open = calls[index] as AgentCall;
      throw invalidInput(
        `${path}[${message}] is the result of a call with the id ${show(id)}, which no message has, and ` +
          `${placeOfCall(open, path)} has no result; give a call and its result the same id`,
      );
    }
  }
}

function failed(call: AgentCall, result: FoundResult, isError: IsToolError | undefined): boolean {
  const byForm = isErrorResult(result);
  if (!isError) return byForm;
  const isFailure: unknown = callAtOnce("isError", () => isError(call, byForm));
  if (typeof isFailure === "boolean") return isFailure;
  throw invalidInput(
    `isError returned ${show(isFailure)} for a call of ${show(call.name)}; it has to return true or false`,
  );
}

/** The role of a message; `tool` for user messages with tool results, as Anthropic has them. Items keep their type. */
function roleIn(message: AnyMessage, calls: readonly ToolCall[], hasResults: boolean): unknown {
  const role = roleOf(message);
  if (role === undefined && isItem(message)) return message.type;
  return hasResults && !calls.length ? "tool" : role;
}

/** Rejects arguments of a live call whose JSON, which is judged, is not what the tool gets. */
function checkPlain(args: unknown): void {
  const path = "call.args";
  // Throws for cycles, and for values that JSON cannot represent.
  toText(args, path);
  const members: [unknown, string][] = [[args, path]];
  for (const [value, place] of members) {
    if (typeof value !== "object" || !value || isPlainDate(value)) continue;
    if (typeof (value as AnyMessage).toJSON === "function")
      throw invalidInput(`${place} has toJSON(), so its JSON is not what the tool gets; pass plain data`);
    const isList = Array.isArray(value);
    for (const [key, member] of Object.entries(value))
      members.push([member, memberPath(place, isList ? Number(key) : key)]);
  }
}

/** Whether it is a date whose JSON is its time. */
const isPlainDate = (value: object): boolean =>
  Object.getPrototypeOf(value) === Date.prototype && Reflect.ownKeys(value).length === 0;

/** A history with a call that is about to be made, and the index of that call. */
export function withCall(
  call: object,
  history: unknown,
  isError?: IsToolError,
): { trajectory: AgentTrajectory; live: number } {
  if (typeof call !== "object" || !call)
    throw invalidInput(`call is ${show(call)}; a call is { id, name, args }, or has the form of a package`);
  // A call without a name is an item of the Responses API, which is a message itself.
  const { name, type } = call as AnyMessage;
  const isCallItem = name === undefined && String(type).endsWith("_call");
  const callMessage = isCallItem ? call : { role: "assistant", content: "", tool_calls: [call] };
  const place = () => "call";
  const [newCall] = checkedCalls(callMessage, place, place);
  checkPlain(newCall?.args);
  const messages = messagesOf(history, "history");
  const past = readAgentTrajectory(messages, "history", isError);
  if (newCall && newCall.id != null && newCall.id !== "") {
    for (let live = past.calls.length - 1; live >= 0; live--) {
      const { message, call: position } = past.calls[live] as AgentCall;
      const { id } = past.steps[message]?.calls[position] as ToolCall;
      if (textOfId(id) !== textOfId(newCall.id) || past.outcomes[live] !== "-") continue;
      // The history has the call as the model made it; the application may have changed it since.
      const calls = past.calls.map((earlier, index) =>
        index === live ? { ...earlier, name: newCall.name, args: argumentsOf(newCall) } : earlier,
      );
      const steps = past.steps.map((step, index) =>
        index === message
          ? { ...step, calls: step.calls.map((earlier, at) => (at === position ? newCall : earlier)) }
          : step,
      );
      return { trajectory: { ...past, calls, steps }, live };
    }
  }
  const trajectory = readAgentTrajectory([...messages, callMessage], "history", isError);
  return { trajectory, live: past.calls.length };
}
