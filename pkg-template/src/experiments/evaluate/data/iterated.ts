/** Reads streams. Separate from `file.ts`, which is loaded on use. */

/** The chunks of a stream, also in runtimes whose streams are not iterable. */
export async function* iterated<Item>(
  stream: AsyncIterable<Item> | Iterable<Item> | { getReader(): any },
): AsyncGenerator<Item> {
  if (Symbol.asyncIterator in stream || Symbol.iterator in stream) {
    yield* stream;
    return;
  }
  const reader = stream.getReader();
  let isDone = false;
  try {
    for (;;) {
      const { done, value } = await reader.read();
      isDone = done;
      if (done) return;
      yield value;
    }
  } finally {
    if (!isDone) await reader.cancel();
    reader.releaseLock();
  }
}
