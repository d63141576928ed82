/** The fields of `--slice-by`, which experiments need not have. */

import { show } from "../../../core/input/checks.js";
import { counted } from "../../../core/input/counted.js";
import { whole } from "../../../core/input/counts.js";
import { exampleField } from "../../../core/records/example-field.js";
import { missingField } from "../../../core/records/missing-field.js";
import type { Experiment, ExperimentRow } from "../../../core/records/types.js";
import { usageError } from "../cli-error.js";

/** Rejects a field that no row of any experiment has, and one that is there twice. */
export function checkSliceFields(fields: readonly string[], experiments: readonly Experiment[]): void {
  const rows = experiments.flatMap((experiment) => experiment.rows);
  for (const [index, field] of fields.entries()) {
    if (fields.indexOf(field) < index) throw usageError(`--slice-by ${field} is there twice`);
    const problem = missingField(rows, field, "--slice-by");
    if (problem !== undefined) throw usageError(problem);
  }
}

/** The fields that one of two experiments has, if there are any. */
export function sliceByOf(
  fields: readonly string[],
  ...[before, after]: readonly [Experiment, Experiment]
): { sliceBy?: string[] } {
  const rows = [...before.rows, ...after.rows];
  const sliceBy = fields.filter((field) => missingField(rows, field, "--slice-by") === undefined);
  return sliceBy.length ? { sliceBy } : {};
}

/** Says how many rows are in no slice, as sentences. */
export function sliceNotes(fields: readonly string[], before: Experiment, { rows }: Experiment): string[] {
  const earlier = new Map(before.rows.map(({ example }) => [example.id, example]));
  return fields.flatMap((field) => {
    const isMissing = ({ example }: ExperimentRow) =>
      [example, earlier.get(example.id)].every((one) => {
        const value = one && exampleField(one, field);
        return value === undefined || value === null || (Array.isArray(value) && !value.length);
      });
    const missing = rows.filter(isMissing).length;
    if (!missing) return [];
    return [
      `${whole(missing)} of ${counted(rows.length, "row")} ${missing === 1 ? "has" : "have"} no ${show(field)} and ` +
        `${missing === 1 ? "is" : "are"} in no slice.`,
    ];
  });
}
