/** Types of sinks. */

import type { AnyWritableStream } from "../../../core/platform/globals.js";
import type { Experiment, ExperimentRow } from "../../../core/records/types.js";
import type { RowObserver } from "../rows/observer.js";
import type { RecordedRows } from "./recorded-rows.js";

/**
 * Where rows go as they finish: the path of a file, which `readExperiment()` reads; a function, which is called with one row
 * after the other; or a `WritableStream` of rows. A slow sink slows down the experiment.
 */
export type Sink = string | ((row: ExperimentRow) => unknown) | AnyWritableStream;

/** The name, the metadata and the start of an experiment, and whether it was resumed. */
export type Heading = Pick<
  Experiment,
  "experimentName" | "metadata" | "startedAt" | "resumed" | "resumedRows"
>;

/** An open sink. A promise of `rowFinished` delays the rows after it. */
export interface OpenSink extends RowObserver {
  /** The heading of the experiment; that of the earlier run, if the sink continues one. */
  heading: Heading;
  /** The rows of the earlier run, if the sink continues one. */
  recorded?: RecordedRows | undefined;
  /** The rows that the sink did not take, once it has failed. */
  lost(): readonly ExperimentRow[];
  /** Writes the end, unless figures of the experiment are missing, and waits for rows that are still being written. */
  close(ended: Experiment | undefined, isFailure: boolean): Promise<void>;
}
