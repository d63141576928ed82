import {
  inPlace,
  invalidConfig,
  isOurs,
  type OpenEvalsError,
  reasonOf,
  reworded,
  typedReading,
} from "../../../core/errors.js";
import { show } from "../../../core/input/checks.js";
import { toText } from "../../../core/input/text.js";
import type { ChatCompletionMessage } from "../../../core/types.js";
import { type ObservedCall, observeRun } from "../tools/observed-run.js";
import { generate, stopwatch, stream } from "./agents.js";
import { inputMessages, readReturned } from "./messages.js";
import { readResult } from "./results.js";
import type { AgentRun, AgentRunStep, ReportedRun, RunMessage } from "./types.js";
import { addStepUsage } from "./usage.js";

/** An agent of the AI SDK (`ToolLoopAgent`) or Mastra. */
export interface GeneratingAgent {
  generate(...args: any[]): PromiseLike<any>;
}

/** A graph of LangGraph or an agent of LangChain. */
export interface StreamingGraph {
  invoke(...args: any[]): PromiseLike<any>;
  stream(...args: any[]): any;
}

/**
 * A function that runs an agent. It returns messages, `{ messages }`, the result of `generateText` of the AI SDK or of `run` of
 * OpenAI's Agents SDK, or a text. With a text, the record has those calls of tools that {@link mockTools}, {@link recordTools} or
 * {@link withFaults} made (on Node, Deno and Bun); other calls are unknown.
 */
export type AgentFunction = (input: any, ...rest: any[]) => unknown;

/**
 * Runs the agent for an input: a text, messages, or the parameters of its function. Graphs take their configuration as the second
 * argument.
 */
export type RecordedAgent = (input: any, ...rest: any[]) => Promise<AgentRun>;

/**
 * Makes a function that runs an agent and returns a record of the run: messages, steps, tokens and times. Evaluators of
 * trajectories take the result as `outputs`, and `evaluate()` takes the function as its target.
 *
 * @param agent An agent of the AI SDK or Mastra, a graph of LangGraph, an agent of LangChain, or a function. If a graph has a
 * checkpointer, each run has a new thread, unless the second argument names one: `{ configurable: { thread_id } }`. A thread of
 * `withConfig` is an error, since all runs would share it.
 * @throws {@link OpenEvalsError} `invalid_config` for anything else. The returned function throws `callback_failed` if the agent
 * does, `invalid_input` for a result that has no messages, and the error of {@link mockTools} or {@link recordTools} if a call
 * has no mock or recording (`cache_miss`). The error has the `trajectory` so far.
 *
 * @example
 * ```ts
 * import { createToolPolicy } from "openevals-wasm/agents";
 * import { recordAgent } from "openevals-wasm/harness";
 *
 * const run = recordAgent(async (question: string) => [
 *   { role: "assistant", content: "", tool_calls: [{ id: "1", name: "search", args: { q: question } }] },
 *   { role: "tool", tool_call_id: "1", content: "12 °C" },
 *   { role: "assistant", content: "It is 12 °C." },
 * ]);
 * const outputs = await run("How warm is it in Oslo?");
 * console.log(outputs.messages.length, outputs.steps.length); // 4 2
 * const policy = createToolPolicy({ maxSteps: 1 });
 * console.log((await policy({ outputs })).score); // true
 * ```
 */
export function recordAgent(agent: AgentFunction | GeneratingAgent | StreamingGraph): RecordedAgent {
  const runAgent = typedReading("recordAgent", () => runnerOf(agent));
  return async (given, ...rest) => {
    const input = typedReading("the recorded agent", () => inputMessages(given));
    const finished: AgentRunStep[] = [];
    const problems: OpenEvalsError[] = [];
    const calls: ObservedCall[] = [];
    const soFar = () => [
      ...input,
      ...(finished.length ? finished.flatMap(({ messages }) => messages) : messagesOf(calls)),
    ];
    const elapsed = stopwatch();
    try {
      const reported = await observeRun({ problems, calls }, () =>
        runAgent(given, input, { onStep: (step) => finished.push(step), calls, rest }),
      );
      if (problems[0]) throw problems[0];
      return runOf(reported, input, elapsed());
    } catch (thrown) {
      const trajectory = soFar() as ChatCompletionMessage[];
      const problem = problems[0] ?? thrown;
      throw isOurs(problem)
        ? reworded(problem, problem.message, { trajectory })
        : inPlace("The agent", problem, { trajectory });
    }
  };
}

interface Running {
  /** Called with each finished step. */
  onStep(step: AgentRunStep): void;
  /** The calls that tools of the harness have reported. */
  calls: readonly ObservedCall[];
  /** The arguments after the input. */
  rest: readonly unknown[];
}

type RunAgent = (given: unknown, input: readonly RunMessage[], running: Running) => Promise<ReportedRun>;

function runnerOf(agent: any): RunAgent {
  if (typeof agent === "function") {
    return async (given, input, { onStep, calls, rest }) => {
      const result = await agent(given, ...rest);
      const reported = await (typeof result === "string"
        ? readReturned([...messagesOf(calls), { role: "assistant", content: result }], input)
        : readResult(result, input));
      reported.steps.forEach(onStep);
      return reported;
    };
  }
  if (typeof agent?.generate === "function")
    return (given, input, { onStep }) => generate(agent, given, input, onStep);
  if (typeof agent?.invoke === "function" && typeof agent.stream === "function") {
    return (given, input, { onStep, rest: [config] }) => stream(agent, given, input, onStep, config);
  }
  throw invalidConfig(
    `The agent is ${show(agent)}; it has to be an agent of the AI SDK or Mastra, a graph of LangGraph, or a function, such as ` +
      "(input) => run(agent, input) for OpenAI's Agents SDK",
  );
}

/** The calls with their results. */
function messagesOf(calls: readonly ObservedCall[]): object[] {
  return calls.flatMap(({ name, args, outcome = { result: undefined } }, index) => {
    const id = `call_${index + 1}`;
    const call = { id, type: "function", function: { name, arguments: shownAsJson(args ?? {}) } };
    const content =
      "error" in outcome
        ? `Error: ${reasonOf(outcome.error)}`
        : typeof outcome.result === "string"
          ? outcome.result
          : shownAsJson(outcome.result ?? null);
    return [
      { role: "assistant", content: "", tool_calls: [call] },
      { role: "tool", tool_call_id: id, name, content },
    ];
  });
}

/** A value as JSON, or as far as it can be shown. */
function shownAsJson(value: unknown): string {
  try {
    return toText(typeof value === "string" ? { value } : value, "the value");
  } catch {
    return JSON.stringify(show(value));
  }
}

function runOf({ steps, messages }: ReportedRun, input: readonly RunMessage[], latencyMs: number): AgentRun {
  const run: AgentRun = {
    messages: messages ?? [...input, ...steps.flatMap((step) => step.messages)],
    steps,
    latencyMs,
  };
  for (const { usage } of steps) addStepUsage(run, usage);
  return run;
}
