/** Types of the cache of an experiment. */

/** What keeps answers: a `Map`, a key-value store, {@link directoryCache}. Keys are 64 hexadecimal digits. */
export interface Cache {
  /** What was set; `undefined` or `null` if nothing was. */
  get(key: string): unknown;
  /** Keeps a text. What it returns is waited for. If it fails, the scores stand, and a warning is printed once. */
  set(key: string, value: string): unknown;
}

/**
 * - `auto`: what the cache does not have is asked for, and kept;
 * - `record`: everything is asked for, and kept;
 * - `replay`: nothing is asked for; what the cache does not have is an error.
 */
export type CacheMode = "auto" | "record" | "replay";
