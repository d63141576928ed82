/** Reads function calls: from messages, or as a list of calls. */

import { invalidInput } from "../../core/errors.js";
import { show } from "../../core/input/checks.js";
import { callsOf } from "../../models/conversation/calls.js";
import { type AnyMessage, isItem } from "../../models/conversation/forms.js";
import { listIn } from "../../models/conversation/list.js";
import type { MessagePlace } from "../../models/conversation/place.js";
import { roleOf } from "../../models/conversation/roles.js";
import { checkAgreement } from "../../models/conversation/unread.js";
import { readTrajectory } from "../trajectory/any-steps.js";
import type { ComparedStep } from "../trajectory/steps.js";

/** A function call. */
export interface FunctionCall {
  /** The name of the tool. */
  name: string;
  /** The arguments: an object, or JSON text. */
  args?: unknown;
}

/**
 * Reads the calls of messages in any form, or a list of calls in any form.
 *
 * @param path The name of the value in errors.
 */
export function readCalls(value: unknown, path: string): readonly ComparedStep[] {
  const list = listIn(value);
  if (!list) throw invalidInput(`${path} is ${show(value)}; it has to be a list of ${FORMS}`);
  return list.length && list.every(isCall) ? stepOf(list, path) : stepsIn(value, list, path);
}

const FORMS = "calls, as in { name, args }, or of messages, as in { role, content }";

function stepOf(list: readonly unknown[], path: string): ComparedStep[] {
  list.forEach((call, index) => {
    checkAgreement(call as AnyMessage, () => `${path}[${index}]`);
  });
  const calls = callsOf({ tool_calls: list }, () => path);
  const unnamed = calls.findIndex(({ name }) => typeof name !== "string");
  if (unnamed >= 0)
    throw invalidInput(
      `${path}[${unnamed}] has no name: it is ${show(list[unnamed])}; a call is { name, args }`,
    );
  return [{ role: "assistant", calls }];
}

function stepsIn(value: unknown, list: readonly unknown[], path: string): ComparedStep[] {
  const isNoMessage = (element: unknown, index: number) => !isMessage(element, () => `${path}[${index}]`);
  const neither = list.findIndex((element, index) => isNoMessage(element, index) && !isCall(element));
  if (neither >= 0) {
    const what = "neither a call, as in { name, args }, nor a message, as in { role, content }";
    throw invalidInput(`${path}[${neither}] is ${what}: it is ${show(list[neither])}`);
  }
  const call = list.findIndex(isNoMessage);
  if (call >= 0)
    throw invalidInput(`${path}[${call}] is a call among messages; put it into the tool_calls of a message`);
  return readTrajectory(value, path);
}

/** Whether an element is a message, even in a form that is not supported. */
function isMessage(element: unknown, place: MessagePlace): boolean {
  if (typeof element !== "object" || element === null) return false;
  const message = element as AnyMessage;
  return roleOf(message) !== undefined || isItem(message) || callsOf(message, place).length > 0;
}

/** Whether an element is a call instead of a message. */
function isCall(element: unknown): boolean {
  if (typeof element !== "object" || element === null || "role" in element || "content" in element)
    return false;
  const { name, toolName, function: called } = element as Record<string, unknown>;
  return [name, toolName, Object(called).name].some((name) => typeof name === "string");
}
