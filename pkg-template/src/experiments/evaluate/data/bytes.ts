/** Reads bytes from files and streams, compressed or not. */

import { invalidConfig, invalidInput, OpenEvalsError } from "../../../core/errors.js";
import { builtin } from "../../../core/platform/builtin.js";
import { checkIsLocal } from "../../../core/platform/local-path.js";
import { isPipe } from "../../../core/platform/pipe.js";
import { TextEncoder } from "../../../core/platform/text-coding.js";
import { iterated } from "./iterated.js";

/** The size of a chunk of a file. */
const CHUNK = 64 * 1024;

export const NO_FILES = "data can be a path only in a runtime with a file system. Pass a list instead";

/**
 * The bytes of a file. Each chunk is valid until the next one is requested.
 *
 * @param what The name of the file in messages.
 * @throws {@link OpenEvalsError} `invalid_config` in runtimes without a file system, `invalid_input` for a file that cannot be
 * read.
 */
export async function* bytesOfFile(path: string | URL, what = "The data"): AsyncGenerator<Uint8Array> {
  const unreadable = (error: Error & { code?: string }): never => {
    const { code, message } = error;
    let problem = `${what} cannot be read: ${message}`;
    if (code === "EISDIR") problem = `${path} is a folder; name a file.`;
    if (code === "ENOENT") {
      const { isAbsolute, resolve } = builtin("node:path", NO_FILES);
      const folder = typeof path === "string" && !isAbsolute(path) ? ` (in ${resolve()})` : "";
      problem = `There is no file ${path}${folder}.`;
    }
    throw new OpenEvalsError("invalid_input", problem, { cause: error });
  };
  checkIsLocal(path);
  if (await isPipe(path))
    throw invalidInput(`${path} is not a regular file, but a device, a pipe or a socket. Name a file`);
  const { open } = builtin("node:fs/promises", NO_FILES);
  const file = await open(path, "r").catch(unreadable);
  try {
    const chunk = new Uint8Array(CHUNK);
    for (;;) {
      const { bytesRead } = await file.read(chunk, 0, CHUNK, null).catch(unreadable);
      if (!bytesRead) return;
      yield chunk.subarray(0, bytesRead);
    }
  } finally {
    await file.close();
  }
}

/**
 * Decompresses bytes.
 *
 * @param name Their name in messages.
 */
export async function* gunzipped(
  chunks: AsyncIterable<Uint8Array>,
  name: string,
): AsyncGenerator<Uint8Array> {
  if (typeof DecompressionStream === "undefined") {
    throw invalidConfig(
      `${name} is compressed, and this runtime has no DecompressionStream; decompress it first`,
    );
  }
  const source = chunks[Symbol.asyncIterator]();
  let failure: { error: unknown } | undefined;
  const compressed = new ReadableStream<Uint8Array<ArrayBuffer>>({
    async pull(controller) {
      try {
        const { done, value } = await source.next();
        if (done) controller.close();
        else controller.enqueue(value.slice());
      } catch (error) {
        failure = { error };
        controller.error(error);
      }
    },
    async cancel() {
      await source.return?.();
    },
  });
  try {
    yield* iterated(compressed.pipeThrough(new DecompressionStream("gzip")));
  } catch (error) {
    if (failure) throw failure.error;
    const { message } = error as Error;
    throw new OpenEvalsError("invalid_input", `${name} is not valid gzip, or is incomplete: ${message}`, {
      cause: error,
    });
  }
}

/** Encodes texts, and passes bytes on. A text may end between the two halves of a surrogate pair. */
export async function* encoded(pieces: AsyncIterable<unknown>, name: string): AsyncGenerator<Uint8Array> {
  const encoder = new TextEncoder();
  let half = "";
  for await (const piece of pieces) {
    if (half && typeof piece !== "string") {
      yield encoder.encode(half);
      half = "";
    }
    if (typeof piece === "string") {
      const text = half + piece;
      half = /[\ud800-\udbff]$/.exec(text)?.[0] ?? "";
      yield encoder.encode(half ? text.slice(0, -1) : text);
    } else if (piece instanceof Uint8Array) yield piece;
    else if (piece instanceof ArrayBuffer) yield new Uint8Array(piece);
    else throw invalidInput(`${name} has a chunk that is neither bytes nor text`);
  }
  if (half) yield encoder.encode(half);
}
