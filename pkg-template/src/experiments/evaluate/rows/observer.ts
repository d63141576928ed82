/** The interface of everything that follows the rows of an experiment. */

import type { ExperimentRow } from "../../../core/records/types.js";
import type { FinishedRow } from "./outcomes.js";

/** The rows of an experiment, before the first of them starts. */
export interface RunStart {
  /** The number of rows with their repetitions, if it is known. */
  total: number | undefined;
  /** The number of rows of earlier runs. */
  done: number;
  /** The number of those with an error. */
  failed: number;
  /** The number of rows that have started and are not finished. */
  running(): number;
}

/**
 * Follows the rows of an experiment: it stores them, shows them, or ends the run. Every method is optional. Observers are called
 * in the order of their list, and an error that one of them throws ends the run.
 */
export interface RowObserver {
  /** Called once, before the first row starts. */
  begin?(rows: RunStart): Promise<void> | void;
  /** Whether the run ends before the row at this position, which would start next. */
  shouldStop?(position: number): boolean;
  /**
   * Called with each finished row. The row keeps its concurrency slot until the promise settles, so a slow observer slows down the
   * run.
   */
  rowFinished?(row: ExperimentRow, position: number, finished: FinishedRow): Promise<void> | void;
  /** Called when the data has ended, with the number of its rows and repetitions. Not called if the run ends before that. */
  dataEnded?(rowCount: number): void;
}
