import type { ToolArgsMatchMode } from "../openevals.types.js";

export type { ToolArgsMatchMode, TrajectoryMatchMode } from "../openevals.types.js";

/** The meaning of a metric's scores. */
export interface ScoreScale {
  /** The lowest possible score, if any. */
  min?: number;
  /** The highest possible score, if any. */
  max?: number;
  /** The better direction; missing if it depends on the use, as for the length of a text. */
  direction?: "higher" | "lower";
  /**
   * The first number that passes: a lower one fails, or a higher one if lower is better. Missing if the metric has no
   * natural mark.
   */
  passAt?: number;
  /** The unit of the scores, such as `errors per word`. */
  unit?: string;
}

/** The result of an evaluator. */
export interface EvaluatorResult {
  /** The name of the metric. */
  key: string;
  /** The score: `true` or `false`, or a number in the range that the evaluator documents, mostly 0 to 1. */
  score: number | boolean;
  /** The explanation, if there is one: the reasoning of a judge, or the mismatch. */
  comment?: string;
  /** Other data, such as the model of a judge and its tokens. */
  metadata?: Record<string, unknown>;
  /** The id of the traced run that gave the score. */
  sourceRunId?: string;
}

/** The return value of a scorer of one metric: the score, or an object with a comment and metadata. */
export type SingleResultScorerReturnType =
  | boolean
  | number
  | [boolean | number, string, Record<string, unknown>?]
  | readonly [boolean | number, string, Record<string, unknown>?];

/** The return value of a scorer of several metrics: the score of each, by key. */
export type MultiResultScorerReturnType = {
  [key: string]: boolean | number | { score: boolean | number; reasoning?: string; sourceRunId?: string };
};

/** The parameters of an evaluator that compares. */
export interface EvaluatorParams {
  /** The inputs of the application. Evaluators without a model ignore them. */
  inputs?: unknown;
  /** The answer of the application. */
  outputs: unknown;
  /** The expected answer. */
  referenceOutputs?: unknown;
  /** Accepted instead of `referenceOutputs`, as in the Python packages. */
  reference_outputs?: unknown;
}

/**
 * The arguments that LangSmith's `evaluate` passes to an evaluator. Their types only promise objects, so whether the
 * evaluator can use them is checked when they are scored.
 */
export interface LangSmithParams {
  run: object;
  example: object;
  inputs?: Record<string, any>;
  outputs: Record<string, any>;
  referenceOutputs?: Record<string, any>;
  attachments?: Record<string, any>;
}

/**
 * The arguments of an evaluator: its own `Params`, or those of LangSmith, recognised by the `run`. One signature
 * instead of two, so that compiler errors are about the first.
 */
export type CalledWith<Given, Params> = Given extends { run: object; example: object } ? Given : Params;

/** An evaluator of one metric that needs no configuration. */
export interface Evaluator<Result = EvaluatorResult> {
  (outputs: unknown, referenceOutputs: unknown): Promise<Result>;
  // The last one: TypeScript infers from it, as in LangSmith's `wrapEvaluator(exactMatch)`.
  (params: EvaluatorParams): Promise<Result>;
  /**
   * Scores many rows in one call of the engine. The results are the same as with one call for each row, in order. A row
   * that cannot be scored rejects the batch with an error that names it.
   */
  batch(rows: readonly EvaluatorParams[]): Promise<Result[]>;
  /** The scale of its scores; missing for `true` and `false`. */
  readonly scale?: ScoreScale;
}

/** Any evaluator, as a function. */
export type SimpleEvaluator = (params: {
  inputs?: unknown;
  outputs: unknown;
  reference_outputs?: unknown;
  [name: string]: unknown;
}) => Promise<EvaluatorResult | EvaluatorResult[]> | EvaluatorResult | EvaluatorResult[];

// `any` below as in the reference package: messages of every provider have to fit.

/** A message in OpenAI's form. */
export type ChatCompletionMessage = Record<string, any> &
  (
    | { role: "user" | "system" | "developer"; content: any; id?: string }
    | { role: "assistant"; content: any; tool_calls?: any[]; id?: string }
    | { role: "tool"; content: any; tool_call_id: string; id?: string }
  );

/**
 * A message in OpenAI's form whose tool results need no `tool_call_id`. One type for all roles, so that your own interface may be
 * assignable to it.
 */
export type FlexibleChatCompletionMessage = Record<string, any> & {
  role: "user" | "system" | "developer" | "assistant" | "tool";
  content: any;
  tool_calls?: any[];
  tool_call_id?: string;
  id?: string;
};

/** A LangChain message (`HumanMessage`, `AIMessage`, `ToolMessage`, …), recognised by its shape. */
export interface LangChainMessage {
  content: any;
  getType(): string;
}

/** A message in any form that is accepted. */
export type Message = ChatCompletionMessage | FlexibleChatCompletionMessage | LangChainMessage;

/** The same, under its name in OpenEvals. */
export type Messages = ChatCompletionMessage | LangChainMessage;

/** The part of an OpenAI client's answer that is used. */
export type ChatCompletion = { choices: { message: ChatCompletionMessage }[] };

/** The method of an OpenAI client that sends requests. */
export interface ChatCompletionsClient {
  create(params: Record<string, any>): Promise<ChatCompletion>;
}

/** The chat part of an OpenAI client. */
export interface ModelChatClient {
  completions: ChatCompletionsClient;
}

/** An OpenAI client, or an object of the same form. */
export interface ModelClient {
  chat: ModelChatClient;
}

/**
 * Any message, and any item of OpenAI's Responses API. Types of other packages and of your own constants are not narrow, so
 * only evaluators know which are read: what they cannot read is `invalid_input`.
 */
export interface MessageLike {
  role?: string;
  type?: string | null;
}

/** The messages and tool calls of an agent: a list, or an object that holds it, as agents return it. */
export type Trajectory =
  | readonly (Message | MessageLike)[]
  | { messages: readonly (Message | MessageLike)[] };

/** Decides whether the arguments of a call match those of a call in the reference. */
export type ToolArgsMatcher = (
  toolCall: Record<string, any>,
  referenceToolCall: Record<string, any>,
) => boolean | Promise<boolean>;

/**
 * Rules for single tools, by name: a mode, a list of fields (dotted paths) that have to exist and be equal, or a
 * function.
 */
export type ToolArgsMatchOverrides = Record<string, ToolArgsMatchMode | string[] | ToolArgsMatcher>;

/** The steps that a graph took: `steps` has one list of nodes for each turn. */
export interface GraphTrajectory {
  /** The input of each turn. */
  inputs?: (Record<string, unknown> | null)[];
  /** The result of each turn. */
  results: Record<string, unknown>[];
  /** The nodes of each turn, such as `["__start__", "agent", "tools", "__interrupt__"]`. */
  steps: string[][];
}

/** The inputs, results and steps of a graph in each turn of a thread. */
export type ExtractedLangGraphThreadTrajectory = {
  inputs: (Record<string, unknown> | null)[][];
  outputs: GraphTrajectory;
};

/** An example for a judge. */
export interface FewShotExample {
  inputs: unknown;
  outputs: unknown;
  score: number | boolean;
  reasoning?: string;
}

/**
 * A source of the engine: the bytes of the binary, or the compiled `WebAssembly.Module` (an `object` here, since not
 * every project's `lib` has that type).
 */
export type WasmSource = ArrayBuffer | ArrayBufferView | object;
