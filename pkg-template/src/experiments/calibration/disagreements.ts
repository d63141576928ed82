/** The rows on which the judge and people disagree. */

import type { Disagreement } from "../../core/records/calibration.js";
import { truncate } from "../../core/terminal-text.js";
import { type CalibrationColumns, confidenceOf, shareOf } from "./columns.js";
import type { Observations } from "./observations.js";

const MAX_LENGTH = 200;

/** A report is shared, so it has only the beginning of long data. */
const beginningOf = (value: unknown): string =>
  truncate(typeof value === "string" ? value : (JSON.stringify(value) ?? ""), MAX_LENGTH);

/** The disagreements, in descending order of the judge's confidence, then of the distance. */
export function disagreementsOf(
  { list, threshold, range }: Observations,
  { classes, numbers }: CalibrationColumns,
): Disagreement[] {
  const found = list.flatMap((one, index): Disagreement[] => {
    const { row, result, label, verdict } = one;
    const isSame = classes
      ? classes.verdicts[index] === classes.labels[index]
      : numbers?.verdicts[index] === numbers?.labels[index];
    if (isSame) return [];
    const score = numbers?.verdicts[index];
    const distance =
      score === undefined
        ? 1
        : Math.abs(score - (numbers?.labels[index] as number)) * (range.max - range.min);
    const mark = threshold === undefined ? undefined : shareOf(threshold, range);
    const fromThreshold =
      mark === undefined || score === undefined || typeof verdict === "boolean"
        ? null
        : Math.abs(score - mark) / Math.max(mark, 1 - mark);
    return [
      {
        exampleId: row.example.id,
        repetition: row.run.repetition,
        label,
        verdict,
        confidence: confidenceOf(one) ?? fromThreshold,
        distance,
        ...(typeof result.comment === "string" && { comment: result.comment }),
        ...(row.example.inputs != null && { inputs: beginningOf(row.example.inputs) }),
        ...(row.run.outputs != null && { outputs: beginningOf(row.run.outputs) }),
      },
    ];
  });
  return found.sort((a, b) => (b.confidence ?? -1) - (a.confidence ?? -1) || b.distance - a.distance);
}
