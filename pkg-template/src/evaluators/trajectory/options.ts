import type { ToolArgsMatchOverrides } from "../../core/types.js";
import type { ToolArgsMatchMode, TrajectoryMatchMode } from "../../openevals.types.js";

export const MODES: readonly TrajectoryMatchMode[] = ["strict", "unordered", "subset", "superset"];
export const ARGS_MODES: readonly ToolArgsMatchMode[] = ["exact", "ignore", "subset", "superset"];

/** The options of {@link createTrajectoryMatchEvaluator}. */
export interface TrajectoryMatchEvaluatorOptions {
  /**
   * How trajectories are compared: `strict` (the default), the same messages by role in the same order, each with
   * the same tool calls; `unordered`, the same tool calls in any order; `subset`, no tool call that the reference
   * does not have; `superset`, every tool call that the reference has.
   */
  trajectoryMatchMode?: TrajectoryMatchMode;
  /** When two calls of the same tool match; `exact` is the default. */
  toolArgsMatchMode?: ToolArgsMatchMode;
  /** Rules for single tools, by name. */
  toolArgsMatchOverrides?: ToolArgsMatchOverrides;
  /**
   * `boolean` (the default): whether the trajectories match. `f1`: how much of them does, from 0 to 1, the harmonic mean
   * of the shares of calls that match on both sides. It is 1 where nobody calls a tool, and 0 where only one side does.
   * In `strict`, calls match in messages that come in the same order; in all other modes, in any order.
   */
  scoring?: "boolean" | "f1";
}
