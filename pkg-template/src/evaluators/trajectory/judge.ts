/** Judges trajectories, which the engine renders as text. */

import { scoresEngine } from "../../core/engine/scores.js";
import { typedWork } from "../../core/errors.js";
import { objectOfOptions, readable } from "../../core/input/checks.js";
import { referenceOf } from "../../core/input/params.js";
import { onUse } from "../../core/platform/on-use.js";
import { named } from "../../core/tracing/hook.js";
import type { LangSmithParams, Trajectory } from "../../core/types.js";
import { withAccessOf } from "../../models/chat/providers/check-access.js";
import { contentOf } from "../../models/conversation/content.js";
import { eachMessage } from "../../models/conversation/list.js";
import { renderedMessages } from "../../models/conversation/rendered.js";
import { roleOf } from "../../models/conversation/roles.js";
import { TRAJECTORY_ACCURACY_PROMPT_WITH_REFERENCE } from "../../models/prompts/trajectory.js";
import type { StandardSchema } from "../json-schema/standard-schema.js";
import { type JudgeParams, type JudgeResult, type LLMAsJudgeOptions, makeJudge } from "../judge/judge.js";

/** The options of a judge with a default prompt; otherwise those of `createLLMAsJudge`. */
export type TrajectoryLLMAsJudgeOptions = Partial<LLMAsJudgeOptions>;

/** AgentEvals' name for the same type. */
export type TrajectoryLLMAsJudgeParams = TrajectoryLLMAsJudgeOptions;

/** The parameters of an evaluator made by {@link createTrajectoryLLMAsJudge}. */
export interface TrajectoryJudgeParams {
  /** The agent's input, unless the messages contain it: `{inputs}`. */
  inputs?: unknown;
  /** The agent's trajectory, in OpenAI's or LangChain's format: `{outputs}`. */
  outputs: Trajectory;
  /** The expected trajectory: `{reference_outputs}`. */
  referenceOutputs?: Trajectory;
  /** An alias of `referenceOutputs`, as in the Python packages. */
  reference_outputs?: Trajectory;
  /** Any other variable of the prompt. */
  [variable: string]: unknown;
}

/** A judge of trajectories. */
export interface TrajectoryLLMAsJudge<Params = TrajectoryJudgeParams, Result = JudgeResult> {
  (params: LangSmithParams): Promise<Result>;
  (params: Params): Promise<Result>;
  /** The `key` of its results and failures. */
  readonly feedbackKey: string;
  /**
   * Judges many rows in parallel and returns the results in their order. If one row fails, the batch is rejected with
   * an error that names the row.
   */
  batch(rows: readonly Params[]): Promise<Result[]>;
}

/**
 * Makes an evaluator that asks a language model whether an agent handled its task well.
 *
 * The judge reads the whole trajectory: roles, texts, tool calls with their arguments, results, and reasoning if the
 * messages have it. Images and other media appear by name. Every line of a message is marked, so that its text cannot
 * imitate another message.
 *
 * @param options The options of {@link createLLMAsJudge}. The default `prompt` is
 * `TRAJECTORY_ACCURACY_PROMPT_WITH_REFERENCE`, which needs `referenceOutputs`; use `TRAJECTORY_ACCURACY_PROMPT` without
 * them. The default `feedbackKey` is `"trajectory_accuracy"`.
 * @returns An evaluator with the result of {@link createLLMAsJudge}: `{ key, score, comment, metadata }`.
 * @throws {@link OpenEvalsError} The same errors as {@link createLLMAsJudge}, and `invalid_input` for a trajectory that
 * is not a list of messages.
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
/** Makes a judge whose result is the answer to a schema. */
export function createTrajectoryLLMAsJudge<Output>(
  options: TrajectoryLLMAsJudgeOptions & { outputSchema: StandardSchema<Output> },
): TrajectoryLLMAsJudge<TrajectoryJudgeParams, Output>;
/** Makes a judge with a JSON schema, or with options that may have one. */
export function createTrajectoryLLMAsJudge<Output = any>(
  options: TrajectoryLLMAsJudgeOptions & { outputSchema?: object | undefined },
): TrajectoryLLMAsJudge<TrajectoryJudgeParams, Output>;
export function createTrajectoryLLMAsJudge(
  options: TrajectoryLLMAsJudgeOptions & { outputSchema?: object | undefined } = {},
): TrajectoryLLMAsJudge<TrajectoryJudgeParams, any> {
  // createLLMAsJudge() checks the options themselves.
  objectOfOptions("createTrajectoryLLMAsJudge", options);
  const {
    prompt = TRAJECTORY_ACCURACY_PROMPT_WITH_REFERENCE,
    feedbackKey = "trajectory_accuracy",
    ...others
  } = readable("createTrajectoryLLMAsJudge", () => ({ ...options }));
  return judgeOfRendered({ prompt, feedbackKey, ...others }, async (params, place) => {
    const [{ toChatMessages }, { checkedCalls }] = await onUse("The renderer of conversations", () =>
      Promise.all([
        import("../../models/conversation/chat-messages.js"),
        import("../../models/conversation/unread.js"),
      ]),
    );
    const engine = scoresEngine.loaded ?? (await scoresEngine.load());
    const { outputs, reference_outputs, ...rest } = params as TrajectoryJudgeParams;
    const referenceOutputs = referenceOf(params as TrajectoryJudgeParams, place);
    const render = (name: string, trajectory: unknown): string => {
      const path = place + name;
      const messages = eachMessage(trajectory, path, (message, messagePlace) => {
        const calls = checkedCalls(message, messagePlace);
        const read = { role: roleOf(message), calls, content: contentOf(message) };
        return toChatMessages(message, read, messagePlace);
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
 * Makes a judge that gets the parameters as `render` returns them; `place` is a prefix for their names in errors.
 *
 * @internal
 */
export function judgeOfRendered(
  options: LLMAsJudgeOptions & { feedbackKey: string },
  render: (params: any, place: string) => Promise<JudgeParams>,
  framework?: string,
): TrajectoryLLMAsJudge<any> {
  const name = `llm_as_${options.feedbackKey}_judge`;
  const judge = makeJudge<any>(options, { runName: name, about: { framework } });
  // The judge reports parameters that are not an object.
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
