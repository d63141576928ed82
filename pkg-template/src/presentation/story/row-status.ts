/** Whether rows pass, fail or have errors. */

import { hasError } from "../../core/records/row-error.js";
import type { ExperimentRow } from "../../core/records/types.js";
import { fails, resultPasses, type ScaleOf } from "../reading.js";

export type RowStatus = "fails" | "error" | "passes" | "unjudged";

/** A row without an error passes if some score passes and none fails. Numbers without a pass mark do neither. */
export function statusOf(row: ExperimentRow, scaleOf: ScaleOf): RowStatus {
  const { evaluationResults } = row;
  if (evaluationResults.some((one) => fails(one, scaleOf))) return "fails";
  if (hasError(row)) return "error";
  return evaluationResults.some((one) => resultPasses(one, scaleOf)) ? "passes" : "unjudged";
}

/** The number of rows of each status. */
export function statusCounts(rows: readonly ExperimentRow[], scaleOf: ScaleOf): Record<RowStatus, number> {
  const counts = { fails: 0, error: 0, passes: 0, unjudged: 0 };
  for (const row of rows) counts[statusOf(row, scaleOf)]++;
  return counts;
}
