import { loadEngine, loadedEngine } from "./engine.js";
import { OpenEvalsError, throwing } from "./errors.js";
import { toJson } from "./json.js";
import { readArguments, readRows, rowsToJson } from "./params.js";
import type { EvaluatorResult, GraphTrajectory } from "./types.js";

const KEY = "graph_trajectory_strict_match";

/** What a graph trajectory evaluator compares; of both, only `steps`. */
export interface GraphTrajectoryMatchParams {
  /** The steps that the graph took. */
  outputs: GraphTrajectory;
  /** The steps that it should have taken. */
  referenceOutputs: GraphTrajectory;
}

/**
 * Scores whether a graph took exactly the steps of the reference, turn by turn. From AgentEvals.
 *
 * @returns `{ key: "graph_trajectory_strict_match", score }` with `score` `true` or `false`; a mismatch has a `comment`
 * that names the first step that differs.
 * @throws {@link OpenEvalsError} `invalid_input` when either side is missing, or its `steps` are not a list of lists.
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
export const graphTrajectoryStrictMatch: {
  (params: GraphTrajectoryMatchParams): Promise<EvaluatorResult>;
  /** Scores many rows in one crossing into the engine. */
  batch(rows: readonly GraphTrajectoryMatchParams[]): Promise<EvaluatorResult[]>;
} = Object.assign(
  async (...args: unknown[]): Promise<EvaluatorResult> => {
    const params = readArguments("graphTrajectoryStrictMatch", args);
    const outputs = toJson(stepsOf(params.outputs, "outputs"), "outputs.steps");
    const referenceOutputs = toJson(
      stepsOf(params.referenceOutputs, "referenceOutputs"),
      "referenceOutputs.steps",
    );
    const engine = loadedEngine() ?? (await loadEngine());
    return result(throwing(() => engine.graphTrajectoryMismatch(outputs, referenceOutputs)));
  },
  {
    async batch(rows: readonly unknown[]): Promise<EvaluatorResult[]> {
      const steps = readRows("graphTrajectoryStrictMatch", rows).map(
        ({ outputs, referenceOutputs }, index) => ({
          outputs: stepsOf(outputs, `rows[${index}].outputs`),
          referenceOutputs: stepsOf(referenceOutputs, `rows[${index}].referenceOutputs`),
        }),
      );
      const json = rowsToJson(steps);
      const engine = await loadEngine();
      const mismatches: (string | null)[] = JSON.parse(
        throwing(() => engine.graphTrajectoryMismatchBatch(json)),
      );
      return mismatches.map(result);
    },
  },
);

function stepsOf(trajectory: unknown, path: string): unknown {
  const steps = (trajectory as Partial<GraphTrajectory>).steps;
  if (steps === undefined) {
    throw new OpenEvalsError("invalid_input", `${path} has no steps; it has to be { results, steps }.`);
  }
  return steps;
}

const result = (mismatch: string | null | undefined): EvaluatorResult =>
  mismatch == null ? { key: KEY, score: true } : { key: KEY, score: false, comment: mismatch };
