import { jsonOf, parsed } from "../../core/engine/crossing.js";
import { type Checks, fromZero, MOST, oneOf, wholeFrom } from "../../core/input/checks.js";
import { LONGEST_MS } from "../../core/platform/alarm.js";
import type { JsonOf } from "../../openevals.types.js";
import * as bindings from "../../openevals-judges.js";
import type { ChatModelConfig } from "../../openevals-judges.types.js";
import { CHECK_ACCESS } from "./check-access.js";
import { ENDPOINT_OPTIONS, Endpoint, type EndpointOptions } from "./endpoint.js";
import { unlimited } from "./limited.js";
import { type EngineModel, OPEN, type Relaying } from "./opener.js";

/** The options of {@link initChatModel}. */
export interface ChatModelOptions extends EndpointOptions {
  /**
   * Which of OpenAI's APIs the model is asked through: `"chat"`, its chat completions, or `"responses"`, its Responses
   * API; of others that have its form, too, such as a server behind `openai-compatible`. By default the Responses API for
   * the models that OpenAI and Azure have nowhere else (`gpt-5-pro`, `gpt-5.3-codex`, …; on Azure, by the name of the
   * deployment) and for those of xAI, whose chat completions are deprecated; chat completions for all others. Responses
   * are not kept by the provider, unless `params` say `{ store: true }`. The two APIs have other names for what `params`
   * may say: `{ reasoning_effort: "low" }` is `{ reasoning: { effort: "low" } }` in the Responses API.
   */
  api?: "chat" | "responses" | undefined;
  /** How random answers are; the provider decides by default. */
  temperature?: number | undefined;
  /**
   * How many tokens an answer may have, thoughts included; the provider decides by default (Anthropic: 16,000). An answer
   * that is cut off there is an `invalid_judge_output`. One that is cut off without such a limit is asked for once more,
   * with twice the tokens that it had (at least 16,000).
   */
  maxTokens?: number | undefined;
}

const OPTIONS: Checks<ChatModelOptions> = {
  ...ENDPOINT_OPTIONS,
  api: oneOf(["chat", "responses"]),
  temperature: fromZero,
  maxTokens: wholeFrom(1, MOST),
};

/** At how many tokens for each place probabilities are asked for, where somebody wants them: most APIs have a limit of so many. */
const MOST_LOGPROBS = 20;

/** A language model, made by {@link initChatModel}: a `judge` for {@link createLLMAsJudge}. */
export class ChatModel {
  /** Which model it is: `provider:model`, as it was given. */
  readonly model: string;
  // Private, so that no log and no inspection shows the key.
  readonly #endpoint: Endpoint<ChatModelOptions>;
  /** Made when the model is first used: only then is the environment asked for a key. */
  #config: JsonOf<ChatModelConfig> | undefined;
  readonly #temperature: number | undefined;
  /** What has turned out about the API; the engine notes it here. */
  readonly #learnt: { lacksStructure: boolean; refusesTemperature: boolean; logprobs: number };

  /** @internal */
  constructor(
    model: string,
    endpoint: Endpoint<ChatModelOptions>,
    temperature = endpoint.options.temperature,
    learnt = { lacksStructure: false, refusesTemperature: false, logprobs: MOST_LOGPROBS },
  ) {
    this.model = model;
    this.#endpoint = endpoint;
    this.#temperature = temperature;
    this.#learnt = learnt;
  }

  /**
   * The same model, asked at another temperature; both keep to one `maxConcurrency`.
   *
   * @internal
   */
  at(temperature: number): ChatModel {
    return new ChatModel(this.model, this.#endpoint, temperature, this.#learnt);
  }

  /**
   * What answers depend on besides the model. The headers and the address may hold secrets.
   *
   * @internal
   */
  get settings(): object {
    const { api, maxTokens, params, headers } = this.#endpoint.options;
    return {
      api,
      temperature: this.#temperature,
      maxTokens,
      params,
      address: this.#endpoint.ownAddress,
      headers,
    };
  }

  /**
   * Whether its API may tell how likely tokens were; the others are not asked.
   *
   * @internal
   */
  get mayTellLogprobs(): boolean {
    return /openai|responses|google|ollama/.test(this.#endpoint.provider.dialect);
  }

  /**
   * Refuses a model whose key or address is missing, without asking it.
   *
   * @internal
   */
  [CHECK_ACCESS](): Promise<void> {
    return this.#endpoint.checkAccess();
  }

  /**
   * The model in the engine, made for one call.
   *
   * @internal
   */
  [OPEN](relaying?: Relaying): EngineModel {
    const { provider, options } = this.#endpoint;
    const { attachments, structure = "schema" } = provider;
    const temperature = this.#temperature;
    this.#config ??= jsonOf({
      endpoint: this.#endpoint.config(),
      provider: {
        structure,
        attachments,
        temperature: temperature === undefined ? undefined : String(temperature),
        maxTokens: options.maxTokens,
      },
    });
    if (relaying) {
      const config = parsed(this.#config);
      const relay = relaying(config.endpoint, options, this.#endpoint.open);
      if (relay) {
        const { fetch, signal } = relay;
        config.endpoint.timeoutMs = LONGEST_MS;
        const made = jsonOf(config);
        const reach = [fetch, signal, undefined, undefined, unlimited] as const;
        return bindings.ChatModel.fromProvider(made, ...reach, this.#learnt);
      }
    }
    return bindings.ChatModel.fromProvider(this.#config, ...this.#endpoint.reach(), this.#learnt);
  }
}

/**
 * Makes a language model for {@link createLLMAsJudge}, reached with `fetch`.
 *
 * @param model `provider:model`, with one of the providers of {@link listProviders}, such as `openai`, `anthropic` or
 * `ollama`, or with `openai-compatible` (any server with OpenAI's chat completions, at a `baseURL`). Names that begin like
 * OpenAI's (`gpt-…`, `o3…`), Anthropic's (`claude-…`), Google's (`gemini-…`), Cohere's (`command-…`), Mistral's
 * (`mistral-…`), Perplexity's (`sonar`), those of Fireworks (`accounts/fireworks/…`) or Amazon's (`amazon.…`) need no provider.
 * @throws {@link OpenEvalsError} `invalid_config` for models and options that cannot work. A missing key is found when
 * the model is first used.
 *
 * @example
 * ```ts
 * import { createLLMAsJudge, initChatModel } from "openevals-wasm";
 *
 * const judge = initChatModel("openai:gpt-5.4", { temperature: 0, maxRetries: 4, maxConcurrency: 8 });
 * const local = initChatModel("openai-compatible:qwen3", { baseURL: "http://localhost:8080/v1" });
 * const evaluator = createLLMAsJudge({ prompt: "Is this polite? {outputs}", judge });
 * ```
 */
export function initChatModel(model: string, options: ChatModelOptions = {}): ChatModel {
  return new ChatModel(model, new Endpoint("chat", model, options, OPTIONS));
}
