/** The types of an experiment's cache. */

/** A store of answers: a `Map`, a key-value store, {@link directoryCache}. Keys are 64 hexadecimal digits. */
export interface Cache {
  /**
   * Returns the stored text, or a promise of it; `undefined` or `null` if there is none. If it takes longer than 10 seconds, it is
   * not called again: `auto` requests the answers and prints a warning, and `replay` fails with `callback_failed`.
   */
  get(key: string): unknown;
  /**
   * Stores a text, and may return a promise. If it fails or takes longer than 10 seconds, the scores remain valid, and a warning
   * is printed once.
   */
  set(key: string, value: string): unknown;
}

/**
 * - `auto`: missing answers are requested and stored.
 * - `record`: all answers are requested and stored.
 * - `replay`: nothing is requested, and a missing answer is an error.
 */
export type CacheMode = "auto" | "record" | "replay";
