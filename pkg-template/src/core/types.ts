import type { ToolArgsMatchMode } from "../openevals.types.js";

export type { ToolArgsMatchMode, TrajectoryMatchMode } from "../openevals.types.js";

/** What the scores of a metric mean. */
export interface ScoreScale {
  /** The lowest score, if there is one. */
  min?: number;
  /** The highest score, if there is one. */
  max?: number;
  /** Which scores are good; missing where it depends on the use, such as for the length of a text. */
  direction?: "higher" | "lower";
  /** The first number that passes: a lower (or, where lower is better, higher) one fails. Missing where no number is natural. */
  passAt?: number;
  /** What the scores are counted in, such as `errors per word`. */
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

/** What a scorer of one metric returns: the score, or with it a comment and metadata. */
export type SingleResultScorerReturnType =
  | boolean
  | number
  | [boolean | number, string, Record<string, unknown>?]
  | readonly [boolean | number, string, Record<string, unknown>?];

/** What a scorer of several metrics returns: the score of each, by key. */
export type MultiResultScorerReturnType = {
  [key: string]: boolean | number | { score: boolean | number; reasoning?: string; sourceRunId?: string };
};

/** What an evaluator compares. */
export interface EvaluatorParams {
  /** What the application was asked. Not compared, so evaluators that need no model ignore it. */
  inputs?: unknown;
  /** What the application answered. */
  outputs: unknown;
  /** The expected answer. */
  referenceOutputs?: unknown;
  /** Accepted in the place of `referenceOutputs`, as the Python packages spell it. */
  reference_outputs?: unknown;
}

/**
 * What LangSmith's `evaluate` calls an evaluator with. All that its types say of data is that they are objects, so it is
 * only found when they are scored whether these are what the evaluator needs.
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
 * What an evaluator is called with: its own `Params`, or what LangSmith passes, which is known by the `run`. One signature
 * and not two, so that errors of compilers are about the first.
 */
export type CalledWith<Given, Params> = Given extends { run: object; example: object } ? Given : Params;

/** An evaluator of one metric that needs no configuration. */
export interface Evaluator<Result = EvaluatorResult> {
  (outputs: unknown, referenceOutputs: unknown): Promise<Result>;
  // The last one: TypeScript infers from it, as in LangSmith's `wrapEvaluator(exactMatch)`.
  (params: EvaluatorParams): Promise<Result>;
  /**
   * Scores many rows in one crossing into the engine; the results are those of one call for each row, in order.
   * One row that cannot be scored rejects the batch; the error names it.
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

/** The same, under the name that OpenEvals gives it. */
export type Messages = ChatCompletionMessage | LangChainMessage;

/** What a client of OpenAI answers, as much of it as is looked at. */
export type ChatCompletion = { choices: { message: ChatCompletionMessage }[] };

/** Where a client of OpenAI is asked. */
export interface ChatCompletionsClient {
  create(params: Record<string, any>): Promise<ChatCompletion>;
}

/** The part of a client of OpenAI that is about chats. */
export interface ModelChatClient {
  completions: ChatCompletionsClient;
}

/** A client of OpenAI, or one that has its form. */
export interface ModelClient {
  chat: ModelChatClient;
}

/** The messages and tool calls of an agent: a list, or an object that holds it, as agents return it. */
export type Trajectory = readonly Message[] | { messages: readonly Message[] };

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
  /** What each turn started from. */
  inputs?: (Record<string, unknown> | null)[];
  /** What each turn ended with. */
  results: Record<string, unknown>[];
  /** The nodes that each turn went through, such as `["__start__", "agent", "tools", "__interrupt__"]`. */
  steps: string[][];
}

/** What graphs were given in each turn of a thread, and what they did. */
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
 * What the engine can be made from: the bytes of the binary, or the compiled `WebAssembly.Module` (an `object` here,
 * since not every project's `lib` has that type).
 */
export type WasmSource = ArrayBuffer | ArrayBufferView | object;
