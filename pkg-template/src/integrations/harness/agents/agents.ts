/** Runs agents of the AI SDK, Mastra and LangGraph, and measures the duration of each step. */

import { invalidConfig, invalidInput } from "../../../core/errors.js";
import { show } from "../../../core/input/checks.js";
import { uuid } from "../../../core/platform/uuid.js";
import { messagesIn, plainMessages } from "./messages.js";
import { readResult, stepReader } from "./results.js";
import type { AgentRunStep, ReportedRun, RunMessage } from "./types.js";
import { addStepUsage, readUsage } from "./usage.js";

/** Returns the milliseconds since its last call. */
export function stopwatch(): () => number {
  let last = performance.now();
  return () => {
    const since = performance.now() - last;
    last += since;
    return Math.round(since * 1000) / 1000;
  };
}

/**
 * Runs an agent of the AI SDK or Mastra.
 *
 * @param onStep Called with each finished step.
 */
export async function generate(
  agent: any,
  given: unknown,
  input: readonly RunMessage[],
  onStep: (step: AgentRunStep) => void,
): Promise<ReportedRun> {
  const lap = stopwatch();
  const latencies: number[] = [];
  const readStep = stepReader();
  const onStepFinish = (step: any): void => {
    latencies.push(lap());
    if (Array.isArray(step?.response?.messages)) onStep(readStep(step));
  };
  const messages = messagesIn(given) ?? input;
  // Agents of the AI SDK have a version and take one argument; Mastra's take two.
  const result =
    typeof agent.version === "string"
      ? await agent.generate({ messages, onStepFinish })
      : await agent.generate(messages, { onStepFinish });
  if (result?.error != null) throw result.error;
  const { steps } = await readResult(result, input);
  return {
    steps: steps.map((step, index) => {
      const latencyMs = step.latencyMs ?? latencies[index];
      return latencyMs === undefined ? step : { ...step, latencyMs };
    }),
  };
}

/**
 * Runs a graph of LangGraph, or an agent of LangChain. Each update of a node is a step.
 *
 * @param config The configuration for the graph. If it names no thread, a graph with a checkpointer gets a new one.
 * @throws {@link OpenEvalsError} `invalid_config` for a graph with a thread for all of its runs.
 */
export async function stream(
  graph: any,
  given: unknown,
  input: readonly RunMessage[],
  onStep: (step: AgentRunStep) => void,
  config?: any,
): Promise<ReportedRun> {
  const lap = stopwatch();
  const steps: AgentRunStep[] = [];
  let last: any;
  const isMessages = typeof given === "string" || messagesIn(given) !== undefined;
  const state = isMessages && !Object(given).messages ? { messages: messagesIn(given) ?? input } : given;
  // Threads of remote graphs, which have no checkpointer here, have to exist on the server.
  const thread = graph.checkpointer && { thread_id: config?.configurable?.thread_id ?? newThread(graph) };
  const parts = await graph.stream(state, {
    ...config,
    configurable: { ...config?.configurable, ...thread },
    streamMode: ["updates", "values"],
  });
  for await (const [mode, part] of parts) {
    if (mode === "values") last = part;
    if (mode !== "updates") continue;
    const latencyMs = lap();
    for (const [node, update] of Object.entries<any>(part)) {
      if (node.startsWith("__")) continue;
      const added = messagesIn([Object(update).messages ?? []].flat()) ?? [];
      const step: AgentRunStep = { node, messages: plainMessages(added, `an update of ${node}`), latencyMs };
      for (const message of added) addStepUsage(step, readUsage(Object(message).usage_metadata));
      steps.push(step);
      onStep(step);
    }
  }
  const messages = messagesIn(last);
  if (!messages) {
    throw invalidInput(
      "The state of the graph has no messages. Pass a function that calls the graph and returns messages",
    );
  }
  return { steps, messages: plainMessages(messages, "the state of the graph") };
}

/** A thread for one run, unless the graph names one for all. An agent of LangChain has its configuration in its graph. */
function newThread(graph: any): string {
  const named = (graph.graph ?? graph).config?.configurable?.thread_id;
  if (named === undefined) return uuid();
  throw invalidConfig(
    `withConfig() of the graph names the thread ${show(named)}, so each run would continue the conversation of the one before. Leave it out, so that each run has a new thread, or pass it beside the input: run(input, { configurable: { thread_id } })`,
  );
}
