/** Where the rows of an experiment go as they finish. */

import { callbackFailed } from "../../../core/errors.js";
import type { AnyWritableStream } from "../../../core/platform/globals.js";
import { onUse } from "../../../core/platform/on-use.js";
import type { ExperimentRow } from "../../../core/records/types.js";
import type { Plan } from "../options.js";
import { unlessAborted } from "../rows/pool.js";
import type { Results } from "../rows/results.js";
import type { Heading, OpenSink } from "./types.js";

/**
 * Opens the sink of a plan; the results get what it holds already.
 *
 * @throws {@link OpenEvalsError} `invalid_config` for a file that cannot be written or continued.
 */
export async function openSink(
  plan: Plan,
  results: Results,
  heading: Heading,
): Promise<OpenSink | undefined> {
  const { sink, signal } = plan;
  if (sink === undefined) return undefined;
  if (typeof sink === "string") {
    const { FileSink } = await onUse("The sink for files", () => import("./file.js"));
    return FileSink.open(sink, plan, results, heading);
  }
  return typeof sink === "function" ? functionSink(sink, heading, signal) : streamSink(sink, heading, signal);
}

/** Waits for a sink of the caller's, which may never settle; rejects when the signal aborts. */
function unlessStopped(signal: AbortSignal | undefined, settled: Promise<void>): Promise<void> {
  settled.catch(ignore);
  return unlessAborted(signal, () => settled);
}

function functionSink(
  sink: (row: ExperimentRow) => unknown,
  heading: Heading,
  signal: AbortSignal | undefined,
): OpenSink {
  let last: Promise<unknown> = Promise.resolve();
  return {
    heading,
    write(_position, _finished, row) {
      const written = last.then(() => sink(row));
      // What follows is not called any more, and has failed with the first.
      last = written;
      return written.then(
        () => {},
        (error) => {
          throw callbackFailed("sink", error);
        },
      );
    },
    close: () => unlessStopped(signal, last.then(ignore, ignore)),
  };
}

function streamSink(stream: AnyWritableStream, heading: Heading, signal: AbortSignal | undefined): OpenSink {
  const writer = (stream as { getWriter(): any }).getWriter();
  const failed = (error: unknown) => {
    throw callbackFailed("sink", error);
  };
  // Of a stream that fails, whoever writes or closes is told.
  writer.closed.catch(ignore);
  return {
    heading,
    async write(_position, _finished, row) {
      await writer.ready.catch(failed);
      // When it is written, the stream says by being ready again.
      writer.write(row).catch(ignore);
    },
    close: (_ended, isFailure) =>
      unlessStopped(signal, isFailure ? writer.abort().catch(ignore) : writer.close().catch(failed)),
  };
}

const ignore = (): void => {};
