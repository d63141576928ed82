/** Rankings and relevance in the form for the engine. */

import { TextEncoder } from "../../core/platform/text-coding.js";

/** The rows for the engine: all ids as one text, and their numbers in each row. */
export class CrossingRows {
  /** The ids of all rows: for each row the retrieved documents, then the judged ones. */
  readonly ids = new CrossingIds();
  /** The number of retrieved documents of each row. */
  readonly retrieved: number[] = [];
  /** The number of judged documents of each row. */
  readonly judged: number[] = [];
  /** The score of each retrieved document; NaN if they are ranked by position. */
  readonly scores: number[] = [];
  /** The relevance of each judged document. */
  readonly relevance: number[] = [];
}

/**
 * Ids as one UTF-8 text, each with a line feed, which keeps surrogates of adjacent ids from forming a pair. Each id is
 * encoded immediately: they are short and many, so joining a list of them would take longer than everything else.
 */
class CrossingIds {
  /** The length of each id in UTF-16 code units. */
  readonly lengths: number[] = [];
  /** The total length in UTF-16 code units. */
  size = 0;
  #bytes = new Uint8Array(1 << 10);
  #end = 0;

  get bytes(): Uint8Array {
    return this.#bytes.subarray(0, this.#end);
  }

  add(id: string): void {
    this.lengths.push(id.length);
    this.size += id.length;
    // A code unit takes at most three bytes.
    if (this.#end + 3 * id.length >= this.#bytes.length) this.#grow(3 * id.length);
    const start = this.#end;
    const bytes = this.#bytes;
    let end = start;
    for (let index = 0; index < id.length; index++) {
      const unit = id.charCodeAt(index);
      if (unit >= 0x80) {
        end = start + encoder.encodeInto(id, bytes.subarray(start)).written;
        break;
      }
      bytes[end++] = unit;
    }
    bytes[end++] = LINE_FEED;
    this.#end = end;
  }

  #grow(least: number): void {
    const larger = new Uint8Array(2 * this.#bytes.length + least);
    larger.set(this.bytes);
    this.#bytes = larger;
  }
}

const encoder = /* @__PURE__ */ new TextEncoder();
const LINE_FEED = 10;
