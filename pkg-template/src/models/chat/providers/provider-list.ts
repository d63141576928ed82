/** The list of providers, for tools. */

import type { Structure } from "../../../openevals.types.js";
import { aliasesOf } from "../model-name.js";
import type { ProviderName } from "./provider-names.js";
import { PROVIDERS } from "./providers.js";
import type { Attached } from "./types.js";

/** A provider of models, as {@link listProviders} returns it. */
export interface ProviderInfo {
  /** The part of a model's name before the colon: `openai` in `openai:gpt-5.4`. */
  readonly id: string;
  /** Other names for it. In all names, `_` is the same as `-`. */
  readonly aliases: readonly string[];
  /**
   * The default address of its API; `{…}` is an environment variable. If it is missing, the address depends on the region
   * (`bedrock`) or the location (`vertex`), or you have to set it.
   */
  readonly baseURL?: string;
  /** The environment variables with the address of the API. The first that is set is used. */
  readonly baseURLVariables: readonly string[];
  /** The environment variables with a key. The first that is set is used. */
  readonly apiKeyVariables: readonly string[];
  /** Whether it requires a key. `bedrock` also accepts AWS credentials. */
  readonly needsKey: boolean;
  /**
   * How it produces structured output. `schema`: the API enforces the schema. `json_object`: the API enforces JSON, and the
   * prompt has the schema. `prompt`: only the prompt has the schema. If an API turns out to support less, less is requested.
   */
  readonly structuredOutput: Structure;
  /** The attachments that it accepts; `link` is a PDF at an address. Not all of its models accept all of them. */
  readonly attachments: readonly Attached[];
  /** Whether {@link initEmbeddings} supports it. */
  readonly embeddings: boolean;
}

/**
 * The providers of {@link initChatModel} and {@link initEmbeddings}, for tools in which users choose a model or set it up.
 * The list and its entries are frozen.
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
