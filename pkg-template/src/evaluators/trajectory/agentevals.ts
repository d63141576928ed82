/** The evaluators of AgentEvals that `createTrajectoryMatchEvaluator` supersedes. */

import { typedWork } from "../../core/errors.js";
import { VERDICT } from "../../core/scales.js";
import { named } from "../../core/tracing/hook.js";
import type { CalledWith, EvaluatorResult, Trajectory } from "../../core/types.js";
import type { ToolArgsMatchMode, TrajectoryMatchMode } from "../../openevals.types.js";
import { trajectoryEvaluator } from "./evaluator.js";

/** The parameters of AgentEvals' evaluators. */
export interface AgentTrajectoryParams {
  /** The agent's trajectory. */
  outputs: Trajectory;
  /** The expected trajectory. */
  referenceOutputs: Trajectory;
}

/** An evaluator of AgentEvals, ready to call. */
export interface AgentTrajectoryEvaluator<Params extends AgentTrajectoryParams = AgentTrajectoryParams> {
  <Given extends { outputs: unknown } = Params>(params: CalledWith<Given, Params>): Promise<EvaluatorResult>;
  /** Scores many rows in one call into the engine. */
  batch(rows: readonly Params[]): Promise<EvaluatorResult[]>;
}

/** Evaluators of AgentEvals ignore arguments, unless `args` says otherwise. */
function agentEvaluator(
  key: string,
  mode: TrajectoryMatchMode,
  args: ToolArgsMatchMode = "ignore",
): AgentTrajectoryEvaluator {
  const evaluator = trajectoryEvaluator(
    key,
    {
      trajectoryMatchMode: mode,
      toolArgsMatchMode: args,
      toolArgsMatchOverrides: {},
      scoring: "boolean",
    },
    "agentevals",
  );
  return Object.assign(evaluator, { scale: VERDICT }) as AgentTrajectoryEvaluator;
}

const STRICT = "trajectory_strict_match";
const strictIgnoringArgs = /* @__PURE__ */ agentEvaluator(STRICT, "strict");
const strictWithArgs = /* @__PURE__ */ agentEvaluator(STRICT, "strict", "exact");

/** The parameters of {@link trajectoryStrictMatch}. */
export interface TrajectoryStrictMatchParams extends AgentTrajectoryParams {
  /** Whether arguments are compared; `false` by default. */
  toolCallArgsExactMatch?: boolean;
}

/** Whether to compare arguments. If the parameters cannot be read, the evaluator throws the error. */
function isExact(params: { toolCallArgsExactMatch?: boolean } | undefined): boolean {
  try {
    return Boolean(params?.toolCallArgsExactMatch);
  } catch {
    return false;
  }
}

/**
 * Scores whether two trajectories have messages with the same roles in the same order, with calls of the same tools.
 * With `toolCallArgsExactMatch`, their arguments have to be equal too. From AgentEvals.
 *
 * @returns `{ key: "trajectory_strict_match", score }`; a mismatch has a `comment`.
 * @deprecated Use {@link createTrajectoryMatchEvaluator} with `trajectoryMatchMode: "strict"`.
 */
export const trajectoryStrictMatch: AgentTrajectoryEvaluator<TrajectoryStrictMatchParams> =
  /* @__PURE__ */ Object.assign(
    /* @__PURE__ */ named(STRICT, async (params: any) =>
      (isExact(params) ? strictWithArgs : strictIgnoringArgs)(params),
    ),
    {
      feedbackKey: STRICT,
      scale: VERDICT,
      batch: (rows: readonly TrajectoryStrictMatchParams[]) =>
        typedWork(`${STRICT}.batch`, async () => {
          const exact = Array.isArray(rows) ? rows.filter(isExact).length : 0;
          if (exact === 0) return strictIgnoringArgs.batch(rows);
          if (exact === rows.length) return strictWithArgs.batch(rows);
          return Promise.all(rows.map((row) => trajectoryStrictMatch(row)));
        }),
    },
  );

/**
 * Scores whether two trajectories call the same tools, in any order and with any arguments. From AgentEvals.
 *
 * @returns `{ key: "trajectory_unordered_match", score }`; a mismatch has a `comment`.
 * @deprecated Use {@link createTrajectoryMatchEvaluator} with `trajectoryMatchMode: "unordered"`.
 */
export const trajectoryUnorderedMatch: AgentTrajectoryEvaluator = /* @__PURE__ */ agentEvaluator(
  "trajectory_unordered_match",
  "unordered",
);

/**
 * Scores whether every tool call of the outputs is in the reference, whatever its arguments. From AgentEvals.
 *
 * @returns `{ key: "trajectory_subset", score }`; a mismatch has a `comment`.
 * @deprecated Use {@link createTrajectoryMatchEvaluator} with `trajectoryMatchMode: "subset"`.
 */
export const trajectorySubset: AgentTrajectoryEvaluator = /* @__PURE__ */ agentEvaluator(
  "trajectory_subset",
  "subset",
);

/**
 * Scores whether every tool call of the reference is in the outputs, whatever its arguments. From AgentEvals.
 *
 * @returns `{ key: "trajectory_superset", score }`; a mismatch has a `comment`.
 * @deprecated Use {@link createTrajectoryMatchEvaluator} with `trajectoryMatchMode: "superset"`.
 */
export const trajectorySuperset: AgentTrajectoryEvaluator = /* @__PURE__ */ agentEvaluator(
  "trajectory_superset",
  "superset",
);
