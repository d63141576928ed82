/** Where the rows of an experiment go as they finish. */

import { callbackFailed } from "../../errors.js";
import type { Written } from "../../runtime/globals.js";
import type { Plan } from "../options.js";
import type { Results } from "../rows/results.js";
import type { ExperimentRow } from "../types.js";
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
  const { sink } = plan;
  if (sink === undefined) return undefined;
  if (typeof sink === "string") {
    const { FileSink } = await import("./file.js");
    return FileSink.open(sink, plan, results, heading);
  }
  return typeof sink === "function" ? functionSink(sink, heading) : streamSink(sink, heading);
}

function functionSink(sink: (row: ExperimentRow) => unknown, heading: Heading): OpenSink {
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
    close: () => last.then(ignore, ignore),
  };
}

function streamSink(stream: Written, heading: Heading): OpenSink {
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
    close: async (_ended, isFailure) => {
      if (isFailure) return writer.abort().catch(ignore);
      return writer.close().catch(failed);
    },
  };
}

const ignore = (): void => {};
