/** The options of a cache of answers. */

import { invalidConfig } from "../../../core/errors.js";
import { check, type OptionChecks, oneOf } from "../../../core/input/checks.js";
import type { Cache, CacheMode } from "./types.js";

/** Where the answers of judges are kept. */
export interface CacheOptions {
  /**
   * Keeps the answers of the judges: a `Map`, a key-value store, {@link directoryCache}, or another object with `get` and `set`.
   * Two questions are the same if the model, its address, settings and headers, the messages, the schema of the answer and the
   * repetition are the same; secrets are left out. Set the judge's `cacheKey` for a function, or for a model without a name and
   * an address: without it, such a judge is asked every time, and fails with `invalid_config` in `replay`.
   *
   * It also keeps the vectors of embeddings, for each model and text. Functions, and objects without a `model`, are called every
   * time, also in `replay`.
   *
   * Only answers and vectors that led to a result are kept. Results whose answers all come from the cache have `cached: true` in their
   * `metadata`, with the `usage` of the original calls. Runtimes without `AsyncLocalStorage`, such as browsers, call evaluators
   * one after the other while there is a cache.
   */
  cache?: Cache | undefined;
  /**
   * How the cache is used. `auto` (the default) asks the model for answers that the cache does not have. `record` asks
   * everything again, each question once, and keeps the answers. `replay` never asks, and needs neither a key nor a
   * network: an answer that is not in the cache is a failure of the evaluator, with the code `cache_miss`.
   */
  cacheMode?: CacheMode | undefined;
}

export const CACHE_OPTIONS: OptionChecks<CacheOptions> = {
  cache: check("an object with get and set", (store) => {
    return typeof store?.get === "function" && typeof store?.set === "function";
  }),
  cacheMode: oneOf(["auto", "record", "replay"]),
};

/** @throws {@link OpenEvalsError} `invalid_config` for a replay without a cache. */
export function checkReplay({ cache, cacheMode }: CacheOptions): void {
  if (cacheMode === "replay" && !cache)
    throw invalidConfig(
      'judges.cacheMode is "replay", which needs a cache with the answers. Pass one, such as judges: { cache: directoryCache("answers"), cacheMode: "replay" }',
    );
}
