/** Converts the scores of keys to results. */

import { parsed } from "../../core/engine/crossing.js";
import type { EvaluatorResult } from "../../core/types.js";
import type { RowScores, ScoredKey } from "../../openevals.types.js";

/** The results of a row without a judge. */
export const plain = (row: RowScores): EvaluatorResult[] => plainRows(row).flat();

/** The results of rows without a judge. */
export function plainRows({ keys, scores }: RowScores): EvaluatorResult[][] {
  let at = 0;
  return parsed(keys).map((row) => row.map((key) => resultOf(key, scores[at++])));
}

/** `scores` has a score for each key. */
function resultOf({ key, comment }: ScoredKey, found: number | undefined): EvaluatorResult {
  const score = found as number;
  return comment === undefined ? { key, score } : { key, score, comment };
}
