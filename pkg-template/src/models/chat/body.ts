/** Reads answers. This module imports nothing, so that the bindings can import it. */

import type { Alarm } from "../../core/platform/alarm.js";
import { TextDecoder } from "../../core/platform/text-coding.js";

/** How long an answer may be, if nothing else is said: far longer than any judge's or a hundred vectors. */
export const MOST_OF_AN_ANSWER = 8_000_000;

/** What a `fetch` of the caller's may resolve to: the body may be missing, or a stream of another kind. */
interface FetchedResponse {
  readonly bodyUsed?: boolean;
  readonly body?: { getReader?(): ReadableStreamDefaultReader<Uint8Array> } | null;
  text(): Promise<unknown>;
}

/** The text of an answer, as far as it has come. */
export class Body {
  /** Whether the answer is longer than it may be. */
  isTooLong = false;
  #text = "";
  /** Not decoded before it is known whether more comes: of short answers it is all, and then that is quicker. */
  #last: Uint8Array | undefined;
  readonly #decoder = new TextDecoder();

  /**
   * Reads the answer, and no more of it than `limit` bytes: what they are after decompression. Resolves to the alarm if
   * the time is over before the end.
   */
  async read(answer: FetchedResponse, limit: number, alarm: Alarm): Promise<Alarm | undefined> {
    const reader = answer.bodyUsed ? undefined : answer.body?.getReader?.();
    if (!reader) {
      const text = await answer.text();
      if (typeof text !== "string") throw new TypeError("the text of the answer is no string");
      this.isTooLong = text.length > limit;
      this.#text = text.slice(0, limit);
      return undefined;
    }
    alarm.onHangUp(() => reader.cancel());
    for (let left = limit; ; ) {
      const { done, value } = await reader.read();
      if (done) return undefined;
      if (alarm.isOver) return alarm;
      if (this.#last) this.#text += this.#decoder.decode(this.#last, { stream: true });
      this.isTooLong = value.byteLength > left;
      this.#last = this.isTooLong ? value.subarray(0, left) : value;
      if (this.isTooLong) return undefined;
      left -= value.byteLength;
    }
  }

  /** The text: UTF-8, read as `Response.text()` does. The bytes of a character that was cut off are left out. */
  text(): string {
    return this.#text + this.#decoder.decode(this.#last, { stream: this.isTooLong });
  }
}
