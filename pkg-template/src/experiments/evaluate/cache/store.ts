/** The store of a cache, with its time limits. */

import { callbackFailed, invalidInput, reasonOf } from "../../../core/errors.js";
import { show } from "../../../core/input/checks.js";
import { parseJson } from "../../../core/input/json/parse-json.js";
import { hideKeys } from "../../../core/input/secrets/keys.js";
import { Deadline } from "../../../core/platform/deadline.js";
import { callUserFunction } from "../../../core/user-function.js";
import type { Cache, CacheMode } from "./types.js";

/** The time that `get` and `set` may take. */
const MAX_MS = 10_000;
const TOO_SLOW = `it took longer than ${MAX_MS / 1000} seconds`;

/** The kind of the answers of a question. */
export interface AnswerKind<Question, Answer> {
  /** Its name in errors, with an article. */
  name: string;
  /** The text in a question that identifies it for readers. */
  textOf(question: Question): unknown;
  isAnswer(value: unknown): value is Answer;
}

/** Reads and writes answers, each with its question. */
export class Store {
  readonly #cache: Cache;
  readonly #mode: CacheMode;
  /** The problems that were warned of. */
  readonly #warned = new Set<string>();
  /** How long to wait for `set`: not at all after it was too slow once, or each row would wait. */
  #patienceMs = MAX_MS;
  /** Whether `get` was too slow once. It is not called again, or each row would wait. */
  #isUnreadable = false;
  /** Entries that are not stored yet, or could not be. They answer equal questions of this experiment. */
  readonly #unstored = new Map<string, string>();
  /** The entries that this experiment stored, with `record`: it asks each question once, so that a replay gives the same results. */
  readonly #recorded = new Set<string>();

  constructor(cache: Cache, mode: CacheMode) {
    this.#cache = cache;
    this.#mode = mode;
  }

  /** The stored answer. A file may have got the name of another, such as in a merge of branches. */
  async find<Question, Answer>(
    key: string,
    question: Question,
    { name, textOf, isAnswer }: AnswerKind<Question, Answer>,
  ): Promise<Answer | undefined> {
    const found = await this.#get(key);
    if (found === undefined || found === null) return undefined;
    // Some key-value stores parse JSON.
    const { answer, ...asked } = Object(typeof found === "string" ? parseJson(found) : found);
    if (!isAnswer(answer)) {
      const damaged = invalidInput(`The cache entry ${key} is not ${name}: ${shownEntry(found)}. Delete it`);
      if (this.#mode === "replay") throw damaged;
      // A file may be empty or incomplete after a power cut. The new answer replaces it.
      this.#warn("has damaged entries, so their answers are requested again", damaged.message);
      return undefined;
    }
    if (JSON.stringify(asked) === JSON.stringify(question)) return answer;
    throw invalidInput(
      `The cache entry ${key} has the answer to another question: ${show(textOf(question))} was asked. Delete it`,
    );
  }

  /** Stores the text of an entry. A paid answer counts even if it was not stored, so this only warns. */
  async set(key: string, text: () => string): Promise<void> {
    const deadline = new Deadline(this.#patienceMs);
    try {
      if ((await deadline.race(this.#store(key, text()))) !== deadline) return;
      this.#patienceMs = 0;
      throw new Error(TOO_SLOW);
    } catch (error) {
      this.#warn(
        "did not store some answers, so the next run will request them again",
        failedIn("set", error),
      );
    } finally {
      deadline.stop();
    }
  }

  async #store(key: string, text: string): Promise<void> {
    this.#unstored.set(key, text);
    await this.#cache.set(key, text);
    this.#unstored.delete(key);
    if (this.#mode === "record") this.#recorded.add(key);
  }

  /** Reads an entry. An answer that cannot be read is requested again, except in `replay`. */
  async #get(key: string): Promise<unknown> {
    const unstored = this.#unstored.get(key);
    if (unstored !== undefined) return unstored;
    if (this.#mode === "record" && !this.#recorded.has(key)) return undefined;
    const isReplay = this.#mode === "replay";
    if (!this.#isUnreadable) {
      const deadline = new Deadline(MAX_MS);
      try {
        const getting = callUserFunction("cache.get", () => this.#cache.get(key));
        const found = await deadline.race(getting);
        if (found !== deadline) return found;
        this.#isUnreadable = true;
      } catch (error) {
        if (isReplay) throw error;
        const { cause } = Object(error);
        this.#warn("did not return some answers, so they are requested again", failedIn("get", cause));
        return undefined;
      } finally {
        deadline.stop();
      }
    }
    if (isReplay)
      throw callbackFailed("cache.get", new Error(`${TOO_SLOW}, so the cache is not read any more`));
    this.#warn("is not read any more, so its answers are requested again", `cache.get failed: ${TOO_SLOW}`);
    return undefined;
  }

  /** Warns once of each problem. */
  #warn(problem: string, reason: string): void {
    if (this.#warned.has(problem)) return;
    this.#warned.add(problem);
    console.warn(`openevals-wasm: the cache ${problem}: ${hideKeys(reason)}`);
  }
}

const failedIn = (method: "get" | "set", error: unknown): string =>
  `cache.${method} failed: ${reasonOf(error)}`;

/** An entry in a message. It has no secrets, so that fields such as `cacheKey` need not be hidden. */
function shownEntry(entry: unknown): string {
  try {
    return JSON.stringify(entry).slice(0, 200);
  } catch {
    return show(entry);
  }
}
