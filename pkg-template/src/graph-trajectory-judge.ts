/** Judges of the steps that a graph took. */

import { OpenEvalsError, throwing } from "./errors.js";
import { toJson } from "./json.js";
import type { JudgeResult } from "./judge.js";
import { withOpenAIMessages } from "./openai-messages.js";
import type { StandardSchema } from "./output-schema.js";
import { GRAPH_TRAJECTORY_ACCURACY_PROMPT } from "./prompts/trajectory.js";
import {
  judgeOfRendered,
  type TrajectoryLLMAsJudge,
  type TrajectoryLLMAsJudgeOptions,
} from "./trajectory-judge.js";
import type { GraphTrajectory } from "./types.js";

/** What each turn of a graph started from. */
export type GraphInputs = readonly (string | Record<string, unknown> | null)[];

/** What an evaluator made by {@link createGraphTrajectoryLLMAsJudge} is called with. */
export interface GraphTrajectoryJudgeParams {
  /** What each turn started from: a list, or an object that holds it. */
  inputs: GraphInputs | { inputs: GraphInputs };
  /** The steps that each turn took, and its result. */
  outputs: GraphTrajectory;
  /** The steps that it should have taken; `inputs` and `results` may be missing. */
  referenceOutputs?: GraphTrajectory;
  /** Accepted in the place of `referenceOutputs`, as the Python packages spell it. */
  reference_outputs?: GraphTrajectory;
  /** Any other variable of the prompt. */
  [variable: string]: unknown;
}

/**
 * Makes an evaluator that asks a language model whether the steps that a graph took make sense. From AgentEvals.
 *
 * A prompt of one's own has the variable `{thread}`, with the input, the steps and the result of each turn in blocks that
 * no text in them can close, and `{reference_outputs}`, the same of the reference in a block of its own, or nothing (unless
 * it stands in an optional block of the prompt).
 *
 * @param options Those of {@link createLLMAsJudge}. `prompt` is `GRAPH_TRAJECTORY_ACCURACY_PROMPT` by default,
 * `feedbackKey` is `"graph_trajectory_accuracy"`.
 * @returns An evaluator whose result is that of {@link createLLMAsJudge}: `{ key, score, comment, metadata }`.
 * @throws {@link OpenEvalsError} As {@link createLLMAsJudge}; `invalid_input` when there is not one input, one result and
 * one list of steps for each turn.
 *
 * @example
 * ```ts
 * import { createGraphTrajectoryLLMAsJudge } from "openevals-wasm";
 *
 * const sensible = createGraphTrajectoryLLMAsJudge({
 *   judge: ({ messages }) => ({ score: messages[0]?.content.includes('"tools"'), reasoning: "It used its tools." }),
 * });
 * const { score } = await sensible({
 *   inputs: ["How warm is it in Oslo?"],
 *   outputs: { results: [{ answer: "4 °C" }], steps: [["__start__", "agent", "tools", "agent"]] },
 * });
 * console.log(score); // true
 * ```
 */
export function createGraphTrajectoryLLMAsJudge(
  options?: TrajectoryLLMAsJudgeOptions & { outputSchema?: undefined },
): TrajectoryLLMAsJudge<GraphTrajectoryJudgeParams, JudgeResult>;
/** The same with a schema for the answer, which is the result. */
export function createGraphTrajectoryLLMAsJudge<Output>(
  options: TrajectoryLLMAsJudgeOptions & { outputSchema: StandardSchema<Output> },
): TrajectoryLLMAsJudge<GraphTrajectoryJudgeParams, Output>;
/** The same with a JSON schema. */
export function createGraphTrajectoryLLMAsJudge<Output = Record<string, unknown>>(
  options: TrajectoryLLMAsJudgeOptions & { outputSchema: object },
): TrajectoryLLMAsJudge<GraphTrajectoryJudgeParams, Output>;
export function createGraphTrajectoryLLMAsJudge({
  prompt = GRAPH_TRAJECTORY_ACCURACY_PROMPT,
  feedbackKey = "graph_trajectory_accuracy",
  ...options
}: TrajectoryLLMAsJudgeOptions & { outputSchema?: object | undefined } = {}): TrajectoryLLMAsJudge<
  GraphTrajectoryJudgeParams,
  any
> {
  // Such a block vanishes by itself; other prompts, like those written for AgentEvals, get one with the reference.
  const hasBlock = typeof prompt === "string" && / optional>\s*\{reference_outputs\}/.test(prompt);
  return judgeOfRendered({ prompt, feedbackKey, ...options }, (engine, params, place) => {
    const {
      inputs,
      outputs,
      reference_outputs,
      referenceOutputs = reference_outputs,
      ...rest
    } = params as unknown as GraphTrajectoryJudgeParams;
    const fill = (template: string, variables: object): string =>
      JSON.parse(throwing(() => engine.fillIn(template, JSON.stringify(variables))));
    const write = (turns: object[]) => turns.map((turn) => fill(TURN, turn).trimEnd()).join("\n\n");
    const inBlock = (thread?: string) => (thread ? fill(REFERENCE, { thread }) : "");
    const list = Array.isArray(inputs) ? inputs : (inputs as Partial<GraphTrajectory> | null)?.inputs;
    const thread = write(turns([`${place}inputs`, list], outputs, `${place}outputs`));
    const reference = referenceOutputs
      ? write(turnsOfReference(referenceOutputs, `${place}referenceOutputs`))
      : undefined;
    return { ...rest, inputs, outputs, thread, referenceOutputs: hasBlock ? reference : inBlock(reference) };
  });
}

/** No text in a block can close it, so the data cannot pass for another turn. */
const TURN = `<input optional>
{input}
</input>
<trajectory>
{trajectory}
</trajectory>
<result optional>
{result}
</result>`;

const REFERENCE = `
<reference_outputs>
{thread}
</reference_outputs>`;

/** What is missing is left out: nobody has to make up the results of a reference. */
function turnsOfReference({ inputs, results, steps }: GraphTrajectory, path: string): object[] {
  const filled = (list: unknown[] | undefined) => (list?.length ? list : steps?.map(() => undefined));
  return turns([`${path}.inputs`, filled(inputs)], { results: filled(results), steps }, path);
}

/** For each turn its input, its steps and its result, all of them as JSON. */
function turns([inputsPath, inputs]: [string, unknown], trajectory: unknown, path: string): object[] {
  const { results, steps } = (trajectory ?? {}) as { results?: unknown; steps?: unknown };
  const lists = { [inputsPath]: inputs, [`${path}.results`]: results, [`${path}.steps`]: steps };
  const lengths = Object.values(lists).map((list) => (Array.isArray(list) ? list.length : "no list"));
  if (new Set(lengths).size > 1 || lengths[0] === "no list") {
    const [names, counts] = [Object.keys(lists), lengths].map((words) => words.join(", "));
    throw new OpenEvalsError(
      "invalid_input",
      `A judge of graphs needs lists with one entry for each turn: ${names} have ${counts}.`,
    );
  }
  return (steps as unknown[]).map((step, turn) => ({
    input: text((inputs as unknown[])[turn], `${inputsPath}[${turn}]`),
    trajectory: toJson(step, `${path}.steps[${turn}]`),
    result: text((results as unknown[])[turn], `${path}.results[${turn}]`),
  }));
}

/** Nothing for nothing; messages of LangChain in OpenAI's form. */
function text(value: unknown, path: string): string | undefined {
  if (value == null) return undefined;
  let readable = withOpenAIMessages(value) as Record<string, unknown>;
  // LangGraph puts inputs under the name of the node that they go to.
  if (readable.constructor === Object) {
    readable = Object.fromEntries(
      Object.entries(readable).map(([name, member]) => [name, withOpenAIMessages(member)]),
    );
  }
  return toJson(readable, path);
}
