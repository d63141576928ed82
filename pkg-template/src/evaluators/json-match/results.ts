/** Converts the scores of keys to results. */

import { parsed } from "../../core/engine/crossing.js";
import type { EvaluatorResult } from "../../core/types.js";
import type { KeyScores, RowScores } from "../../openevals.types.js";

/** The results of a row without a judge. */
export const plain = ({ keys, scores }: KeyScores): EvaluatorResult[] =>
  parsed(keys).map(({ key }, index) => ({ key, score: scores[index] as number }));

/** The results of several rows. */
export function plainRows({ keys, scores }: RowScores): EvaluatorResult[][] {
  let at = 0;
  return parsed(keys).map((row) => row.map(({ key }) => ({ key, score: scores[at++] as number })));
}
