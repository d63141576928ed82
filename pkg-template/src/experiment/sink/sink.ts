/** Where the rows of an experiment go as they finish. */

import { callbackFailed } from "../../errors.js";
import type { Written } from "../../runtime/globals.js";
import type { ReadRow } from "../data/types.js";
import type { Plan } from "../options.js";
import type { FinishedRow } from "../rows/outcomes.js";
import type { Results } from "../rows/results.js";
import type { Experiment, ExperimentRow } from "../types.js";

/**
 * Where rows go as they finish: the path of a file, which `readExperiment()` reads; a function, which is called with one row
 * after the other; or a `WritableStream` of rows. If it takes its time, the experiment waits.
 */
export type Sink = string | ((row: ExperimentRow) => unknown) | Written;

/** What an experiment is called, and when it began. */
export type Heading = Pick<Experiment, "experimentName" | "metadata" | "startedAt">;

/** Rows that an earlier process has written. */
export interface EarlierRows {
  /**
   * Whether the row is among them.
   *
   * @throws {@link OpenEvalsError} `invalid_config` if it is another one there: the data has changed.
   */
  has(position: number, row: ReadRow): boolean;
  /** The data has so many rows; refuses it if there were more before. */
  checkEnd(count: number): void;
}

/** A sink that is open. */
export interface OpenSink {
  /** That of the experiment that it continues, if it does. */
  heading: Heading;
  earlier?: EarlierRows | undefined;
  /** Takes a row. A promise where the next one has to wait. */
  write(position: number, finished: FinishedRow, row: ExperimentRow): Promise<void> | undefined;
  /** Waits for what is under way. `ended` is missing if the experiment has no result. */
  close(ended: Experiment, isFailure: boolean): Promise<void>;
}

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
