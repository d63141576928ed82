/** Judges of what an agent did, which the engine makes a text of before a model reads it. */

import { scoresEngine } from "../../core/engine/scores.js";
import { typedWork } from "../../core/errors.js";
import { objectOfOptions, readable } from "../../core/input/checks.js";
import { referenceOf } from "../../core/input/params.js";
import { onUse } from "../../core/platform/on-use.js";
import { named } from "../../core/tracing/hook.js";
import type { LangSmithParams, Trajectory } from "../../core/types.js";
import { withAccessOf } from "../../models/chat/check-access.js";
import { callsOf, contentOf } from "../../models/conversation/calls.js";
import { eachMessage } from "../../models/conversation/list.js";
import { renderedMessages } from "../../models/conversation/rendered.js";
import { roleOf } from "../../models/conversation/roles.js";
import { TRAJECTORY_ACCURACY_PROMPT_WITH_REFERENCE } from "../../models/prompts/trajectory.js";
import type { StandardSchema } from "../json-schema/output-schema.js";
import {
  createLLMAsJudge,
  type JudgeParams,
  type JudgeResult,
  type LLMAsJudgeOptions,
} from "../judge/judge.js";

/** The options of a judge that has a prompt already; those of `createLLMAsJudge`. */
export type TrajectoryLLMAsJudgeOptions = Partial<LLMAsJudgeOptions>;

/** The same, under the name that AgentEvals gives it. */
export type TrajectoryLLMAsJudgeParams = TrajectoryLLMAsJudgeOptions;

/** What an evaluator made by {@link createTrajectoryLLMAsJudge} is called with. */
export interface TrajectoryJudgeParams {
  /** What the agent was asked, where that is not in the messages: `{inputs}`. */
  inputs?: unknown;
  /** What it did, messages of OpenAI's form or LangChain's: `{outputs}`. */
  outputs: Trajectory;
  /** What it should have done: `{reference_outputs}`. */
  referenceOutputs?: Trajectory;
  /** Accepted in the place of `referenceOutputs`, as the Python packages spell it. */
  reference_outputs?: Trajectory;
  /** Any other variable of the prompt. */
  [variable: string]: unknown;
}

/** A judge of trajectories. */
export interface TrajectoryLLMAsJudge<Params = TrajectoryJudgeParams, Result = JudgeResult> {
  (params: LangSmithParams): Promise<Result>;
  (params: Params): Promise<Result>;
  /** The `key` of its results, by which a failure of it is known. */
  readonly feedbackKey: string;
  /**
   * Judges many rows, all at the same time; the results are in their order. One row that cannot be judged rejects the
   * batch; the error names it.
   */
  batch(rows: readonly Params[]): Promise<Result[]>;
}

/**
 * Makes an evaluator that asks a language model whether an agent went about its task well.
 *
 * The judge reads the whole trajectory: roles, texts, calls of tools with their arguments, results, and reasoning where
 * messages carry it; pictures and the like by name. Every line of what was said is marked, so that nothing in it passes
 * for another message.
 *
 * @param options Those of {@link createLLMAsJudge}. `prompt` is `TRAJECTORY_ACCURACY_PROMPT_WITH_REFERENCE` by default,
 * which needs `referenceOutputs` (`TRAJECTORY_ACCURACY_PROMPT` does without), `feedbackKey` is `"trajectory_accuracy"`.
 * @returns An evaluator whose result is that of {@link createLLMAsJudge}: `{ key, score, comment, metadata }`.
 * @throws {@link OpenEvalsError} As {@link createLLMAsJudge}; `invalid_input` for trajectories that are not lists of
 * messages.
 *
 * @example
 * ```ts
 * import { createTrajectoryLLMAsJudge, TRAJECTORY_ACCURACY_PROMPT } from "openevals-wasm";
 *
 * const accurate = createTrajectoryLLMAsJudge({
 *   prompt: TRAJECTORY_ACCURACY_PROMPT,
 *   judge: ({ messages }) => ({ score: messages[0]?.content.includes("call of get_weather"), reasoning: "It looked." }),
 * });
 * const { score } = await accurate({
 *   outputs: [
 *     { role: "user", content: "How warm is it in Oslo?" },
 *     { role: "assistant", content: "", tool_calls: [{ name: "get_weather", args: { city: "Oslo" } }] },
 *   ],
 * });
 * console.log(score); // true
 * ```
 */
export function createTrajectoryLLMAsJudge(
  options?: TrajectoryLLMAsJudgeOptions & { outputSchema?: undefined },
): TrajectoryLLMAsJudge;
/** The same with a schema for the answer, which is the result. */
export function createTrajectoryLLMAsJudge<Output>(
  options: TrajectoryLLMAsJudgeOptions & { outputSchema: StandardSchema<Output> },
): TrajectoryLLMAsJudge<TrajectoryJudgeParams, Output>;
/** The same with a JSON schema, or with options that may have one. */
export function createTrajectoryLLMAsJudge<Output = any>(
  options: TrajectoryLLMAsJudgeOptions & { outputSchema?: object | undefined },
): TrajectoryLLMAsJudge<TrajectoryJudgeParams, Output>;
export function createTrajectoryLLMAsJudge(
  options: TrajectoryLLMAsJudgeOptions & { outputSchema?: object | undefined } = {},
): TrajectoryLLMAsJudge<TrajectoryJudgeParams, any> {
  // What they are, the judge checks.
  objectOfOptions("createTrajectoryLLMAsJudge", options);
  const {
    prompt = TRAJECTORY_ACCURACY_PROMPT_WITH_REFERENCE,
    feedbackKey = "trajectory_accuracy",
    ...others
  } = readable("createTrajectoryLLMAsJudge", () => ({ ...options }));
  return judgeOfRendered({ prompt, feedbackKey, ...others }, async (params, place) => {
    const { toChatMessages } = await onUse(
      "The rendering of conversations",
      () => import("../../models/conversation/chat-messages.js"),
    );
    const engine = scoresEngine.loaded ?? (await scoresEngine.load());
    const { outputs, reference_outputs, ...rest } = params as TrajectoryJudgeParams;
    const referenceOutputs = referenceOf(params as TrajectoryJudgeParams, place);
    const render = (name: string, trajectory: unknown): string => {
      const path = place + name;
      const messages = eachMessage(trajectory, path, (message, messagePlace) => {
        const calls = callsOf(message, messagePlace);
        return toChatMessages(message, { role: roleOf(message), calls, content: contentOf(message) });
      });
      return renderedMessages(engine, messages.flat(), path);
    };
    return {
      ...rest,
      outputs: render("outputs", outputs),
      referenceOutputs: referenceOutputs == null ? undefined : render("referenceOutputs", referenceOutputs),
    };
  });
}

/**
 * A judge of what `render` makes of the parameters; `place` stands in front of their names in errors.
 *
 * @internal
 */
export function judgeOfRendered(
  options: LLMAsJudgeOptions & { feedbackKey: string },
  render: (params: any, place: string) => Promise<JudgeParams>,
  framework?: string,
): TrajectoryLLMAsJudge<any> {
  const name = `llm_as_${options.feedbackKey}_judge`;
  const judge = createLLMAsJudge<any>(options, name, { framework });
  // The judge says what is wrong with anything but an object.
  const read = async (params: any, place: string): Promise<JudgeParams> =>
    typeof params === "object" && params ? typedWork(name, () => render(params, place)) : params;
  const evaluate = (params: any) => typedWork(name, async () => judge(await read(params, "")));
  const evaluator = Object.assign(named(options.feedbackKey, evaluate), {
    feedbackKey: options.feedbackKey,
    model: (judge as { model?: unknown }).model,
    scale: judge.scale,
    batch: (rows: readonly any[]) =>
      typedWork(`${name}.batch`, async () => {
        if (!Array.isArray(rows)) return judge.batch(rows);
        return judge.batch(await Promise.all(rows.map((row, index) => read(row, `rows[${index}].`))));
      }),
  });
  return withAccessOf(evaluator, [judge]);
}
