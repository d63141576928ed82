/** The models of judges, and the middleware between judges and models. */

import type { Loader } from "../../core/engine/loader.js";
import type { Signal } from "../../core/platform/globals.js";
import type { ChatModel } from "./chat.js";
import type {
  AISDKModel,
  LangChainRunnable,
  OpenAIClient,
  PartialLangChainModel,
} from "./clients/clients.js";
import type { WorkersAI } from "./clients/workers-ai.js";
import type { Embed, Embedded } from "./embed.js";
import type { EngineModel, EngineModels } from "./opener.js";

/** The argument of a {@link JudgeFunction}. */
export interface JudgeRequest {
  /**
   * The messages; the last one is the prompt with its variables filled in. The content is a string or, with attachments, a
   * list of OpenAI's content parts.
   */
  messages: { role: "system" | "user" | "assistant"; content: any }[];
  /** The JSON schema that the answer has to fit. */
  schema: Record<string, unknown>;
  /** Aborts with the experiment whose evaluator asks. Missing if that has no `signal`, and without `AsyncLocalStorage`. */
  signal?: Signal | undefined;
}

/**
 * A function as a judge. It returns an object that fits the schema, such as `{ score, reasoning }`, a text with such an
 * object as JSON, or the score alone.
 */
export type JudgeFunction = (request: JudgeRequest) => JudgeAnswer | Promise<JudgeAnswer>;
type JudgeAnswer = object | string | number | boolean;

/**
 * The model of a judge: a function; the result of `initChatModel` from this package or LangChain; a chat model of LangChain;
 * a client of the package `openai`, together with `model`; a language model of the Vercel AI SDK; or the binding `env.AI`
 * of a Cloudflare Worker, together with `model`.
 */
export type JudgeModel =
  | JudgeFunction
  | ChatModel
  | LangChainRunnable
  | PartialLangChainModel
  | OpenAIClient
  | AISDKModel
  | WorkersAI;

/** The `method` that is passed to `withStructuredOutput()` of a LangChain chat model. */
export type StructuredOutputMethod = "jsonSchema" | "functionCalling" | "jsonMode";

/**
 * An answer of usual length to a prompt; `undefined` if it is unknown.
 *
 * @internal
 */
export type TypicalAnswer = (prompt: string) => string | undefined;

/** The options of a judge that select its model. */
export interface JudgeSource {
  judge: JudgeModel | undefined;
  /** The name of the model, for clients and for models by name. */
  model: string | undefined;
  /** Identifies the judge in a cache, if it has no name. */
  cacheKey: string | undefined;
  /** The temperature, instead of the one that the model was made with. */
  temperature?: number | undefined;
  /** How a LangChain model produces structured output. */
  structuredOutputMethod?: StructuredOutputMethod | undefined;
  /** Whether its questions belong to no row, so that all rows share the answers. */
  isShared?: boolean;
}

/**
 * The copy of this package that a judge belongs to. Its models work only in its own engine.
 *
 * @internal
 */
export interface PackageCopy {
  version: string;
  engine: Loader;
  models: EngineModels;
}

/**
 * Answers in place of a judge's model, or passes the question on to it: the cache or the batches of an experiment.
 *
 * @internal
 */
export interface ModelMiddleware {
  /**
   * Only in estimates, which ask no model: sets the answers of the next model that is opened, because later questions depend on
   * them.
   */
  expect?(answer: TypicalAnswer): void;
  /** Opens a model in the engine of a judge's copy for one call, instead of the model that `open` opens. */
  open(open: () => EngineModel, asked: JudgeSource, copy: PackageCopy): EngineModel;
  /** Embeds texts in place of `embed`, which asks these embeddings. Without it, they are asked directly. */
  embed?(embeddings: unknown, texts: readonly string[], embed: Embed): Promise<Embedded>;
  /** Discards the answers of a model that it opened, because the judge could not use them. */
  discard(model: EngineModel): void;
  /** Waits for something that depends on other calls, such as the answer to the same question. */
  wait<T>(pending: Promise<T>): Promise<T>;
}
