/** Watches a text that arrives: what of it is clean, and what fails. */

import { inPlace } from "../../../core/errors.js";
import { watchOf } from "../combining/combination.js";
import { endsInHalf } from "./source.js";
import { checkName, failureOf, type Guard, type GuardFailure } from "./verdict.js";

/** The text of a stream, as far as it has come. */
export class WatchedText {
  /** What has been handed on. */
  sent = "";
  /** All of it. */
  whole = "";
  /** What failed. */
  readonly failures: GuardFailure[] = [];
  /** What has not been handed on. */
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

  /** Takes a piece; returns what may be handed on, unless there are failures now. */
  take(piece: string): string {
    this.whole += piece;
    this.#held += piece;
    // Whoever knows no number holds back all, or, where failures are only reported, nothing.
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

  /** All that is held back, which turned out to be clean. */
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
