/** What tests tell the reporter: plain data in the `meta` of Vitest's tasks, with which it comes from the workers. */

import type { Experiment, ExperimentRow } from "../../core/records/types.js";
import type { ScoreScale } from "../../core/scale.js";

/** A call of a matcher, as a row of its own. */
export interface ToldEvaluation extends Pick<ExperimentRow, "evaluationResults" | "errors"> {
  inputs?: unknown;
  outputs?: unknown;
  referenceOutputs?: unknown;
  durationMs: number;
  /** What the scores mean. */
  scale: ScoreScale;
  /** Whether the test went on after it. */
  isPass: boolean;
  /** Which run of the test it was in: of those that were retried, the last counts. */
  repeat: number;
  retry: number;
}

/** An experiment of `describeEval`. */
export interface ToldExperiment {
  experiment: Experiment;
  /** The ids of the examples whose tests have failed. */
  failed: readonly string[];
  /** Whether only some of its tests were run. */
  isPart: boolean;
}

/** What a task tells. */
export interface TaskReport {
  evaluations?: ToldEvaluation[];
  experiment?: ToldExperiment;
}

/** A test or a suite of Vitest, as far as it is looked at. */
export interface Task {
  meta: { openevals?: TaskReport };
  mode?: string;
  result?: { repeatCount?: number; retryCount?: number } | undefined;
  suite?: (Task & { tasks?: readonly Task[] }) | undefined;
}

/** Adds a call of a matcher to what its test tells. */
export function tellEvaluation(
  { meta, result }: Task,
  evaluation: Omit<ToldEvaluation, "repeat" | "retry">,
): void {
  const { repeatCount: repeat = 0, retryCount: retry = 0 } = result ?? {};
  meta.openevals ??= {};
  const before = meta.openevals.evaluations ?? [];
  const kept = before.filter((one) => one.repeat !== repeat || one.retry === retry);
  meta.openevals.evaluations = [...kept, { ...evaluation, repeat, retry }];
}
