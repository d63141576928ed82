/** Splits the labelled rows into training rows and held-out rows. */

import { statisticsEngine } from "../../core/engine/statistics.js";
import { invalidInput } from "../../core/errors.js";
import { sortedJson } from "../../core/input/json/sorted-json.js";
import type { Example } from "../../core/records/types.js";
import { numbered, settingsOf } from "../../evaluators/summary/settings.js";
import * as bindings from "../../openevals-statistics.js";
import type { Settings } from "../../openevals-statistics.types.js";
import type { CalibrateOptions, LabelledRow } from "../calibration/options.js";
import { labelsOf, readLabelledRows, withIds } from "../calibration/rows.js";
import type { DataRow } from "../evaluate/data/types.js";
import { type ClusterBy, unitOf } from "../statistics/clusters.js";

export interface Split<Row = LabelledRow> {
  training: Row[];
  heldOut: Row[];
  /** The independent unit of each row, by its id: rows of a cluster, and rows with the same content, are one observation. */
  unitOf: Map<string, string>;
  hasClusters: boolean;
  /** The smallest number of units whose improvement is significant. */
  fewestGains: number;
}

/** Splits the rows that have a label, with the same share of each label in both parts. */
export async function splitRows(options: CalibrateOptions, share: number, alpha: number): Promise<Split> {
  const rows = withIds(await readLabelledRows(options));
  const labels = labelsOf(rows, options);
  const labelled = rows.flatMap((row) => {
    const label = labels.get(String(row.id))?.labels.find((one) => one !== undefined);
    return label === undefined ? [] : [{ row, label }];
  });
  const classes = numbered(labelled.map(({ label }) => JSON.stringify(label) ?? String(label)));
  const strata = Float64Array.from(labelled, ({ label }, index) => {
    const score = typeof label === "string" && label.trim() === "" ? Number.NaN : Number(label);
    return Number.isNaN(score) ? (classes[index] as number) : score;
  });
  const { clusterBy } = options;
  const splitting = { task: "improve", what: "labelled rows", share, alpha, clusterBy };
  return splitByUnit(
    labelled.map(({ row }) => row),
    strata,
    { ...splitting, ...settingsOf(options) },
  );
}

/** How rows are split. */
interface Splitting extends Settings {
  /** The public function, for errors. */
  task: string;
  /** The name of the rows in messages. */
  what: string;
  /** The share that is held out. */
  share: number;
  /** The significance level. */
  alpha: number;
  clusterBy: ClusterBy | undefined;
}

/**
 * Splits rows. Those of a cluster, and those with the same content, stay together: otherwise a held-out row may also be a training
 * row.
 *
 * @param strata Rows with similar numbers are spread evenly over both parts.
 * @throws {@link OpenEvalsError} `invalid_input` if there are too few rows for any improvement to be significant.
 */
export async function splitByUnit<Row extends DataRow>(
  rows: readonly Row[],
  strata: Float64Array,
  { task, what, share, alpha, clusterBy, ...settings }: Splitting,
): Promise<Split<Row>> {
  const units = numbered(unitsOf(rows, clusterBy));
  const { flags, fewestGains } = await statisticsEngine.run(task, units.length, () => ({
    flags: bindings.heldOut(units, strata, share, settings),
    fewestGains: bindings.fewestGains(alpha),
  }));
  const part = (flag: number) => rows.filter((_, index) => flags[index] === flag);
  const heldOutUnits = new Set(units.filter((_, index) => flags[index] === 1)).size;
  if (heldOutUnits < fewestGains) {
    throw invalidInput(
      `${task} needs at least ${Math.ceil(fewestGains / share)} ${clusterBy === undefined ? "different" : "clusters of"} ${what}, but there are ${new Set(units).size}: ` +
        "with fewer, even a perfect result on the held-out rows would not be significant. Add rows",
    );
  }
  const unitOf = new Map(rows.map(({ id }, index) => [String(id), String(units[index])]));
  return { training: part(0), heldOut: part(1), unitOf, hasClusters: clusterBy !== undefined, fewestGains };
}

/** The independent unit of each row. Clusters that have rows with the same content are one unit. */
function unitsOf(rows: readonly DataRow[], clusterBy: ClusterBy | undefined): string[] {
  const contents = rows.map(contentOf);
  if (clusterBy === undefined) return contents;
  const joined = new Map<string, string>();
  const first = (name: string): string => {
    let unit = name;
    for (let next = joined.get(unit); next !== undefined; next = joined.get(unit)) {
      // Keeps the ways short.
      joined.set(unit, joined.get(next) ?? next);
      unit = next;
    }
    return unit;
  };
  const clusters = rows.map((row) => `cluster ${unitOf({ example: exampleOf(row) }, clusterBy)}`);
  for (const [index, cluster] of clusters.entries()) {
    const [unit, other] = [first(cluster), first(`content ${contents[index]}`)];
    if (unit !== other) joined.set(other, unit);
  }
  return clusters.map(first);
}

const exampleOf = ({ id, inputs, referenceOutputs, reference_outputs, metadata }: DataRow): Example => ({
  ...{ id: String(id), inputs, outputs: referenceOutputs ?? reference_outputs },
  ...(metadata && { metadata }),
});

/** The content of a row that a judge sees. A row without inputs and outputs is identified by its id. */
function contentOf({
  id,
  inputs,
  outputs,
  referenceOutputs,
  reference_outputs,
  attachments,
}: DataRow): string {
  const content = [inputs, outputs, referenceOutputs ?? reference_outputs, attachments];
  return inputs == null && outputs == null ? `id ${String(id)}` : sortedJson(content);
}
