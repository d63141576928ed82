/** The parameters and the result of a simulation. */

import type { OpenEvalsError } from "../../core/errors.js";
import type { Signal } from "../../core/platform/globals.js";
import type { ChatCompletionMessage, EvaluatorResult, Message } from "../../core/types.js";

type OfTool = { role: "tool" };

/** A message of a simulated conversation. As in OpenEvals, a tool message has a `tool_call_id`. */
export type SimulatedMessage =
  | Exclude<ChatCompletionMessage, OfTool>
  | (Extract<ChatCompletionMessage, OfTool> & { tool_call_id: string });

/** A message of an application or a user. */
export type Said = Message | ({ role: string; content: any } & Record<string, any>);

/** The options of {@link runMultiturnSimulation}. At least one of `maxTurns` and `stoppingCondition` is required. */
export interface MultiturnSimulationParams {
  /**
   * The application. It gets the user's next message, and has to keep earlier ones by `threadId` if it needs them. It
   * returns a message, or several with tool calls as a list or as `{ messages }`.
   */
  app(params: {
    inputs: SimulatedMessage;
    threadId: string;
  }): MaybePromise<Said | readonly Said[] | { messages: readonly Said[] }>;
  /**
   * The user: {@link createLLMSimulatedUser}, your own function that returns the next message, or a list with one
   * string or message for each turn.
   */
  user:
    | ((params: {
        trajectory: SimulatedMessage[];
        turnCounter: number;
        threadId: string;
      }) => MaybePromise<Said>)
    | readonly (string | Said)[];
  /** The largest number of turns. In each turn, the user and the application speak once. */
  maxTurns?: number | undefined;
  /** Called after each turn with the number of turns so far; `true` ends the conversation. */
  stoppingCondition?:
    | ((params: {
        trajectory: SimulatedMessage[];
        turnCounter: number;
        threadId: string;
      }) => MaybePromise<boolean>)
    | undefined;
  /** Evaluators that score the trajectory at the end, in parallel. */
  trajectoryEvaluators?:
    | readonly ((params: {
        outputs: any;
        referenceOutputs: any;
        [name: string]: any;
      }) => MaybePromise<EvaluatorResult | EvaluatorResult[]>)[]
    | undefined;
  /** Passed on to the evaluators. */
  referenceOutputs?: unknown;
  /** An alias of `referenceOutputs`, as in the Python packages. */
  reference_outputs?: unknown;
  /** Identifies the conversation for the application and the user; a random UUID by default. */
  threadId?: string | undefined;
  /** Ends the simulation. Calls that have not settled are not waited for. */
  signal?: Signal | undefined;
}

type MaybePromise<T> = T | Promise<T>;

/** The result of {@link runMultiturnSimulation}. */
export interface MultiturnSimulationResult {
  /** All messages, in OpenAI's form, each with an `id`. */
  trajectory: SimulatedMessage[];
  /** The results of the evaluators, in their order. */
  evaluatorResults: EvaluatorResult[];
  /** The evaluators that failed, by their index in `trajectoryEvaluators`; their scores are missing above. */
  evaluatorErrors: { evaluator: number; error: OpenEvalsError }[];
}
