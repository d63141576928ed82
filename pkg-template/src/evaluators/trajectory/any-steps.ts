/** Reads the compared part of trajectories from messages in all forms. Loaded with the first message in an unusual form. */

import type { ComparedValues } from "../../core/input/params.js";
import type { AnyMessage } from "../../models/conversation/forms.js";
import { eachMessage } from "../../models/conversation/list.js";
import { roleOf } from "../../models/conversation/roles.js";
import { checkedCalls } from "../../models/conversation/unread.js";
import type { ComparedStep, ComparedSteps } from "./steps.js";

/**
 * Reads both sides.
 *
 * @param path The prefix of their names in errors.
 */
export const readSteps = ({ outputs, referenceOutputs }: ComparedValues, path: string): ComparedSteps => ({
  outputs: readTrajectory(outputs, `${path}outputs`),
  referenceOutputs: readTrajectory(referenceOutputs, `${path}referenceOutputs`),
});

/**
 * Reads a list of messages, `{ messages: [...] }` or a single message. Refuses messages in forms that are not read, and objects
 * that are not messages, such as calls.
 *
 * @param path Its name in errors.
 */
export const readTrajectory = (trajectory: unknown, path: string): ComparedStep[] =>
  eachMessage(trajectory, path, (message, place) => {
    const calls = checkedCalls(message, place);
    return { role: isResults(message.content) ? "tool" : (roleOf(message) ?? roleOfItem(message)), calls };
  });

/** Whether a content has only results of tools, which Anthropic has in messages of the user. */
const isResults = (content: unknown): boolean =>
  Array.isArray(content) && content.length > 0 && content.every((part) => part?.type === "tool_result");

/** The role of an item of the Responses API, by its type. */
const roleOfItem = ({ type }: AnyMessage): unknown =>
  typeof type === "string" ? type.replace(/.*_call$/, "assistant").replace(/.*_output$/, "tool") : undefined;
