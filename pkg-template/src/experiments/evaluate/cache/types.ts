/** The types of an experiment's cache. */

/** A store of answers: a `Map`, a key-value store, {@link directoryCache}. Keys are 64 hexadecimal digits. */
export interface Cache {
  /**
   * Returns the stored text or its parsed JSON, or a promise of it; `undefined` or `null` if there is none. If it fails, `auto`
   * requests the answer and prints a warning once, and `replay` fails with `callback_failed`. If it takes longer than 10 seconds,
   * it is not called again.
   */
  get(key: string): unknown;
  /**
   * Stores a text, and may return a promise. If it fails or takes longer than 10 seconds, the scores remain valid, and a warning
   * is printed once.
   */
  set(key: string, value: string): unknown;
}

/**
 * - `auto`: missing answers are requested and stored, and damaged ones replaced.
 * - `record`: all answers are requested and stored.
 * - `replay`: nothing is requested, and a missing answer is an error.
 */
export type CacheMode = "auto" | "record" | "replay";
