/** Splits bytes that arrive in chunks into lines of text. */

import { invalidInput, type OpenEvalsError } from "../../../core/errors.js";
import { TextDecoder } from "../../../core/platform/text-coding.js";

/** Consecutive lines. */
export interface Lines {
  /** Each ends with a line feed, except perhaps the last line of all. */
  text: string;
  /** The number of the first line, from 1. */
  first: number;
}

const LINE_FEED = 0x0a;

/** The length limit of a line, in bytes. */
export const MAX_LINE = 128 * 1024 * 1024;

export const TOO_LONG = `is longer than ${MAX_LINE / 1024 / 1024} MB, the limit for one row`;

/** Splits bytes at line feeds. A line feed byte is never part of a longer character. */
export class LineSplitter {
  readonly #name: string;
  readonly #onTooLong: (() => void) | undefined;
  /** The beginning of an incomplete line. */
  #begun: Uint8Array[] = [];
  #begunBytes = 0;
  #isSkipping = false;
  #next = 1;

  /**
   * @param name The name of the text in messages.
   * @param onTooLong Called for a line that is too long, which is then skipped; by default it is an error.
   */
  constructor(name: string, onTooLong?: () => void) {
    this.#name = name;
    this.#onTooLong = onTooLong;
  }

  /** The number of bytes after the last line feed. */
  get begunBytes(): number {
    return this.#begunBytes;
  }

  /** The lines that these bytes complete, if any. */
  push(chunk: Uint8Array): Lines | undefined {
    const end = chunk.lastIndexOf(LINE_FEED) + 1;
    if (end === 0) {
      this.#begin(chunk);
      return undefined;
    }
    if (this.#isSkipping) {
      this.#isSkipping = false;
      this.#begunBytes = 0;
      this.#next++;
      return this.push(chunk.subarray(chunk.indexOf(LINE_FEED) + 1));
    }
    const whole = this.#joined(chunk.subarray(0, end));
    this.#begin(chunk.subarray(end));
    return this.#lines(whole);
  }

  /** The bytes after the last line feed. */
  rest(): Uint8Array {
    return this.#joined(new Uint8Array());
  }

  /** The last line, if no line feed ends it. */
  last(): Lines | undefined {
    const rest = this.rest();
    return rest.length ? this.#lines(rest) : undefined;
  }

  #begin(chunk: Uint8Array): void {
    if (!chunk.length) return;
    this.#begunBytes += chunk.length;
    if (this.#isSkipping) return;
    // The reader may reuse the memory for the next bytes.
    this.#begun.push(chunk.slice());
    if (this.#begunBytes <= MAX_LINE) return;
    if (this.#onTooLong) {
      this.#onTooLong();
      this.#begun = [];
      this.#isSkipping = true;
      return;
    }
    throw invalidInput(`${this.#name}:${this.#next} ${TOO_LONG}`);
  }

  #joined(end: Uint8Array): Uint8Array {
    if (!this.#begun.length) return end;
    const joined = new Uint8Array(this.#begunBytes + end.length);
    let length = 0;
    for (const part of [...this.#begun, end]) {
      joined.set(part, length);
      length += part.length;
    }
    this.#begun = [];
    this.#begunBytes = 0;
    return joined;
  }

  #lines(bytes: Uint8Array): Lines {
    const first = this.#next;
    const text = utf8(bytes);
    if (text === undefined) throw this.#notUtf8(bytes);
    for (let at = bytes.indexOf(LINE_FEED); at >= 0; at = bytes.indexOf(LINE_FEED, at + 1)) this.#next++;
    // The byte order mark is not part of the text.
    return { text: first === 1 && text.startsWith("\ufeff") ? text.slice(1) : text, first };
  }

  /** In other encodings, different letters would become the same one. */
  #notUtf8(bytes: Uint8Array): OpenEvalsError {
    let line = this.#next;
    for (let start = 0; ; line++) {
      const end = bytes.indexOf(LINE_FEED, start);
      if (end < 0 || utf8(bytes.subarray(start, end)) === undefined) break;
      start = end + 1;
    }
    return invalidInput(`${this.#name}:${line} is not UTF-8. Save the file as UTF-8`);
  }
}

const decoder = /* @__PURE__ */ new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/** The text of bytes; `undefined` if they are not UTF-8. */
export function utf8(bytes: Uint8Array): string | undefined {
  try {
    return decoder.decode(bytes);
  } catch {
    return undefined;
  }
}
