import { jsonOf, parsed } from "../../core/engine/crossing.js";
import { judgesEngine } from "../../core/engine/judges.js";
import { fromModel, invalidConfig, invalidInput } from "../../core/errors.js";
import { MAX_U32, type OptionChecks, wholeFrom } from "../../core/input/checks.js";
import type { JsonOf } from "../../openevals.types.js";
import * as bindings from "../../openevals-judges.js";
import type { EmbedderConfig, Embedding } from "../../openevals-judges.types.js";
import { EMBED, type Embedded } from "./embed.js";
import { ENDPOINT_OPTIONS, Endpoint, type EndpointOptions } from "./providers/endpoint.js";

/** The options of {@link initEmbeddings}. */
export interface EmbeddingsOptions extends EndpointOptions {
  /** The number of dimensions of a vector, for models with several sizes. Vectors of another length are a `provider_error`. */
  dimensions?: number | undefined;
}

const OPTIONS: OptionChecks<EmbeddingsOptions> = { ...ENDPOINT_OPTIONS, dimensions: wholeFrom(1, MAX_U32) };

/** The most texts and UTF-16 code units of a request, which every API accepts. */
const MAX_TEXTS = 100;
const MAX_UNITS = 16_000;

/**
 * An embeddings model, made by {@link initEmbeddings}. Pass it to {@link createEmbeddingSimilarityEvaluator}, or use it like
 * embeddings of LangChain.
 */
export class EmbeddingsModel {
  /** The model as it was given: `provider:model`. */
  readonly model: string;
  readonly #endpoint: Endpoint<EmbeddingsOptions>;
  #config: JsonOf<EmbedderConfig> | undefined;

  /** @internal */
  constructor(model: string, options: EmbeddingsOptions) {
    this.#endpoint = new Endpoint("embeddings", model, options, OPTIONS);
    this.model = model;
    if (!this.#endpoint.provider.embeddings)
      throw invalidConfig(`The provider of ${model} has no embeddings`);
  }

  /** The vector of a text. */
  async embedQuery(text: string): Promise<number[]> {
    const [vector] = await this.embedDocuments([text]);
    return vector as number[];
  }

  /** The vectors of texts, in the same order. A request has up to 100 texts. */
  async embedDocuments(texts: readonly string[]): Promise<number[][]> {
    if (!Array.isArray(texts) || !texts.every((text) => typeof text === "string"))
      throw invalidInput("Only strings can be embedded");
    const { vectors } = await this[EMBED](texts);
    return vectors as number[][];
  }

  /**
   * The settings that vectors depend on, besides the model. The headers and the address may contain secrets.
   *
   * @internal
   */
  get settings(): object {
    const { dimensions, params, headers } = this.#endpoint.options;
    return { dimensions, params, address: this.#endpoint.ownAddress, headers };
  }

  /** @internal */
  async [EMBED](texts: readonly string[]): Promise<Embedded> {
    const found: Embedding[] = [];
    for (const group of groups(texts)) found.push(await this.#ask(group));
    return {
      vectors: found.flatMap(({ vectors }) => vectors),
      used: found.map(({ vectors: _, ...used }) => ({ model: this.model, ...used })),
    };
  }

  async #ask(texts: string[]): Promise<Embedding> {
    try {
      const asked = jsonOf(texts);
      const engine = await judgesEngine.load();
      const answer = await engine.wait("embeddings", asked.length, (own) => {
        const { dimensions } = this.#endpoint.options;
        this.#config ??= jsonOf({ endpoint: this.#endpoint.config(), dimensions });
        const reach = this.#endpoint.reach();
        return own(bindings.Embedder.fromProvider(this.#config, ...reach)).embed(asked);
      });
      return parsed(answer);
    } catch (error) {
      throw fromModel(error);
    }
  }
}

/**
 * Makes an embeddings model, reached with `fetch`.
 *
 * @param model `provider:model`, with one of the providers of {@link listProviders} that have `embeddings`.
 * @throws {@link OpenEvalsError} `invalid_config` for models and options that cannot work. The model's functions throw
 * `provider_error` and the other errors of requests, also if the answer does not have one vector for each text.
 *
 * @example
 * ```ts
 * import { createEmbeddingSimilarityEvaluator, initEmbeddings } from "openevals-wasm";
 *
 * const embeddings = initEmbeddings("openai:text-embedding-3-small", { dimensions: 512 });
 * const evaluator = createEmbeddingSimilarityEvaluator({ embeddings });
 * ```
 */
export function initEmbeddings(model: string, options: EmbeddingsOptions = {}): EmbeddingsModel {
  return new EmbeddingsModel(model, options);
}

function groups(texts: readonly string[]): string[][] {
  const groups: string[][] = [];
  let units = 0;
  for (const text of texts) {
    const last = groups.at(-1);
    units += text.length;
    if (last && last.length < MAX_TEXTS && units <= MAX_UNITS) last.push(text);
    else {
      groups.push([text]);
      units = text.length;
    }
  }
  return groups;
}
