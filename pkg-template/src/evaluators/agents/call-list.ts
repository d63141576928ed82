/** Reads function calls: from messages, or as a list of calls. */

import { callsOf } from "../../models/conversation/calls.js";
import { eachMessage, listIn } from "../../models/conversation/list.js";
import { checkMessage } from "../../models/conversation/unread.js";
import { type ComparedStep, readTrajectory } from "../trajectory/steps.js";

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
 * @param path The name of the value in messages.
 */
export function readCalls(value: unknown, path: string): readonly ComparedStep[] {
  const list = listIn(value);
  if (!list?.length || !list.every(isCall)) {
    eachMessage(value, path, checkMessage);
    return readTrajectory(value, path);
  }
  return [{ role: "assistant", calls: callsOf({ tool_calls: list as object[] }, () => path) }];
}

/** Whether an element is a call instead of a message. */
function isCall(element: unknown): boolean {
  if (typeof element !== "object" || element === null || "role" in element || "content" in element)
    return false;
  const { name, toolName, function: called } = element as Record<string, unknown>;
  return [name, toolName, Object(called).name].some((name) => typeof name === "string");
}
