/** Where a stream that is guarded comes from: its chunks as text, whatever they are. */

import { invalidInput, typedReading } from "../../../core/errors.js";
import { show } from "../../../core/input/checks.js";
import { TextDecoder, TextEncoder } from "../../../core/platform/text-coding.js";

/** As much of a `ReadableStream` as is read of it: runtimes and packages have types of their own for it. */
export interface Readable<Chunk> {
  getReader(): {
    read(): Promise<{ done: boolean; value?: Chunk | undefined }>;
    cancel(reason?: any): Promise<void>;
  };
}

/** A stream of chunks, in either form. */
export type Source<Chunk> = Readable<Chunk> | AsyncIterable<Chunk>;

export const isReadable = (value: unknown): value is Readable<unknown> =>
  typeof (value as Partial<Readable<unknown>> | null)?.getReader === "function";

export const isSource = (value: unknown): value is Source<unknown> =>
  isReadable(value) ||
  typeof (value as Partial<AsyncIterable<unknown>> | null)?.[Symbol.asyncIterator] === "function";

/** Reads a source as text. */
export class SourceText {
  readonly #next: () => Promise<{ done?: boolean | undefined; value?: unknown }>;
  readonly #cancel: (reason: unknown) => unknown;
  // A mark of the byte order is part of the text.
  readonly #decoder = new TextDecoder("utf-8", { ignoreBOM: true });
  /** Whether what came last were bytes; of a stream that nothing has come of yet, whether it is made for them. */
  #isBytes: boolean;
  /** Half of a character whose other half is still to come. */
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

  /** The next piece, which ends with a whole character; may be empty. `isLast` where no more comes. */
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
        `A chunk of the answer is ${show(chunk)}; a stream that is guarded is one of texts or of bytes`,
      );
    this.#isBytes = true;
    return this.#decoder.decode(chunk, { stream: true });
  }

  /** A text in the form in which the source has it. */
  chunkOf(text: string): string | Uint8Array {
    return this.#isBytes ? new TextEncoder().encode(text) : text;
  }

  /** Says that no more is wanted. */
  async cancel(reason: unknown): Promise<void> {
    await this.#cancel(reason);
  }
}

/** Whether a text ends in the first half of a surrogate pair. */
export const endsInHalf = (text: string): boolean => (text.charCodeAt(text.length - 1) & 0xfc00) === 0xd800;

function isForBytes(stream: Readable<unknown>): boolean {
  try {
    // Only streams that are made for bytes have such a reader.
    (stream as unknown as ReadableStream).getReader({ mode: "byob" }).releaseLock();
    return true;
  } catch {
    return false;
  }
}
