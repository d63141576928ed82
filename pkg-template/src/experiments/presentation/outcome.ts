import type { Comparison, Experiment } from "../../core/records/types.js";

/** What became of an experiment that was run, scored or compared, or of a file that declares none. */
export interface Outcome {
  /** The file that it comes from, as it was named. */
  file: string;
  name: string;
  experiment?: Experiment;
  /** What it is compared with, and what came of that. */
  baseline?: Experiment;
  comparisons?: Record<string, Comparison>;
  lowerIsBetter: readonly string[];
  /** The least and the most that the means of keys may be, where that was said. */
  failUnder: ReadonlyMap<string, number>;
  failOver: ReadonlyMap<string, number>;
  /** What it falls short of, in sentences. */
  problems: string[];
  /** Why there is no experiment, or not all of it. */
  mistake?: string;
  /** What to do about a mistake that the table of the experiment has told already. */
  advice?: string;
  /** What has to be known to read the comparison, in sentences. */
  notes?: readonly string[];
}
