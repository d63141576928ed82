/** Checks and sources for the tests of guards. */
import type { GuardFailure } from "openevals-wasm/checks";

type Row = { outputs: string };
type Seen = string | number | undefined;

/**
 * A check that forbids a text, and can fail early. Defined here to test guards apart from the package's
 * checks.
 */
export function forbids(forbidden: string) {
  const heldOf = (text: string): number => {
    for (let length = Math.min(forbidden.length - 1, text.length); length > 0; length--)
      if (text.endsWith(forbidden.slice(0, length))) return length;
    return 0;
  };
  const check = async ({ outputs }: Row) => {
    const score = !outputs.includes(forbidden);
    return { key: "forbids", score, ...(!score && { comment: `has ${forbidden}` }) };
  };
  return Object.assign(check, {
    key: "forbids",
    watch: () => {
      let text = "";
      return (piece: string): Seen => {
        text += piece;
        return text.includes(forbidden) ? `has ${forbidden}` : heldOf(text);
      };
    },
  });
}

/** A check that only decides at the end. */
export const endsWith = (end: string) =>
  function ends_well({ outputs }: Row) {
    return outputs.endsWith(end);
  };

export const streamOf = <Chunk>(chunks: readonly Chunk[]): ReadableStream<Chunk> =>
  new ReadableStream({
    start(controller) {
      for (const chunk of chunks) controller.enqueue(chunk);
      controller.close();
    },
  });

export async function* iterableOf<Chunk>(chunks: readonly Chunk[]): AsyncGenerator<Chunk> {
  yield* chunks;
}

/** A source that emits a chunk on request, and counts; it can end, hang or fail. */
export function counting<Chunk>(chunks: readonly Chunk[], end: "close" | "hang" | Error = "close") {
  const seen = { pulled: 0, cancelled: undefined as unknown, cancels: 0 };
  const stream = new ReadableStream<Chunk>(
    {
      pull(controller) {
        const chunk = chunks[seen.pulled];
        if (chunk !== undefined) {
          seen.pulled++;
          controller.enqueue(chunk);
        } else if (end === "close") controller.close();
        else if (end !== "hang") controller.error(end);
        else return new Promise<void>(() => {});
      },
      cancel(reason) {
        seen.cancels++;
        seen.cancelled = reason;
      },
    },
    { highWaterMark: 0 },
  );
  return { stream, seen };
}

export async function chunksOf<Chunk>(stream: AsyncIterable<Chunk>): Promise<Chunk[]> {
  const chunks: Chunk[] = [];
  for await (const chunk of stream) chunks.push(chunk);
  return chunks;
}

export async function textOf(stream: AsyncIterable<string>): Promise<string> {
  return (await chunksOf(stream)).join("");
}

export const bytes = new TextEncoder();
export const bytesTextOf = async (stream: AsyncIterable<Uint8Array>) =>
  new TextDecoder("utf-8", { ignoreBOM: true }).decode(Buffer.concat(await chunksOf(stream)));

export const keys = (failures: readonly GuardFailure[]) => failures.map(({ key }) => key);
export const tick = () => new Promise((resolve) => setImmediate(resolve));
