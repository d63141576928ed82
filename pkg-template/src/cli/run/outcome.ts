import type { Comparison, Experiment } from "../../experiment/types.js";

/** What became of an experiment, or of a file that declares none. */
export interface Outcome {
  /** The file that declares it, as it was named. */
  file: string;
  name: string;
  experiment?: Experiment;
  /** What it is compared with, and what came of that. */
  baseline?: Experiment;
  comparisons?: Record<string, Comparison>;
  lowerIsBetter: readonly string[];
  /** The least that a score has to be for its row to pass, where that was said. */
  failUnder: ReadonlyMap<string, number>;
  failOver: ReadonlyMap<string, number>;
  /** What it falls short of, in sentences. */
  problems: string[];
  /** Why there is no experiment, or not all of it. */
  mistake?: string;
}
