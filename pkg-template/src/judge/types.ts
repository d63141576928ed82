/** What a judge's model is, and what stands between the two. */

import type { ChatModel, EngineModel } from "../chat/chat.js";
import type { AISDKModel, LangChainRunnable, OpenAIClient, PartialLangChainModel } from "../chat/clients.js";
import type { WorkersAI } from "../chat/workers-ai.js";
import type { Bindings } from "../engine/engine.js";

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
 * A function that judges: returns an object that fits the schema, such as `{ score, reasoning }`, or a text that holds
 * one as JSON.
 */
export type JudgeFunction = (request: JudgeRequest) => object | string | Promise<object | string>;

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

/** Who is asked: what makers of judges are given. */
export interface Asked {
  judge: JudgeModel | undefined;
  /** The name of a model: that of a client, or of one that is no function. */
  model: string | undefined;
  /** What a cache knows those by that cannot tell themselves who they are. */
  cacheKey: string | undefined;
  /** Whether what it is asked belongs to no row: all rows share the answers. */
  isShared?: boolean;
}

/**
 * What is asked instead of a judge's model, and may ask that in turn: the cache of an experiment, its batches.
 *
 * @internal
 */
export interface Intermediary {
  /** Opens it in the engine, for one call of a judge that asks this model, which `open` would open. */
  open(bindings: Bindings, open: (bindings: Bindings) => EngineModel, asked: Asked): EngineModel;
  /** Takes back that the answers of a model it opened were used: they could not be, after all. */
  discard(model: EngineModel): void;
  /** Waits for what may need others to go on, such as the answer to the same question of somebody else. */
  wait<T>(coming: Promise<T>): Promise<T>;
}
