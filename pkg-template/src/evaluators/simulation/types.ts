/** What a simulation is made of, and what it gives. */

import type { OpenEvalsError } from "../../core/errors.js";
import type { Signal } from "../../core/platform/globals.js";
import type { ChatCompletionMessage, EvaluatorResult, Message } from "../../core/types.js";

type OfTool = { role: "tool" };

/** A message of a simulated conversation. As in OpenEvals, the message of a tool names its call. */
export type SimulatedMessage =
  | Exclude<ChatCompletionMessage, OfTool>
  | (Extract<ChatCompletionMessage, OfTool> & { tool_call_id: string });

/** What an application or a user says. */
export type Said = Message | ({ role: string; content: any } & Record<string, any>);

/** The options of {@link runMultiturnSimulation}: at least one of `maxTurns` and `stoppingCondition` is needed. */
export interface MultiturnSimulationParams {
  /**
   * The application. It gets the next message of the user, and keeps what it needs of the earlier ones itself, by
   * `threadId`. It returns a message; or several, as a list or as `{ messages }`, where tools were called on the way.
   */
  app(params: {
    inputs: SimulatedMessage;
    threadId: string;
  }): MaybePromise<Said | readonly Said[] | { messages: readonly Said[] }>;
  /**
   * The user: {@link createLLMSimulatedUser}, a function of one's own that returns the next message, or a list of what
   * the user says, one string or message for each turn.
   */
  user:
    | ((params: {
        trajectory: SimulatedMessage[];
        turnCounter: number;
        threadId: string;
      }) => MaybePromise<Said>)
    | readonly (string | Said)[];
  /** How many turns there are at most: in each of them, the user and the application speak once. */
  maxTurns?: number | undefined;
  /** Called after each turn, with the number of turns so far; the conversation ends where it returns `true`. */
  stoppingCondition?:
    | ((params: {
        trajectory: SimulatedMessage[];
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
  signal?: Signal | undefined;
}

type MaybePromise<T> = T | Promise<T>;

/** What {@link runMultiturnSimulation} gives. */
export interface MultiturnSimulationResult {
  /** All messages, in OpenAI's form, each with an `id`. */
  trajectory: SimulatedMessage[];
  /** The results of the evaluators, in their order. */
  evaluatorResults: EvaluatorResult[];
  /** The evaluators that failed, by their index in `trajectoryEvaluators`; their scores are missing above. */
  evaluatorErrors: { evaluator: number; error: OpenEvalsError }[];
}
