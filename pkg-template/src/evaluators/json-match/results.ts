/** Scores of keys as results. */

import { parsed } from "../../core/engine/crossing.js";
import type { EvaluatorResult } from "../../core/types.js";
import type { KeyScores, RowScores } from "../../openevals.types.js";

/** Those of a row, where no judge had a part in them. */
export const plain = ({ keys, scores }: KeyScores): EvaluatorResult[] =>
  parsed(keys).map(({ key }, index) => ({ key, score: scores[index] as number }));

/** The same for rows. */
export function plainRows({ keys, scores }: RowScores): EvaluatorResult[][] {
  let at = 0;
  return parsed(keys).map((row) => row.map(({ key }) => ({ key, score: scores[at++] as number })));
}
