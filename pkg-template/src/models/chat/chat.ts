import { jsonOf, parsed } from "../../core/engine/crossing.js";
import { invalidConfig } from "../../core/errors.js";
import { fromZero, MAX_U32, type OptionChecks, oneOf, wholeFrom } from "../../core/input/checks.js";
import { MAX_MS } from "../../core/platform/deadline.js";
import type { JsonOf } from "../../openevals.types.js";
import type { ChatModelConfig } from "../../openevals-judges.types.js";
import { unlimited } from "./limited.js";
import { type EngineModel, type EngineModels, OPEN, type Relaying } from "./opener.js";
import { CHECK_ACCESS } from "./providers/check-access.js";
import { ENDPOINT_OPTIONS, Endpoint, type EndpointOptions } from "./providers/endpoint.js";

/** The options of {@link initChatModel}. */
export interface ChatModelOptions extends EndpointOptions {
  /**
   * Which of OpenAI's APIs to use: `"chat"` for chat completions, or `"responses"` for the Responses API. Compatible
   * servers, such as those of `openai-compatible`, take it too. The default is the Responses API for models that OpenAI and
   * Azure offer only there (`gpt-5-pro`, `gpt-5.3-codex`, …; on Azure, by the name of the deployment) and for models of
   * xAI, whose chat completions are deprecated; for all others it is chat completions. The provider does not store
   * responses unless `params` has `{ store: true }`. The two APIs name parameters differently: `{ reasoning_effort: "low" }`
   * is `{ reasoning: { effort: "low" } }` in the Responses API.
   */
  api?: "chat" | "responses" | undefined;
  /** The sampling temperature of answers, from 0. The provider decides by default. */
  temperature?: number | undefined;
  /**
   * The most tokens of an answer, including reasoning. The provider decides by default; Anthropic's default is 16,000. An
   * answer that is cut off at this limit is an `invalid_judge_output`. If an answer is cut off without this option, the
   * model is asked once more with twice the tokens, and at least 16,000.
   */
  maxTokens?: number | undefined;
}

const OPTIONS: OptionChecks<ChatModelOptions> = {
  ...ENDPOINT_OPTIONS,
  api: oneOf(["chat", "responses"]),
  temperature: fromZero,
  maxTokens: wholeFrom(1, MAX_U32),
};

/** How many alternatives are requested for each token: the limit of most APIs. */
const MAX_LOGPROBS = 20;

/** A language model, made by {@link initChatModel}: a `judge` for {@link createLLMAsJudge}. */
export class ChatModel {
  /** The model as it was given: `provider:model`. */
  readonly model: string;
  // Private, so that logs and inspection do not show the key.
  readonly #endpoint: Endpoint<ChatModelOptions>;
  /** Created on first use, which reads the key from the environment. */
  #config: JsonOf<ChatModelConfig> | undefined;
  readonly #temperature: number | undefined;
  /** The facts that the engine has learned about the API. */
  readonly #learnt: { refusedSchemas: Set<string>; refusesTemperature: boolean; logprobs: number };

  /** @internal */
  constructor(
    model: string,
    endpoint: Endpoint<ChatModelOptions>,
    temperature = endpoint.options.temperature,
    learnt = { refusedSchemas: new Set<string>(), refusesTemperature: false, logprobs: MAX_LOGPROBS },
  ) {
    this.model = model;
    this.#endpoint = endpoint;
    this.#temperature = temperature;
    this.#learnt = learnt;
  }

  /**
   * The same model at another temperature. Both share one `maxConcurrency`.
   *
   * @internal
   */
  at(temperature: number): ChatModel {
    return new ChatModel(this.model, this.#endpoint, temperature, this.#learnt);
  }

  /**
   * The settings that answers depend on, besides the model. The headers and the address may contain secrets.
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
   * Whether its API may return token probabilities. Others are not asked for them.
   *
   * @internal
   */
  get mayReturnLogprobs(): boolean {
    return /openai|responses|google|ollama/.test(this.#endpoint.provider.dialect);
  }

  /**
   * Throws if the key or the address is missing, without sending a request.
   *
   * @internal
   */
  [CHECK_ACCESS](): Promise<void> {
    return this.#endpoint.checkAccess();
  }

  /**
   * Makes the model in the engine, for one call.
   *
   * @throws {@link OpenEvalsError} `invalid_config` for a Proxy of a model, through which private fields cannot be read.
   * @internal
   */
  get [OPEN](): (models: EngineModels, relaying?: Relaying) => EngineModel {
    if (#endpoint in this) return (models, relaying) => this.#open(models, relaying);
    throw invalidConfig("The judge is a Proxy of a model of initChatModel. Pass the model itself");
  }

  #open(models: EngineModels, relaying?: Relaying): EngineModel {
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
        config.endpoint.timeoutMs = MAX_MS;
        const made = jsonOf(config);
        const reach = [fetch, signal, undefined, undefined, unlimited] as const;
        return models.fromProvider(made, ...reach, this.#learnt);
      }
    }
    return models.fromProvider(this.#config, ...this.#endpoint.reach(), this.#learnt);
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
