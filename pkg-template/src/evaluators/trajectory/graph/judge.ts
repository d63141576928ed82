/** Judges of the steps that a graph took. */

import { scoresEngine } from "../../../core/engine/scores.js";
import { objectOfOptions, readable } from "../../../core/input/checks.js";
import { referenceOf } from "../../../core/input/params.js";
import { onUse } from "../../../core/platform/on-use.js";
import type { GraphTrajectory } from "../../../core/types.js";
import { GRAPH_TRAJECTORY_ACCURACY_PROMPT } from "../../../models/prompts/trajectory.js";
import type { StandardSchema } from "../../json-schema/output-schema.js";
import type { JudgeResult } from "../../judge/judge.js";
import { judgeOfRendered, type TrajectoryLLMAsJudge, type TrajectoryLLMAsJudgeOptions } from "../judge.js";

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
/** The same with a JSON schema, or with options that may have one. */
export function createGraphTrajectoryLLMAsJudge<Output = any>(
  options: TrajectoryLLMAsJudgeOptions & { outputSchema?: object | undefined },
): TrajectoryLLMAsJudge<GraphTrajectoryJudgeParams, Output>;
export function createGraphTrajectoryLLMAsJudge(
  options: TrajectoryLLMAsJudgeOptions & { outputSchema?: object | undefined } = {},
): TrajectoryLLMAsJudge<GraphTrajectoryJudgeParams, any> {
  // What they are, the judge checks.
  objectOfOptions("createGraphTrajectoryLLMAsJudge", options);
  const {
    prompt = GRAPH_TRAJECTORY_ACCURACY_PROMPT,
    feedbackKey = "graph_trajectory_accuracy",
    ...others
  } = readable("createGraphTrajectoryLLMAsJudge", () => ({ ...options }));
  // An optional block vanishes by itself; other prompts, like those written for AgentEvals, get one with the reference.
  const hasBlock = typeof prompt === "string" && / optional>\s*\{reference_outputs\}/.test(prompt);
  const render = async (params: GraphTrajectoryJudgeParams, place: string) => {
    const { renderReference, renderThread } = await onUse(
      "The rendering of graph trajectories",
      () => import("./thread.js"),
    );
    const engine = scoresEngine.loaded ?? (await scoresEngine.load());
    const { inputs, outputs, reference_outputs, ...rest } = params;
    const referenceOutputs = referenceOf(params, place);
    const thread = renderThread(engine, inputs, outputs, place);
    const reference = referenceOutputs
      ? renderReference(engine, referenceOutputs, `${place}referenceOutputs`, !hasBlock)
      : undefined;
    const withoutReference = hasBlock ? undefined : "";
    return { ...rest, inputs, outputs, thread, referenceOutputs: reference ?? withoutReference };
  };
  return judgeOfRendered({ prompt, feedbackKey, ...others }, render, "agentevals");
}
