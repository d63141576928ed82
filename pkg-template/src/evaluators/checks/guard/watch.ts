/** Watches a streaming text: which part is clean, and what fails. */

import { inPlace } from "../../../core/errors.js";
import { watchOf } from "../combining/combination.js";
import { endsInHalf } from "./source.js";
import { checkName, failureOf, type Guard, type GuardFailure } from "./verdict.js";

/** The text of a stream so far. */
export class WatchedText {
  /** The text that was passed on. */
  sent = "";
  /** The whole text. */
  whole = "";
  /** The failures so far. */
  readonly failures: GuardFailure[] = [];
  /** The text that is held back. */
  #held = "";
  readonly #holds: boolean;
  readonly #watches: { name: string; watch(piece: string): string | number | undefined }[] = [];

  constructor({ checks, holds }: Guard) {
    this.#holds = holds;
    checks.forEach((check, index) => {
      const name = checkName(check, index);
      const open = watchOf(check);
      if (!open) {
        this.#watches.push({ name, watch: () => undefined });
        return;
      }
      try {
        this.#watches.push({ name, watch: open() });
      } catch (thrown) {
        this.failures.push(failureOf(name, inPlace(name, thrown)));
      }
    });
  }

  /** Takes a piece; returns the text to pass on, which is empty after a failure. */
  take(piece: string): string {
    this.whole += piece;
    this.#held += piece;
    // A check that needs the whole text holds back everything, unless its failures are only reported.
    const unknown = this.#holds ? this.#held.length : 0;
    let held = 0;
    for (const { name, watch } of this.#watches) {
      try {
        const seen = watch(piece);
        if (typeof seen === "string") this.failures.push({ key: name, comment: seen });
        else held = Math.max(held, seen ?? unknown);
      } catch (thrown) {
        this.failures.push(failureOf(name, inPlace(name, thrown)));
      }
    }
    return this.failures.length ? "" : this.#release(this.#held.length - held);
  }

  /** Releases the rest, after all checks have passed. */
  rest(): string {
    return this.#release(this.#held.length);
  }

  #release(length: number): string {
    if (!(length > 0)) return "";
    const text = this.#held.slice(0, length);
    const clean = text.length < this.#held.length && endsInHalf(text) ? text.slice(0, -1) : text;
    this.#held = this.#held.slice(clean.length);
    this.sent += clean;
    return clean;
  }
}
