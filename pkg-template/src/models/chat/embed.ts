/** Asks embeddings models of this package. Separate from them, so that a cache does not load them. */

import type { TokenUsage } from "../../core/records/usage.js";
import type { EmbeddingsModel } from "./embeddings.js";

/** The usage of a request for embeddings, in the form of a result's metadata. A type, so that it is also a record. */
export type EmbeddingUsage = {
  /** The model as it was given: `openai:text-embedding-3-small`. */
  model: string;
  /** The tokens of the texts, if the provider reports them. */
  usage?: TokenUsage;
  /** The number of requests sent, including retries. */
  attempts: number;
  /** Whether the vectors are from the cache of an experiment. */
  cached?: true;
};

/** The vectors of texts, in their order. */
export interface Embedded {
  /** Those of functions and of other packages are not checked. */
  vectors: readonly unknown[];
  /** What each request used, if it is known. It is not for functions and other packages. */
  used: readonly EmbeddingUsage[];
}

/** Asks an embeddings model for the vectors of texts. */
export type Embed = (texts: readonly string[]) => Promise<Embedded>;

/**
 * The name of the method that embeds texts. A symbol, because there may be two copies of the class.
 *
 * @internal
 */
export const EMBED = /* @__PURE__ */ Symbol.for("openevals-wasm.embed");

/**
 * The function that asks an embeddings model of this package; `undefined` for anything else.
 *
 * @internal
 */
export const embedOf = (embeddings: unknown): Embed | undefined =>
  (Object(embeddings) as Partial<EmbeddingsModel>)[EMBED]?.bind(embeddings);
