import {
  inPlace,
  invalidConfig,
  isOurs,
  type OpenEvalsError,
  reworded,
  typedReading,
} from "../../../core/errors.js";
import { show } from "../../../core/input/checks.js";
import type { ChatCompletionMessage } from "../../../core/types.js";
import { collectProblems } from "../tools/problems.js";
import { generate, stopwatch, stream } from "./agents.js";
import { inputMessages } from "./messages.js";
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
 * A function that runs an agent. It returns a text, messages, `{ messages }`, or the result of `generateText` of the AI SDK or of
 * `run` of OpenAI's Agents SDK.
 */
export type AgentFunction = (input: any, ...rest: any[]) => unknown;

/** Runs the agent for an input: a text, messages, or the parameters of its function. */
export type RecordedAgent = (input: any, ...rest: any[]) => Promise<AgentRun>;

/**
 * Makes a function that runs an agent and returns a record of the run: messages, steps, tokens and times. Evaluators of
 * trajectories take the result as `outputs`, and `evaluate()` takes the function as its target.
 *
 * @param agent An agent of the AI SDK or Mastra, a graph of LangGraph, an agent of LangChain, or a function.
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
    const soFar = () => [...input, ...finished.flatMap(({ messages }) => messages)];
    const elapsed = stopwatch();
    try {
      const reported = await collectProblems(problems, () =>
        runAgent(given, input, (step) => finished.push(step), rest),
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

type RunAgent = (
  given: unknown,
  input: readonly RunMessage[],
  onStep: (step: AgentRunStep) => void,
  rest: readonly unknown[],
) => Promise<ReportedRun>;

function runnerOf(agent: any): RunAgent {
  if (typeof agent === "function") {
    return async (given, input, onStep, rest) => {
      const reported = await readResult(await agent(given, ...rest), input);
      reported.steps.forEach(onStep);
      return reported;
    };
  }
  if (typeof agent?.generate === "function")
    return (given, input, onStep) => generate(agent, given, input, onStep);
  if (typeof agent?.invoke === "function" && typeof agent.stream === "function") {
    return (given, input, onStep) => stream(agent, given, input, onStep);
  }
  throw invalidConfig(
    `The agent is ${show(agent)}; it has to be an agent of the AI SDK or Mastra, a graph of LangGraph, or a function, such as ` +
      "(input) => run(agent, input) for OpenAI's Agents SDK",
  );
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
