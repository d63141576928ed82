/** Judges the steps that a graph took. */

import { scoresEngine } from "../../../core/engine/scores.js";
import { objectOfOptions, readable } from "../../../core/input/checks.js";
import { referenceOf } from "../../../core/input/params.js";
import { onUse } from "../../../core/platform/on-use.js";
import type { GraphTrajectory } from "../../../core/types.js";
import { GRAPH_TRAJECTORY_ACCURACY_PROMPT } from "../../../models/prompts/trajectory.js";
import * as bindings from "../../../openevals.js";
import type { StandardSchema } from "../../json-schema/standard-schema.js";
import type { JudgeResult } from "../../judge/judge.js";
import { judgeOfRendered, type TrajectoryLLMAsJudge, type TrajectoryLLMAsJudgeOptions } from "../judge.js";
import type { Render } from "./thread.js";

/** The input of each turn of a graph. */
export type GraphInputs = readonly (string | Record<string, unknown> | null)[];

/** The parameters of an evaluator made by {@link createGraphTrajectoryLLMAsJudge}. */
export interface GraphTrajectoryJudgeParams {
  /** The input of each turn: a list, or an object that holds it. */
  inputs: GraphInputs | { inputs: GraphInputs };
  /** The steps and the result of each turn. */
  outputs: GraphTrajectory;
  /** The expected steps; `inputs` and `results` may be missing. */
  referenceOutputs?: GraphTrajectory;
  /** An alias of `referenceOutputs`, as in the Python packages. */
  reference_outputs?: GraphTrajectory;
  /** Any other variable of the prompt. */
  [variable: string]: unknown;
}

/**
 * Makes an evaluator that asks a language model whether the steps of a graph make sense. From AgentEvals.
 *
 * Your own prompt has two variables: `{thread}`, the input, steps and result of each turn, in blocks that no text in
 * them can close; and `{reference_outputs}`, the same for the reference, in its own block. Without a reference, it is
 * empty, or its optional block is removed.
 *
 * @param options The options of {@link createLLMAsJudge}. The default `prompt` is `GRAPH_TRAJECTORY_ACCURACY_PROMPT`,
 * the default `feedbackKey` is `"graph_trajectory_accuracy"`.
 * @returns An evaluator with the result of {@link createLLMAsJudge}: `{ key, score, comment, metadata }`.
 * @throws {@link OpenEvalsError} The same errors as {@link createLLMAsJudge}, and `invalid_input` unless each turn has
 * one input, one result and one list of steps.
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
/** Makes a judge whose result is the answer to a schema. */
export function createGraphTrajectoryLLMAsJudge<Output>(
  options: TrajectoryLLMAsJudgeOptions & { outputSchema: StandardSchema<Output> },
): TrajectoryLLMAsJudge<GraphTrajectoryJudgeParams, Output>;
/** Makes a judge with a JSON schema, or with options that may have one. */
export function createGraphTrajectoryLLMAsJudge<Output = any>(
  options: TrajectoryLLMAsJudgeOptions & { outputSchema?: object | undefined },
): TrajectoryLLMAsJudge<GraphTrajectoryJudgeParams, Output>;
export function createGraphTrajectoryLLMAsJudge(
  options: TrajectoryLLMAsJudgeOptions & { outputSchema?: object | undefined } = {},
): TrajectoryLLMAsJudge<GraphTrajectoryJudgeParams, any> {
  // createLLMAsJudge() checks the options themselves.
  objectOfOptions("createGraphTrajectoryLLMAsJudge", options);
  const {
    prompt = GRAPH_TRAJECTORY_ACCURACY_PROMPT,
    feedbackKey = "graph_trajectory_accuracy",
    ...others
  } = readable("createGraphTrajectoryLLMAsJudge", () => ({ ...options }));
  // A prompt may have its own optional block for the reference. Others, such as those for AgentEvals, get it in a block.
  const hasBlock = typeof prompt === "string" && / optional>\s*\{reference_outputs\}/.test(prompt);
  const render = async (params: GraphTrajectoryJudgeParams, place: string) => {
    const { renderReference, renderThread } = await onUse(
      "The renderer of graph trajectories",
      () => import("./thread.js"),
    );
    const engine = scoresEngine.loaded ?? (await scoresEngine.load());
    const { inputs, outputs, reference_outputs, ...rest } = params;
    const referenceOutputs = referenceOf(params, place);
    const inEngine =
      (render: Render): Render =>
      (turns) =>
        engine.run("rendering", turns.length, () => render(turns));
    const thread = renderThread(inEngine(bindings.renderGraphThread), inputs, outputs, place);
    const renderTurns = inEngine(hasBlock ? bindings.renderGraphThread : bindings.renderGraphReference);
    const reference = referenceOutputs
      ? renderReference(renderTurns, referenceOutputs, `${place}referenceOutputs`)
      : undefined;
    const withoutReference = hasBlock ? undefined : "";
    return { ...rest, inputs, outputs, thread, referenceOutputs: reference ?? withoutReference };
  };
  return judgeOfRendered({ prompt, feedbackKey, ...others }, render, "agentevals");
}
