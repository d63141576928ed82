/** Questions that experiments with the same cache are asking, so that equal ones are asked once. */

import { unlessAborted } from "../../../core/abort.js";
import { Deadline } from "../../../core/platform/deadline.js";
import { POLL_MS } from "../../../core/platform/queue.js";
import { type Work, WorkInProgress } from "../../../core/platform/work-in-progress.js";
import type { Completion } from "../../../openevals.types.js";
import type { Cache, CacheMode } from "./types.js";

/** An answer, and whether it comes from a model or from the cache. */
export interface Obtained {
  answer: Completion;
  isFresh: boolean;
}

/** A question that an experiment is asking. */
interface OpenQuestion extends Work {
  ended: Promise<void>;
  answer?: Completion;
}

const byCache = new WeakMap<Cache, OpenQuestions>();

export class OpenQuestions {
  /** Used answers that are not written yet. */
  readonly used = new Map<string, Completion>();
  readonly #byKey = new Map<string, OpenQuestion>();
  readonly #open = new WorkInProgress<OpenQuestion>(() => {});

  /** Those of a cache. `record` asks again what others have asked, so it has its own. */
  static of(cache: Cache, mode: CacheMode): OpenQuestions {
    const shared = mode === "auto" ? byCache.get(cache) : undefined;
    const questions = shared ?? new OpenQuestions();
    if (mode === "auto") byCache.set(cache, questions);
    return questions;
  }

  /**
   * Waits for another experiment that asks the question. If that fails, or no experiment asks it, asks it here.
   *
   * @param wait Waits for something that another experiment does.
   * @param signal Ends the question, also if the judge is a function that never answers.
   */
  async ask(
    key: string,
    obtain: () => Promise<Obtained>,
    wait: (work: Promise<unknown>) => Promise<unknown>,
    signal: AbortSignal | undefined,
  ): Promise<Obtained> {
    for (let other = this.#byKey.get(key); other && this.#open.has(other); other = this.#byKey.get(key)) {
      // Looks again now and then, as the other experiment may be of an edge function that has ended silently.
      const deadline = new Deadline(POLL_MS);
      await wait(deadline.race(other.ended)).finally(() => deadline.stop());
      this.#open.check();
      if (other.answer) return { answer: other.answer, isFresh: false };
    }
    const obtaining = unlessAborted(signal, obtain);
    const nothing = () => {};
    const own = this.#open.begin({ ended: obtaining.then(nothing, nothing) });
    this.#byKey.set(key, own);
    try {
      const obtained = await obtaining;
      own.answer = obtained.answer;
      return obtained;
    } finally {
      own.end();
      if (this.#byKey.get(key) === own) this.#byKey.delete(key);
    }
  }
}
