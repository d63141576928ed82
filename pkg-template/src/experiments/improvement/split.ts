/** The labelled rows, split into those for finding changes, and those that are held out. */

import { statisticsEngine } from "../../core/engine/statistics.js";
import { invalidInput } from "../../core/errors.js";
import { numbered, settingsOf } from "../../evaluators/summary/settings.js";
import * as bindings from "../../openevals-statistics.js";
import type { CalibrateOptions, LabelledRow } from "../calibration/options.js";
import { labelsOf, readRows } from "../calibration/rows.js";

/** Both parts. */
export interface Split {
  finding: LabelledRow[];
  heldOut: LabelledRow[];
  /** Which rows are one observation, by their ids: those with the same content. */
  unitOf: Map<string, string>;
  /** How many rows have to get better for a test to tell it from chance. */
  fewestGains: number;
}

/**
 * Splits the rows that have a label. Rows with the same content stay together: held out, they would not be unseen.
 *
 * @param chance The largest p-value that tells a difference from chance.
 * @throws {@link OpenEvalsError} `invalid_input` where there are too few rows for any change to be told from chance.
 */
export async function splitRows(options: CalibrateOptions, share: number, chance: number): Promise<Split> {
  // The ids that the rows have together have to stay.
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
      `improve needs at least ${Math.ceil(fewestGains / share)} different rows that people have labelled, and there are ` +
        `${new Set(units).size}: with fewer, not even a change that puts all rows right that are held out could be told from chance`,
    );
  }
  const unitOf = new Map(labelled.map(({ row }, index) => [String(row.id), String(units[index])]));
  return { finding: part(0), heldOut: part(1), unitOf, fewestGains };
}

/** What tells two rows from each other for a judge; where inputs and outputs say nothing, any two rows are different. */
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
