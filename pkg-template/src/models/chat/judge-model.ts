/** What a judge's model is, and what stands between the two. */

import type { ChatModel } from "./chat.js";
import type { AISDKModel, LangChainRunnable, OpenAIClient, PartialLangChainModel } from "./clients.js";
import type { EngineModel } from "./opener.js";
import type { WorkersAI } from "./workers-ai.js";

/** What a function that judges is asked. */
export interface JudgeRequest {
  /**
   * The messages, the last of which is the filled-in prompt. The content is a string or, where something is attached, a
   * list of OpenAI's content parts.
   */
  messages: { role: "system" | "user" | "assistant"; content: any }[];
  /** The JSON schema that the answer has to fit. */
  schema: Record<string, unknown>;
}

/**
 * A function that judges: returns an object that fits the schema, such as `{ score, reasoning }`, a text that holds one as
 * JSON, or, where a score is asked for, that alone.
 */
export type JudgeFunction = (request: JudgeRequest) => JudgeAnswer | Promise<JudgeAnswer>;
type JudgeAnswer = object | string | number | boolean;

/**
 * What judges: a function; the result of `initChatModel`, of this package or of LangChain; a chat model of LangChain; a
 * client of the package `openai`, with the name of the model beside it; a language model of the Vercel AI SDK; the binding
 * `env.AI` of a Cloudflare Worker, with the name of the model beside it.
 */
export type JudgeModel =
  | JudgeFunction
  | ChatModel
  | LangChainRunnable
  | PartialLangChainModel
  | OpenAIClient
  | AISDKModel
  | WorkersAI;

/**
 * How a chat model of LangChain is held to the form of an answer, by the names that its `withStructuredOutput()` knows as
 * `method`.
 */
export type StructuredOutputMethod = "jsonSchema" | "functionCalling" | "jsonMode";

/** Who is asked: what makers of judges are given. */
export interface JudgeSource {
  judge: JudgeModel | undefined;
  /** The name of a model: that of a client, or of one that is no function. */
  model: string | undefined;
  /** What a cache knows those by that cannot tell themselves who they are. */
  cacheKey: string | undefined;
  /** How random answers are, instead of what the model was made with. */
  temperature?: number | undefined;
  /** How a model of LangChain gets its answers into a form. */
  structuredOutputMethod?: StructuredOutputMethod | undefined;
  /** Whether what it is asked belongs to no row: all rows share the answers. */
  isShared?: boolean;
}

/**
 * What is asked instead of a judge's model, and may ask that in turn: the cache of an experiment, its batches.
 *
 * @internal
 */
export interface ModelMiddleware {
  /** Opens it in the engine, for one call of a judge that asks this model, which `open` would open. */
  open(open: () => EngineModel, asked: JudgeSource): EngineModel;
  /** Takes back that the answers of a model it opened were used: they could not be, after all. */
  discard(model: EngineModel): void;
  /** Waits for what may need others to go on, such as the answer to the same question of somebody else. */
  wait<T>(coming: Promise<T>): Promise<T>;
}
