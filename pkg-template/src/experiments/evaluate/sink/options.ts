/** The options of `output`. */

import { aFlag, check, type OptionChecks } from "../../../core/input/checks.js";
import type { Sink } from "./types.js";

/** Where the rows of an experiment go, and whether an earlier run is continued. */
export interface ExperimentOutputOptions {
  /**
   * Where rows go as they finish: the path of a file, which gets one line for each row; a function, which is called with one row
   * after the other; or a `WritableStream` of rows. A slow sink slows down the experiment. {@link readExperiment} reads such a
   * file. An existing file is an error, unless `resume` or `overwrite` is set.
   */
  sink?: Sink | undefined;
  /**
   * Whether the finished experiment contains its rows; by default only without a `sink`. Without rows, the figures are the same,
   * and memory holds a few bytes per score instead of kilobytes per row; `rowCount` has the number of rows. Summary
   * evaluators need the rows.
   */
  keepRows?: boolean | undefined;
  /**
   * Continues an experiment that was killed or stopped, from the file of its `sink`; without a file, it starts a new one. Rows in
   * the file are not run again, and count in the results. Data, evaluators and repetitions must be the same; a change inside an
   * evaluator or the target goes unnoticed. Rows with errors stay unchanged; `"failed"` runs them again.
   */
  resume?: boolean | "failed" | undefined;
  /** Whether an existing file of the `sink` is replaced, whatever it contains; `false` by default. */
  overwrite?: boolean | undefined;
}

export const EXPERIMENT_OUTPUT_OPTIONS: OptionChecks<ExperimentOutputOptions> = {
  sink: check("the path of a file, a function or a WritableStream", (sink) => {
    return (
      (typeof sink === "string" && sink !== "") ||
      typeof sink === "function" ||
      typeof sink.getWriter === "function"
    );
  }),
  keepRows: aFlag,
  resume: check('true, false or "failed"', (resume) => [true, false, "failed"].includes(resume), ["failed"]),
  overwrite: aFlag,
};
