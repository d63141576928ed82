/** Reads answers. This module imports no engine, so that the bindings can import it. */

import type { Deadline } from "./deadline.js";
import { TextDecoder } from "./text-coding.js";

/** The default of `maxResponseBytes`: far more than the answer of a judge or a hundred vectors. */
export const MAX_ANSWER_LENGTH = 8_000_000;

/** The response of a `fetch`, which may be the caller's: the body may be missing, or be another kind of stream. */
interface FetchedResponse {
  readonly bodyUsed?: boolean;
  readonly body?: { getReader?(): ReadableStreamDefaultReader<Uint8Array> } | null;
  text(): Promise<unknown>;
}

/** The text of a response, as far as it was received. */
export class Body {
  /** Whether the response exceeds the limit. */
  isTooLong = false;
  #text = "";
  /** The last piece, decoded when the next one arrives: a short response has only one, which is decoded faster. */
  #last: Uint8Array | undefined;
  readonly #decoder = new TextDecoder();

  /**
   * Reads at most `limit` bytes of the response, after decompression. Resolves to the deadline if the time is over before
   * the end.
   */
  async read(answer: FetchedResponse, limit: number, deadline: Deadline): Promise<Deadline | undefined> {
    const reader = answer.bodyUsed ? undefined : answer.body?.getReader?.();
    if (!reader) {
      const text = await answer.text();
      if (typeof text !== "string") throw new TypeError("the text of the answer is not a string");
      this.isTooLong = text.length > limit;
      this.#text = text.slice(0, limit);
      return undefined;
    }
    deadline.onCancel(() => reader.cancel());
    for (let left = limit; ; ) {
      const { done, value } = await reader.read();
      if (done) return undefined;
      if (deadline.isPast) return deadline;
      if (this.#last) this.#text += this.#decoder.decode(this.#last, { stream: true });
      this.isTooLong = value.byteLength > left;
      this.#last = this.isTooLong ? value.subarray(0, left) : value;
      if (this.isTooLong) return undefined;
      left -= value.byteLength;
    }
  }

  /** The text, decoded from UTF-8 as by `Response.text()`, without a character that was cut off. */
  text(): string {
    return this.#text + this.#decoder.decode(this.#last, { stream: this.isTooLong });
  }
}
