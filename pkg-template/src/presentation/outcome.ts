import type { ScoreLimits } from "../core/records/mean-limits.js";
import type { Comparison, Experiment } from "../core/records/types.js";
import { unmeasuredShard } from "./limits/nothing-measured.js";

/** The outcome of an experiment that was run, scored or compared, or of a file without one. */
export interface Outcome {
  /** The path of its file, as given. */
  file: string;
  name: string;
  /** The name of the matrix of which the experiment is a combination. */
  matrix?: string | undefined;
  experiment?: Experiment;
  /** The experiment that it is compared with, and the comparison of each key. */
  baseline?: Experiment;
  comparisons?: Record<string, Comparison>;
  lowerIsBetter: readonly string[];
  /** What makes the experiment fail. */
  limits?: ScoreLimits;
  /** The requirements that it fails, as sentences. */
  problems: string[];
  /** Why the experiment is missing or incomplete. */
  mistake?: string;
  /** The advice for a mistake that the table of the experiment already shows. */
  advice?: string;
  /** Warnings, as sentences: about rows without a result, and about the comparison. */
  notes?: readonly string[];
  /** The one of them that `formatComparison()` prints: about paired rows with different inputs. */
  differentInputs?: string | undefined;
}

/** Whether no requirement is missed, nothing went wrong, and something was measured. */
export const hasPassed = ({ problems, mistake, experiment }: Outcome): boolean =>
  !problems.length &&
  mistake === undefined &&
  !(experiment && (experiment.stopped || unmeasuredShard(experiment) !== undefined));
