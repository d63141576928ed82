/** Types of the evaluators of agents. */

import type { CalledWith, EvaluatorResult, ScoreScale, Trajectory } from "../../core/types.js";

/** The parameters of an evaluator of agents. It needs no reference. */
export interface AgentParams {
  /** The agent's trajectory. */
  outputs: Trajectory;
  [extra: string]: unknown;
}

/** An evaluator of an agent's trajectory. */
export interface AgentEvaluator<Result = EvaluatorResult, Params extends AgentParams = AgentParams> {
  <Given extends { outputs: unknown } = Params>(params: CalledWith<Given, Params>): Promise<Result>;
  /** Scores many rows in one call into the engine. */
  batch(rows: readonly Params[]): Promise<Result[]>;
  /** The range, direction and pass mark of its scores. */
  readonly scale: ScoreScale;
}
