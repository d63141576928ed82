/** What tools are told of the providers. */

import type { Structure } from "../../openevals.types.js";
import { aliasesOf } from "./model-name.js";
import type { ProviderName } from "./provider-names.js";
import { PROVIDERS } from "./providers.js";
import type { Attached } from "./types.js";

/** A provider of models, as {@link listProviders} tells of it. */
export interface ProviderInfo {
  /** What stands before the colon of a model's name: `openai` of `openai:gpt-5.4`. */
  readonly id: string;
  /** Other names that may stand there; in all of them `_` is as good as `-`. */
  readonly aliases: readonly string[];
  /**
   * Where its API is unless told; `{…}` stands for a variable of the environment. Without it, it has to be told, or is made
   * of the region (`bedrock`) or the location (`vertex`).
   */
  readonly baseURL?: string;
  /** The environment variables that tell where the API is; the first that is set counts. */
  readonly baseURLVariables: readonly string[];
  /** The environment variables that hold a key; the first that is set counts. */
  readonly apiKeyVariables: readonly string[];
  /** Whether it cannot be asked without a key; `bedrock` takes credentials of AWS in its place. */
  readonly needsKey: boolean;
  /**
   * How an answer gets its form at first. `schema`: the API holds the model to it. `json_object`: the API holds the model
   * to JSON, and the prompt has the schema. `prompt`: the prompt has it. An API that turns out to know less than this is
   * asked for less.
   */
  readonly structuredOutput: Structure;
  /** What it may be shown besides text, `link` being a PDF at an address. Not every model of it can be. */
  readonly attachments: readonly Attached[];
  /** Whether {@link initEmbeddings} knows it. */
  readonly embeddings: boolean;
}

/**
 * The providers that {@link initChatModel} and {@link initEmbeddings} know, for tools that let somebody choose a model or
 * say what to set. The list and all in it is frozen.
 *
 * @example
 * ```ts
 * import { listProviders } from "openevals-wasm";
 *
 * const local = listProviders().filter(({ needsKey }) => !needsKey);
 * console.log(local.map(({ id, baseURL }) => `${id} at ${baseURL}`));
 * ```
 */
export function listProviders(): readonly ProviderInfo[] {
  return Object.freeze(
    Object.entries(PROVIDERS).map(([id, row]) => {
      const { baseURL, addresses = [], keys = [], needsNoKey, embeddings, ...other } = row;
      const { structure = "schema", responses, attachments = ["image", "audio", "file"] } = other;
      return Object.freeze({
        id,
        aliases: Object.freeze([...aliasesOf(id as ProviderName)]),
        ...(baseURL && { baseURL }),
        baseURLVariables: Object.freeze([...addresses]),
        apiKeyVariables: Object.freeze([...keys]),
        needsKey: keys.length > 0 && !needsNoKey,
        structuredOutput: structure,
        attachments: Object.freeze([...new Set([...attachments, ...(responses?.attachments ?? [])])]),
        embeddings: !!embeddings,
      });
    }),
  );
}
