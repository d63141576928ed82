/** Where the rows of an experiment go as they finish. */

import { unlessAborted } from "../../../core/abort.js";
import { callbackFailed, invalidConfig } from "../../../core/errors.js";
import { ownCopy } from "../../../core/input/own-copy.js";
import type { AnyWritableStream } from "../../../core/platform/globals.js";
import { onUse } from "../../../core/platform/on-use.js";
import type { ExperimentRow } from "../../../core/records/types.js";
import type { Plan } from "../options/plan.js";
import type { Results } from "../rows/results.js";
import type { Heading, OpenSink } from "./types.js";

/**
 * Opens the sink of a plan, and adds the rows of an earlier run to the results.
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
  if (typeof sink === "function") return functionSink(sink, heading, signal);
  return streamSink(await writerOf(sink), heading, signal);
}

/** Waits for a sink of the caller, which may never settle; rejects when the signal aborts. */
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
  const lost: ExperimentRow[] = [];
  return {
    heading,
    lost: () => lost,
    rowFinished(row) {
      const written = last.then(() => sink(ownCopy(row)));
      // Calls after a failure are skipped, and fail with it.
      last = written;
      return written.then(
        () => {},
        (error) => {
          lost.push(row);
          throw callbackFailed("sink", error);
        },
      );
    },
    close: () => unlessStopped(signal, last.then(ignore, ignore)),
  };
}

/** @throws {@link OpenEvalsError} `invalid_config` for a stream that cannot be written to. */
async function writerOf(stream: AnyWritableStream): Promise<any> {
  const refused = (problem: string) =>
    invalidConfig(`The sink is a WritableStream that ${problem}. Pass a new stream for each experiment`);
  if ((stream as { locked?: boolean }).locked)
    throw refused("is locked by another writer or an earlier experiment");
  const writer = (stream as { getWriter(): any }).getWriter();
  let isClosed = false;
  writer.closed.then(() => {
    isClosed = true;
  }, ignore);
  // `closed` of a closed stream settles within a microtask.
  await undefined;
  if (isClosed) throw refused("is closed");
  return writer;
}

function streamSink(writer: any, heading: Heading, signal: AbortSignal | undefined): OpenSink {
  const failed = (error: unknown) => {
    throw callbackFailed("sink", error);
  };
  // A failure of the stream is thrown by the next write or close.
  writer.closed.catch(ignore);
  const lost: ExperimentRow[] = [];
  return {
    heading,
    lost: () => lost,
    async rowFinished(row) {
      // The stream is ready again once the row before is written.
      await writer.ready.catch((error: unknown) => {
        lost.push(row);
        failed(error);
      });
      writer.write(ownCopy(row)).catch(() => lost.push(row));
    },
    close: (_ended, isFailure) =>
      unlessStopped(signal, isFailure ? writer.abort().catch(ignore) : writer.close().catch(failed)),
  };
}

const ignore = (): void => {};
