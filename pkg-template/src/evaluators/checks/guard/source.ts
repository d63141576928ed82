/** Reads the chunks of a guarded stream as text, whether they are strings or bytes. */

import { invalidInput, typedReading } from "../../../core/errors.js";
import { show } from "../../../core/input/checks.js";
import { TextDecoder, TextEncoder } from "../../../core/platform/text-coding.js";

/** The part of `ReadableStream` that is used, since runtimes and packages have their own types for it. */
export interface Readable<Chunk> {
  getReader(): {
    read(): Promise<{ done: boolean; value?: Chunk | undefined }>;
    cancel(reason?: any): Promise<void>;
  };
}

/** A stream of chunks. */
export type Source<Chunk> = Readable<Chunk> | AsyncIterable<Chunk>;

const isReadable = (value: unknown): value is Readable<unknown> =>
  typeof (value as Partial<Readable<unknown>> | null)?.getReader === "function";

export const isSource = (value: unknown): value is Source<unknown> =>
  isReadable(value) ||
  typeof (value as Partial<AsyncIterable<unknown>> | null)?.[Symbol.asyncIterator] === "function";

/** Reads a source as text. */
export class SourceText {
  readonly #next: () => Promise<{ done?: boolean | undefined; value?: unknown }>;
  readonly #cancel: (reason: unknown) => unknown;
  // Drops a byte order mark, as readers do.
  readonly #decoder = new TextDecoder();
  /** Whether the last chunk was bytes; before the first chunk, whether the stream is made for bytes. */
  #isBytes: boolean;
  /** The first half of a surrogate pair, until the second half arrives. */
  #half = "";

  constructor(source: Source<unknown>) {
    this.#isBytes = isReadable(source) && isForBytes(source);
    if (isReadable(source)) {
      const reader = typedReading("guard", () => source.getReader());
      this.#next = () => reader.read();
      this.#cancel = (reason) => reader.cancel(reason);
    } else {
      const iterator = typedReading("guard", () => source[Symbol.asyncIterator]());
      this.#next = () => iterator.next();
      this.#cancel = () => iterator.return?.();
    }
  }

  /** The next piece, which may be empty and never ends within a surrogate pair. */
  async next(): Promise<{ text: string; isLast: boolean }> {
    const { done, value } = await this.#next();
    const text = this.#half + (done ? this.#decoder.decode() : this.#textOf(value));
    const isSplit = !done && endsInHalf(text);
    this.#half = isSplit ? text.slice(-1) : "";
    return { text: isSplit ? text.slice(0, -1) : text, isLast: done === true };
  }

  #textOf(chunk: unknown): string {
    if (typeof chunk === "string") {
      const before = this.#isBytes ? this.#decoder.decode() : "";
      this.#isBytes = false;
      return before + chunk;
    }
    if (!ArrayBuffer.isView(chunk))
      throw invalidInput(
        `A chunk of the answer is ${show(chunk)}; a guarded stream has to consist of strings or bytes`,
      );
    this.#isBytes = true;
    return this.#decoder.decode(chunk, { stream: true });
  }

  /** Converts a text to the form of the source's chunks. */
  chunkOf(text: string): string | Uint8Array {
    return this.#isBytes ? new TextEncoder().encode(text) : text;
  }

  /** Cancels the source. */
  async cancel(reason: unknown): Promise<void> {
    await this.#cancel(reason);
  }
}

/** Whether a text ends in the first half of a surrogate pair. */
export const endsInHalf = (text: string): boolean => (text.charCodeAt(text.length - 1) & 0xfc00) === 0xd800;

function isForBytes(stream: Readable<unknown>): boolean {
  try {
    // Only byte streams have such a reader.
    (stream as unknown as ReadableStream).getReader({ mode: "byob" }).releaseLock();
    return true;
  } catch {
    return false;
  }
}
