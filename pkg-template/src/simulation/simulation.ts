/** A conversation between an application and a simulated user. */

import { inPlace, OpenEvalsError } from "../errors.js";
import { given, isSignal, knownOptions } from "../input/options.js";
import { traced } from "../tracing/hook.js";
import type { ChatCompletionMessage, EvaluatorResult, Message } from "../types.js";
import { checkResponses, newId, readMessage, readMessages, readResponse } from "./messages.js";

/** What an application or a user says. */
export type Said = Message | ({ role: string; content: any } & Record<string, any>);

/** The options of {@link runMultiturnSimulation}: at least one of `maxTurns` and `stoppingCondition` is needed. */
export interface MultiturnSimulationParams {
  /**
   * The application. It gets the next message of the user, and keeps what it needs of the earlier ones itself, by
   * `threadId`. It returns a message; or several, as a list or as `{ messages }`, where tools were called on the way.
   */
  app(params: {
    inputs: ChatCompletionMessage;
    threadId: string;
  }): MaybePromise<Said | readonly Said[] | { messages: readonly Said[] }>;
  /**
   * The user: {@link createLLMSimulatedUser}, a function of one's own that returns the next message, or a list of what
   * the user says, one string or message for each turn.
   */
  user:
    | ((params: {
        trajectory: ChatCompletionMessage[];
        turnCounter: number;
        threadId: string;
      }) => MaybePromise<Said>)
    | readonly (string | Said)[];
  /** How many turns there are at most: in each of them, the user and the application speak once. */
  maxTurns?: number | undefined;
  /** Called after each turn, with the number of turns so far; the conversation ends where it returns `true`. */
  stoppingCondition?:
    | ((params: {
        trajectory: ChatCompletionMessage[];
        turnCounter: number;
        threadId: string;
      }) => MaybePromise<boolean>)
    | undefined;
  /** Score the trajectory in the end, all at the same time. */
  trajectoryEvaluators?:
    | readonly ((params: {
        outputs: any;
        referenceOutputs: any;
        [name: string]: any;
      }) => MaybePromise<EvaluatorResult | EvaluatorResult[]>)[]
    | undefined;
  /** Passed on to the evaluators. */
  referenceOutputs?: unknown;
  /** Accepted in the place of `referenceOutputs`, as the Python packages spell it. */
  reference_outputs?: unknown;
  /** What the application and the user know the conversation by; a random UUID by default. */
  threadId?: string | undefined;
  /** Ends the simulation before the next call. */
  signal?: AbortSignal | undefined;
}

type MaybePromise<T> = T | Promise<T>;

/** What {@link runMultiturnSimulation} gives. */
export interface MultiturnSimulationResult {
  /** All messages, in OpenAI's form, each with an `id`. */
  trajectory: ChatCompletionMessage[];
  /** The results of the evaluators, in their order. */
  evaluatorResults: EvaluatorResult[];
  /** The evaluators that failed, by their index in `trajectoryEvaluators`; their scores are missing above. */
  evaluatorErrors: { evaluator: number; error: OpenEvalsError }[];
}

/**
 * Lets an application and a simulated user talk to each other, and scores the conversation.
 *
 * The user speaks first. Messages of OpenAI's form and of LangChain are taken; those without an `id` get one, and of
 * those with the same `id` only the first counts, so an application may return its whole history if its messages have
 * ids. Nothing that is passed in is changed.
 *
 * @throws {@link OpenEvalsError} `invalid_config` for options that cannot work, and where a list of responses is too
 * short; `callback_failed` with the `cause` when the application, the user or the condition throws (what is an
 * {@link OpenEvalsError} keeps its code); `invalid_input` for what is no message; `aborted`. The error says in which
 * turn, counted from 1, and holds the `trajectory` so far. An evaluator that fails ends nothing: see `evaluatorErrors`.
 *
 * @example
 * ```ts
 * import { runMultiturnSimulation } from "openevals-wasm";
 *
 * const { trajectory, evaluatorResults, evaluatorErrors } = await runMultiturnSimulation({
 *   app: async ({ inputs }) => ({ role: "assistant", content: `You said: ${inputs.content}` }),
 *   user: ["Hello!", "Goodbye!"],
 *   maxTurns: 2,
 *   trajectoryEvaluators: [({ outputs }) => ({ key: "turns", score: outputs.length / 2 })],
 * });
 * console.log(trajectory.length, evaluatorResults, evaluatorErrors); // 4 [{ key: "turns", score: 2 }] []
 * ```
 */
export async function runMultiturnSimulation(
  params: MultiturnSimulationParams,
): Promise<MultiturnSimulationResult> {
  checkOptions(params);
  const { simulate } = await import("./loop.js");
  const given = { OpenEvalsError, inPlace, newId, readMessage, readMessages, readResponse, traced };
  const run = (params: MultiturnSimulationParams) => simulate(params, given);
  return traced("multiturn_simulation", run, { step: "" })(params);
}

const OPTIONS = [
  "app",
  "user",
  "maxTurns",
  "stoppingCondition",
  "trajectoryEvaluators",
  "referenceOutputs",
  "reference_outputs",
  "threadId",
  "signal",
];

function checkOptions(params: MultiturnSimulationParams): void {
  knownOptions("runMultiturnSimulation", params, OPTIONS);
  const { app, user, maxTurns, stoppingCondition, trajectoryEvaluators, signal } = params;
  const isFunction = (value: unknown) => typeof value === "function";
  given("app", app ?? null, "a function", isFunction);
  if (!isFunction(user)) checkResponses("user", user ?? null, "a function, or ");
  given("maxTurns", maxTurns, "a whole number from 1", (turns) => Number.isInteger(turns) && turns > 0);
  given("stoppingCondition", stoppingCondition, "a function", isFunction);
  given("trajectoryEvaluators", trajectoryEvaluators, "a list of functions", (list) => {
    return Array.isArray(list) && list.every(isFunction);
  });
  given("signal", signal, "an AbortSignal", isSignal);
  if (maxTurns === undefined && stoppingCondition === undefined) {
    throw new OpenEvalsError("invalid_config", "A simulation needs maxTurns or a stoppingCondition.");
  }
}
