/** Selects the model of scorers, from `init()` and the arguments of a call. */

import { initChatModel, initEmbeddings, type JudgeModel } from "../../../api.js";
import { invalidConfig } from "../../../core/errors.js";
import { anything, check, checkOptions, type OptionChecks } from "../../../core/input/checks.js";

/** The part of OpenAI's client that scorers use, besides chats. */
export interface OpenAIParts {
  embeddings?: { create(request: { input: string; model: string }): Promise<any> };
  moderations?: { create(request: { input: string }): Promise<any> };
}

/** The options of {@link init}. */
export interface InitOptions {
  /** A client of the package `openai`, or any other `judge` of `createLLMAsJudge`, such as a function. */
  client?: JudgeModel | OpenAIParts | undefined;
  /** The model that judges, or the models that judge and embed; `gpt-5-mini` and `text-embedding-ada-002` by default. */
  defaultModel?: string | { completion?: string; embedding?: string } | undefined;
}

/** The arguments of scorers that select the model of a call. */
export interface ModelArgs {
  /** The model, as a client names it, or as `initChatModel` does: `anthropic:claude-sonnet-5`. */
  model?: string;
  /** The client, instead of that of {@link init}. */
  client?: InitOptions["client"];
  /** The sampling temperature, without a client. */
  temperature?: number;
  /** The most tokens of an answer, without a client. */
  maxTokens?: number;
  /** The key of OpenAI, without a client. */
  openAiApiKey?: string;
  /** The address of OpenAI's API, without a client. */
  openAiBaseUrl?: string;
}

/** Arguments of autoevals that are options of a model here. */
const MODEL_OPTIONS = [
  "azureOpenAi",
  "openAiOrganizationId",
  "openAiDefaultHeaders",
  "reasoningEffort",
  "reasoningEnabled",
  "reasoningBudget",
  "useResponsesApi",
];

const OPTIONS: OptionChecks<InitOptions> = {
  client: anything,
  defaultModel: check("the name of a model, or { completion, embedding }", (model) =>
    typeof model === "object" ? model !== null : typeof model === "string" && model !== "",
  ),
};

let settings: InitOptions = {};

/**
 * Sets the client and the models of all scorers of this entry point. Without options, it resets them.
 *
 * @throws {@link OpenEvalsError} `invalid_config` for options that cannot work.
 *
 * @example
 * ```ts
 * import { Factuality, init } from "openevals-wasm/interop/autoevals";
 *
 * init({ client: () => ({ reasons: "Both name Oslo.", choice: "C" }) });
 * const { score } = await Factuality({ input: "Capital of Norway?", output: "Oslo", expected: "It is Oslo." });
 * console.log(score); // 1
 * ```
 */
export function init(options: InitOptions = {}): void {
  settings = checkOptions("init", options, OPTIONS);
}

/** The model that judges by default. */
export const getDefaultModel = (): string => modelFor("completion") ?? "gpt-5-mini";

function modelFor(use: "completion" | "embedding"): string | undefined {
  const { defaultModel } = settings;
  if (typeof defaultModel === "string") return use === "completion" ? defaultModel : undefined;
  return defaultModel?.[use];
}

/** The judge of a call, as `createLLMAsJudge` takes it. */
export function judgeFor(name: string, args: ModelArgs): { judge: JudgeModel; model?: string } {
  const { model = getDefaultModel(), client = settings.client, ...options } = args;
  const { temperature, maxTokens, openAiApiKey: apiKey, openAiBaseUrl: baseURL } = options;
  const modelOption = MODEL_OPTIONS.find((argument) => Object(args)[argument] !== undefined);
  if (modelOption)
    throw invalidConfig(
      `${name} does not take ${modelOption}. Make the model with initChatModel() of openevals-wasm, and pass it as \`client\``,
    );
  if (!client) return { judge: initChatModel(model, { apiKey, baseURL, temperature, maxTokens }) };
  const ignored = Object.entries({ temperature, maxTokens, apiKey, baseURL }).find(
    ([, value]) => value != null,
  );
  if (ignored)
    throw invalidConfig(`${name} has a client, so ${ignored[0]} has no effect. Set it on the client`);
  const judge = client as JudgeModel;
  return "chat" in client || "run" in client ? { judge, model } : { judge };
}

/** Converts a text to a vector. */
export interface TextEmbedder {
  embedQuery(text: string): Promise<number[]>;
}

/** The embeddings of a call. */
export function embeddingsFor(name: string, args: ModelArgs): TextEmbedder {
  const { openAiApiKey: apiKey, openAiBaseUrl: baseURL } = args;
  const model = args.model ?? modelFor("embedding") ?? "text-embedding-ada-002";
  const client = args.client ?? settings.client;
  if (!client) {
    return initEmbeddings(model.includes(":") ? model : `openai:${model}`, { apiKey, baseURL });
  }
  const { embeddings } = client as OpenAIParts;
  if (typeof embeddings?.create !== "function")
    throw invalidConfig(
      `${name} needs a client with embeddings.create(), such as that of the package openai`,
    );
  return {
    embedQuery: async (input) => (await embeddings.create({ input, model })).data?.[0]?.embedding,
  };
}

/** The client of a call, for requests other than chats. */
export const clientFor = ({ client = settings.client }: ModelArgs): OpenAIParts => Object(client);
