/** Splits the labelled rows into training rows and held-out rows. */

import { statisticsEngine } from "../../core/engine/statistics.js";
import { invalidInput } from "../../core/errors.js";
import { numbered, settingsOf } from "../../evaluators/summary/settings.js";
import * as bindings from "../../openevals-statistics.js";
import type { CalibrateOptions, LabelledRow } from "../calibration/options.js";
import { labelsOf, readRows } from "../calibration/rows.js";

export interface Split {
  training: LabelledRow[];
  heldOut: LabelledRow[];
  /** The independent unit of each row, by its id: rows with the same content are one observation. */
  unitOf: Map<string, string>;
  /** The smallest number of rows whose improvement is significant. */
  fewestGains: number;
}

/**
 * Splits the rows that have a label. Rows with the same content stay together: otherwise a held-out row may also be a training
 * row.
 *
 * @param chance The largest significant p-value.
 * @throws {@link OpenEvalsError} `invalid_input` if there are too few rows for any improvement to be significant.
 */
export async function splitRows(options: CalibrateOptions, share: number, chance: number): Promise<Split> {
  // Default ids are positions in the data, so assign them before the split.
  const rows = (await readRows(options.data)).map((row, index) =>
    row.id == null ? { ...row, id: String(index + 1) } : row,
  );
  const labels = labelsOf(rows, options);
  const labelled = rows.flatMap((row) => {
    const label = labels.get(String(row.id))?.labels.find((one) => one !== undefined);
    return label === undefined ? [] : [{ row, label }];
  });
  const contents = labelled.map(({ row }) => contentOf(row));
  const units = numbered(contents);
  const classes = numbered(labelled.map(({ label }) => JSON.stringify(label) ?? String(label)));
  const strata = Float64Array.from(labelled, ({ label }, index) => {
    const score = typeof label === "string" && label.trim() === "" ? Number.NaN : Number(label);
    return Number.isNaN(score) ? (classes[index] as number) : score;
  });
  const { flags, fewestGains } = await statisticsEngine.run("improve", units.length, () => ({
    flags: bindings.heldOut(units, strata, share, settingsOf(options)),
    fewestGains: bindings.fewestGains(chance),
  }));
  const part = (flag: number) => labelled.flatMap(({ row }, index) => (flags[index] === flag ? [row] : []));
  const heldOutUnits = new Set(units.filter((_, index) => flags[index] === 1)).size;
  if (heldOutUnits < fewestGains) {
    throw invalidInput(
      `improve needs at least ${Math.ceil(fewestGains / share)} different labelled rows, but there are ${new Set(units).size}: ` +
        "with fewer, even a perfect result on the held-out rows would not be significant. Label more rows",
    );
  }
  const unitOf = new Map(labelled.map(({ row }, index) => [String(row.id), String(units[index])]));
  return { training: part(0), heldOut: part(1), unitOf, fewestGains };
}

/** The content of a row that a judge sees. A row without inputs and outputs is identified by its id. */
function contentOf({
  id,
  inputs,
  outputs,
  referenceOutputs,
  reference_outputs,
  attachments,
}: LabelledRow): string {
  const content = [inputs, outputs, referenceOutputs ?? reference_outputs, attachments];
  return inputs == null && outputs == null ? `id ${String(id)}` : JSON.stringify(content);
}
