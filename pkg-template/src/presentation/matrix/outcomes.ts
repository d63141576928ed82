/** The matrices of a run. */

import { reasonOf } from "../../core/errors.js";
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

/**
 * Compares the combinations of each matrix. Failed ones are left out, and a single one is not compared. If a matrix cannot be
 * compared, its first combination gets the `mistake`.
 */
export async function matricesOf(outcomes: readonly Outcome[]): Promise<ComparedMatrix[]> {
  const matrices: ComparedMatrix[] = [];
  for (const name of new Set(outcomes.flatMap(({ matrix }) => matrix ?? []))) {
    const own = outcomes.filter(({ matrix }) => matrix === name);
    const experiments = own.flatMap(({ experiment }) => (experiment?.rows.length ? [experiment] : []));
    if (experiments.length < 2) continue;
    const [first] = own as [Outcome, ...Outcome[]];
    try {
      const pairs = await compareMatrix(experiments);
      matrices.push({ name, experiments, pairs, lowerIsBetter: first.lowerIsBetter });
    } catch (error) {
      first.mistake ??= `The combinations of ${name} cannot be compared. ${reasonOf(error)}`;
    }
  }
  return matrices;
}
