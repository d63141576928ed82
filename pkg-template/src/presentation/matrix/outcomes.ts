/** The matrices of a run. */

import type { Experiment, MatrixPair } from "../../core/records/types.js";
import { compareMatrix } from "../../experiments/comparison/compare-matrix.js";
import type { Outcome } from "../outcome.js";

/** The combinations of a matrix that have results, and their comparison. */
export interface ComparedMatrix {
  name: string;
  experiments: Experiment[];
  pairs: MatrixPair[];
  lowerIsBetter: readonly string[];
}

/** Compares the combinations of each matrix. Failed ones are left out, and a single one is not compared. */
export async function matricesOf(outcomes: readonly Outcome[]): Promise<ComparedMatrix[]> {
  const matrices: ComparedMatrix[] = [];
  for (const name of new Set(outcomes.flatMap(({ matrix }) => matrix ?? []))) {
    const own = outcomes.filter(({ matrix }) => matrix === name);
    const experiments = own.flatMap(({ experiment }) => (experiment?.rows.length ? [experiment] : []));
    if (experiments.length < 2) continue;
    const lowerIsBetter = own[0]?.lowerIsBetter ?? [];
    matrices.push({ name, experiments, pairs: await compareMatrix(experiments), lowerIsBetter });
  }
  return matrices;
}
