import { jsonOf, parsed } from "../../../core/engine/crossing.js";
import { scoresEngine } from "../../../core/engine/scores.js";
import { invalidInput } from "../../../core/errors.js";
import { checkOptions, type OptionChecks, oneOf } from "../../../core/input/checks.js";
import { rowsToJson, toJsonPair } from "../../../core/input/json/json.js";
import { readArguments } from "../../../core/input/params.js";
import { readRows } from "../../../core/input/rows.js";
import { VERDICT } from "../../../core/scales.js";
import { tracedEvaluator } from "../../../core/tracing/hook.js";
import type { CalledWith, EvaluatorResult, GraphTrajectory } from "../../../core/types.js";
import * as bindings from "../../../openevals.js";
import type { TrajectoryMatchMode } from "../../../openevals.types.js";
import { MODES } from "../options.js";

/** The options of {@link createGraphTrajectoryMatchEvaluator}. */
export interface GraphTrajectoryMatchEvaluatorOptions {
  /**
   * How the steps of a turn are compared with those of the same turn in the reference:
   *
   * - `strict` (the default): the same steps in the same order;
   * - `unordered`: the same steps in any order;
   * - `subset`: only steps of the reference;
   * - `superset`: all steps of the reference.
   *
   * A repeated step counts each time. In `strict`, both sides need the same number of turns; in the other modes, a
   * missing turn is one without steps.
   */
  graphTrajectoryMatchMode?: TrajectoryMatchMode;
}

/** The parameters of a graph trajectory evaluator. Only `steps` is compared. */
export interface GraphTrajectoryMatchParams {
  /** The steps that the graph took. */
  outputs: GraphTrajectory;
  /** The expected steps. */
  referenceOutputs: GraphTrajectory;
}

/** An evaluator of graph trajectories. */
export interface GraphTrajectoryEvaluator {
  <Given extends { outputs: unknown } = GraphTrajectoryMatchParams>(
    params: CalledWith<Given, GraphTrajectoryMatchParams>,
  ): Promise<EvaluatorResult>;
  /** Scores many rows in one call into the engine. */
  batch(rows: readonly GraphTrajectoryMatchParams[]): Promise<EvaluatorResult[]>;
}

/**
 * Makes an evaluator that compares the steps of a graph with those of a reference, turn by turn.
 *
 * @returns An evaluator whose result is `{ key: "graph_trajectory_<mode>_match", score }` with `score` `true` or
 * `false`. A mismatch has a `comment` that names the first wrong step.
 * @throws {@link OpenEvalsError} `invalid_config` for unknown options and modes. The evaluator throws `invalid_input`
 * if either side is missing, or its `steps` are not a list of lists.
 *
 * @example
 * ```ts
 * import { createGraphTrajectoryMatchEvaluator } from "openevals-wasm";
 *
 * const evaluator = createGraphTrajectoryMatchEvaluator({ graphTrajectoryMatchMode: "superset" });
 * const result = await evaluator({
 *   outputs: { results: [], steps: [["__start__", "agent", "tools", "agent"]] },
 *   referenceOutputs: { results: [], steps: [["tools"]] },
 * });
 * console.log(result); // { key: "graph_trajectory_superset_match", score: true }
 * ```
 */
export function createGraphTrajectoryMatchEvaluator(
  options: GraphTrajectoryMatchEvaluatorOptions = {},
): GraphTrajectoryEvaluator {
  const { graphTrajectoryMatchMode = "strict" } = checkOptions(
    "createGraphTrajectoryMatchEvaluator",
    options,
    OPTIONS,
  );
  return graphEvaluator("The graph trajectory evaluator", graphTrajectoryMatchMode);
}

const OPTIONS: OptionChecks<GraphTrajectoryMatchEvaluatorOptions> = {
  graphTrajectoryMatchMode: oneOf(MODES),
};

/**
 * Scores whether a graph took exactly the steps of the reference, turn by turn. From AgentEvals.
 *
 * @returns `{ key: "graph_trajectory_strict_match", score }` with `score` `true` or `false`. A mismatch has a `comment`
 * that names the first step that differs.
 * @throws {@link OpenEvalsError} `invalid_input` if either side is missing, or its `steps` are not a list of lists.
 *
 * @example
 * ```ts
 * import { graphTrajectoryStrictMatch } from "openevals-wasm";
 *
 * const result = await graphTrajectoryStrictMatch({
 *   outputs: { results: [], steps: [["__start__", "agent", "tools", "__interrupt__"], ["agent"]] },
 *   referenceOutputs: { results: [], steps: [["__start__", "agent", "tools", "__interrupt__"], ["agent"]] },
 * });
 * console.log(result); // { key: "graph_trajectory_strict_match", score: true }
 * ```
 */
export const graphTrajectoryStrictMatch: GraphTrajectoryEvaluator = /* @__PURE__ */ graphEvaluator(
  "graphTrajectoryStrictMatch",
  "strict",
);

function graphEvaluator(name: string, mode: TrajectoryMatchMode): GraphTrajectoryEvaluator {
  const key = `graph_trajectory_${mode}_match`;
  const modeText = jsonOf(mode);
  const result = (mismatch: string | null | undefined): EvaluatorResult =>
    mismatch == null ? { key, score: true } : { key, score: false, comment: mismatch };
  const evaluator = tracedEvaluator(
    key,
    async (...args: unknown[]): Promise<EvaluatorResult> => {
      const params = readArguments(name, args);
      const outputs = stepsOf(params.outputs, "outputs");
      const referenceOutputs = stepsOf(params.referenceOutputs, "referenceOutputs");
      const { json, second } = toJsonPair(outputs, referenceOutputs, ".steps");
      const mismatch = await scoresEngine.run(name, json.length, () => {
        return bindings.graphTrajectoryMismatch(modeText, json.take(), second);
      });
      return result(mismatch);
    },
    async (rows: readonly unknown[]): Promise<EvaluatorResult[]> => {
      const steps = readRows(name, rows).map(({ outputs, referenceOutputs }, index) => ({
        outputs: stepsOf(outputs, `rows[${index}].outputs`),
        referenceOutputs: stepsOf(referenceOutputs, `rows[${index}].referenceOutputs`),
      }));
      const json = rowsToJson(steps);
      const mismatches = await scoresEngine.run(name, json.length, () => {
        return bindings.graphTrajectoryMismatchBatch(modeText, json.take());
      });
      return parsed(mismatches).map(result);
    },
    { framework: "agentevals" },
  );
  return Object.assign(evaluator, { scale: VERDICT });
}

function stepsOf(trajectory: unknown, path: string): unknown {
  const steps = (trajectory as Partial<GraphTrajectory>).steps;
  if (steps === undefined) {
    throw invalidInput(`${path} has no steps; it has to be { results, steps }`);
  }
  return steps;
}
