/** Reads the results of agents: of packages, by their shape, or messages. */

import { OpenEvalsError } from "../../../core/errors.js";
import { show } from "../../../core/input/checks.js";
import { messagesIn, plainMessages, readReturned } from "./messages.js";
import type { AgentRunStep, ReportedRun, RunMessage } from "./types.js";
import { readUsage } from "./usage.js";

/** Reads the result of an agent: of the AI SDK, Mastra or OpenAI's Agents SDK, messages, or a text. */
export async function readResult(result: any, input: readonly RunMessage[]): Promise<ReportedRun> {
  if (typeof result === "string") return readReturned([{ role: "assistant", content: result }], input);
  const { rawResponses, history } = Object(result);
  if (Array.isArray(rawResponses) && Array.isArray(history)) return readOpenAI(rawResponses, history, input);
  // Results of streams have a promise.
  const steps = await Object(result).steps;
  if (Array.isArray(steps) && steps.every((step) => Array.isArray(step?.response?.messages))) {
    return { steps: steps.map(stepReader()) };
  }
  const messages = messagesIn(result);
  if (messages?.length) return readReturned(messages, input);
  throw new OpenEvalsError(
    "invalid_input",
    `The agent returned ${show(result)}. It has to return a text, messages, { messages }, or a result of the AI SDK, Mastra ` +
      "or OpenAI's Agents SDK.",
  );
}

/** Reads the steps of the AI SDK, which Mastra also has, one after the other. */
export function stepReader(): (step: any) => AgentRunStep {
  let earlier: readonly string[] = [];
  return ({ response, usage, performance }) => {
    const all: readonly unknown[] = response.messages;
    const identities = all.map(identityOf);
    // Until version 6 of the AI SDK, and in failed steps of Mastra, a step has the messages of the steps before it.
    const isCumulative = earlier.every((identity, index) => identity === identities[index]);
    const own = isCumulative ? all.slice(earlier.length) : all;
    earlier = isCumulative ? identities : [];
    const tokens = readUsage(usage);
    const latencyMs = performance?.stepTimeMs;
    return {
      messages: plainMessages(own, "a step of the agent"),
      ...(typeof latencyMs === "number" && { latencyMs }),
      ...(tokens && { usage: tokens }),
    };
  };
}

/** Ignores `providerOptions`, because Mastra puts timestamps there. */
const identityOf = (message: unknown): string =>
  JSON.stringify(message, (key, value) => (key === "providerOptions" ? undefined : value));

/** Reads OpenAI's Agents SDK: the history has the items of each response, and behind them the results of its calls. */
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

/** An item in the form of OpenAI's API, which the SDK converts it to before it sends it. */
function toResponsesItem(item: any): unknown {
  const { type, callId, providerData: _, ...fields } = item;
  if (type === "function_call") return { type, call_id: callId, ...fields };
  if (type !== "function_call_result") return item;
  const { name: __, output, ...rest } = fields;
  const text = typeof output?.text === "string" ? output.text : output;
  return { type: "function_call_output", call_id: callId, ...rest, output: text };
}
