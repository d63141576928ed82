/** Reads the results of agents. The package is recognised by the shape of its result. */

import { invalidInput } from "../../../core/errors.js";
import { show } from "../../../core/input/checks.js";
import { messagesIn, plainMessages, readReturned } from "./messages.js";
import type { AgentRunStep, ReportedRun, RunMessage } from "./types.js";
import { readUsage } from "./usage.js";

/** Reads the result of an agent: of the AI SDK, Mastra or OpenAI's Agents SDK, or messages. */
export async function readResult(result: any, input: readonly RunMessage[]): Promise<ReportedRun> {
  const { rawResponses, history } = Object(result);
  if (Array.isArray(rawResponses) && Array.isArray(history)) return readOpenAI(rawResponses, history, input);
  // In results of streams, `steps` is a promise.
  const steps = await Object(result).steps;
  if (Array.isArray(steps) && steps.every((step) => Array.isArray(step?.response?.messages))) {
    return { steps: steps.map(stepReader()) };
  }
  const messages = messagesIn(result);
  if (messages?.length) return readReturned(messages, input);
  throw invalidInput(
    `The agent returned ${show(result)}. It has to return a text, messages, { messages }, or a result of the AI SDK, Mastra ` +
      "or OpenAI's Agents SDK",
  );
}

/** Makes a reader for the steps of the AI SDK or Mastra. Call it with each step, in order. */
export function stepReader(): (step: any) => AgentRunStep {
  let earlier: readonly string[] = [];
  return ({ response, usage, performance }) => {
    const all: readonly unknown[] = response.messages;
    const identities = all.map(identityOf);
    // Until version 6 of the AI SDK, and in failed steps of Mastra, a step has the messages of the steps before it.
    const isCumulative = earlier.every((identity, index) => identity === identities[index]);
    const added = isCumulative ? all.slice(earlier.length) : all;
    earlier = isCumulative ? identities : [];
    const tokens = readUsage(usage);
    const latencyMs = performance?.stepTimeMs;
    return {
      messages: plainMessages(added, "a step of the agent"),
      ...(typeof latencyMs === "number" && { latencyMs }),
      ...(tokens && { usage: tokens }),
    };
  };
}

/** Identifies a message without `providerOptions`, because Mastra puts timestamps there. */
const identityOf = (message: unknown): string =>
  JSON.stringify(message, (key, value) => (key === "providerOptions" ? undefined : value));

/** Reads OpenAI's Agents SDK. In the history, the results of a response's calls follow the items of the response. */
function readOpenAI(
  responses: readonly any[],
  history: readonly any[],
  input: readonly RunMessage[],
): ReportedRun {
  const messages = plainMessages(history.map(toResponsesItem), "the history of the agent");
  let next = input.length;
  const steps = responses.map(({ output, usage }, index): AgentRunStep => {
    const start = next;
    next += Object(output).length ?? 0;
    while (/_output$/.test(messages[next]?.type ?? "")) next++;
    const tokens = readUsage(usage);
    const end = index === responses.length - 1 ? messages.length : next;
    return { messages: messages.slice(start, end), ...(tokens && { usage: tokens }) };
  });
  return { steps, messages };
}

/** An item in the form of OpenAI's API, to which the SDK converts items before it sends them. */
function toResponsesItem(item: any): unknown {
  const { type, callId, providerData: _, ...fields } = item;
  if (type === "function_call") return { type, call_id: callId, ...fields };
  if (type !== "function_call_result") return item;
  const { name: __, output, ...rest } = fields;
  const text = typeof output?.text === "string" ? output.text : output;
  return { type: "function_call_output", call_id: callId, ...rest, output: text };
}
