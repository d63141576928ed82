/** Rankings and relevance as they cross. */

import { TextEncoder } from "../../core/platform/text-coding.js";

/** Rows on their way into the engine: all ids as one text, and how many each row has. */
export class CrossingRows {
  /** Of each row first the ids that were found, then those that were judged. */
  readonly ids = new CrossingIds();
  /** How many documents each row has found. */
  readonly retrieved: number[] = [];
  /** How many documents of each row were judged. */
  readonly judged: number[] = [];
  /** The score of each document found; NaN where they are ranked as they stand. */
  readonly scores: number[] = [];
  /** The relevance of each document that was judged. */
  readonly relevance: number[] = [];
}

/**
 * Ids as one text, in UTF-8 and with a line feed after each, which keeps halves of pairs apart. Each is written where it is
 * read: ids are short, and many, so that a list of them and joining it would take longer than all else.
 */
class CrossingIds {
  /** How long each is, in UTF-16 code units. */
  readonly lengths: number[] = [];
  /** How many characters they have together. */
  size = 0;
  #bytes = new Uint8Array(1 << 10);
  #end = 0;

  get bytes(): Uint8Array {
    return this.#bytes.subarray(0, this.#end);
  }

  add(id: string): void {
    this.lengths.push(id.length);
    this.size += id.length;
    // No code unit takes more than three bytes.
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
