/** What sinks are. */

import type { AnyWritableStream } from "../../../core/platform/globals.js";
import type { Experiment, ExperimentRow } from "../../../core/records/types.js";
import type { ReadRow } from "../data/types.js";
import type { FinishedRow } from "../rows/outcomes.js";

/**
 * Where rows go as they finish: the path of a file, which `readExperiment()` reads; a function, which is called with one row
 * after the other; or a `WritableStream` of rows. If it takes its time, the experiment waits.
 */
export type Sink = string | ((row: ExperimentRow) => unknown) | AnyWritableStream;

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
