/** Evaluations as plain data in the `meta` of Vitest's tasks, which Vitest sends from its workers to the reporter. */

import type { Experiment, ExperimentRow } from "../../core/records/types.js";
import type { ScoreScale } from "../../core/types.js";

/** A call of a matcher as a row. */
export interface ReportedEvaluation extends Pick<ExperimentRow, "evaluationResults" | "errors"> {
  inputs?: unknown;
  outputs?: unknown;
  referenceOutputs?: unknown;
  durationMs: number;
  /** The scale of the scores. */
  scale: ScoreScale;
  /** Whether the assertion passed, with `.not` applied. */
  isPass: boolean;
  /** The repetition and the retry of the test; only the last retry counts. */
  repeat: number;
  retry: number;
}

/** An experiment of `describeEval`. */
export interface DescribedExperiment {
  experiment: Experiment;
  /** The rows that fail, also if their tests were not selected, by `identityOf`. */
  failed: readonly string[];
  /** The ids of the examples that nothing judged. */
  unjudged: readonly string[];
  /** Whether only some of its tests were run. */
  isPart: boolean;
}

/** The evaluations of a task. */
export interface TaskReport {
  evaluations?: ReportedEvaluation[];
  experiment?: DescribedExperiment;
}

/** The fields of a test or a suite of Vitest that are read. */
export interface Task {
  meta: { openevals?: TaskReport };
  mode?: string;
  result?: { repeatCount?: number; retryCount?: number } | undefined;
  suite?: (Task & { tasks?: readonly Task[] }) | undefined;
}

/** Adds a call of a matcher to the report of its test. */
export function reportEvaluation(
  { meta, result }: Task,
  evaluation: Omit<ReportedEvaluation, "repeat" | "retry">,
): void {
  const { repeatCount: repeat = 0, retryCount: retry = 0 } = result ?? {};
  meta.openevals ??= {};
  const before = meta.openevals.evaluations ?? [];
  const kept = before.filter((earlier) => earlier.repeat !== repeat || earlier.retry === retry);
  meta.openevals.evaluations = [...kept, { ...evaluation, repeat, retry }];
}
