import type { ToolArgsMatchOverrides } from "../../core/types.js";
import type { ToolArgsMatchMode, TrajectoryMatchMode } from "../../openevals.types.js";

export const MODES: readonly TrajectoryMatchMode[] = ["strict", "unordered", "subset", "superset"];
export const ARGS_MODES: readonly ToolArgsMatchMode[] = ["exact", "ignore", "subset", "superset"];

/** The options of {@link createTrajectoryMatchEvaluator}. */
export interface TrajectoryMatchEvaluatorOptions {
  /**
   * How trajectories are compared: `strict` (the default): messages with the same roles in the same order, each with
   * the same tool calls; `unordered`: the same tool calls in any order; `subset`: only tool calls of the reference;
   * `superset`: all tool calls of the reference.
   */
  trajectoryMatchMode?: TrajectoryMatchMode;
  /** How the arguments of two calls of the same tool are compared; `exact` by default. */
  toolArgsMatchMode?: ToolArgsMatchMode;
  /** Rules for individual tools, by name. */
  toolArgsMatchOverrides?: ToolArgsMatchOverrides;
  /**
   * `boolean` (the default): whether the trajectories match. `f1`: a score from 0 to 1, the harmonic mean of the shares
   * of calls that match on either side. It is 1 if neither side calls a tool, and 0 if only one does. In `strict`,
   * calls match within messages in the same order; in the other modes, in any order.
   */
  scoring?: "boolean" | "f1";
}
