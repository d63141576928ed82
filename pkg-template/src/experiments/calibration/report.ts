/** Computes the report of a calibration from its observations. */

import { statisticsEngine } from "../../core/engine/statistics.js";
import { show } from "../../core/input/checks.js";
import type { CalibrationReport } from "../../core/records/calibration.js";
import { JudgeModels } from "../../core/records/judge-models.js";
import { type CalibrationColumns, columnsOf } from "./columns.js";
import { disagreementsOf } from "./disagreements.js";
import { failuresOf } from "./failures.js";
import { figuresOf } from "./figures.js";
import { Notes } from "./notes.js";
import type { Observations } from "./observations.js";
import type { CalibrateOptions } from "./options.js";
import { ceilingOf } from "./people.js";

/** With fewer, intervals contain the true value too seldom: see `tests/simulations/claims/claims-of-rows.mjs`. */
const MIN_CLUSTERS = 50;

const tooFewClusters = ({ hasClusters, unitCount }: CalibrationColumns): string | undefined =>
  hasClusters && unitCount < MIN_CLUSTERS
    ? `It has no interval: an interval needs ${MIN_CLUSTERS} clusters, and there are ${unitCount}.`
    : undefined;

export async function reportOf(
  observed: Observations,
  options: CalibrateOptions,
): Promise<CalibrationReport> {
  const { key, kind, list, leftOut, threshold, lowerIsBetter } = observed;
  const failures = failuresOf(observed);
  const columns = await columnsOf(observed, options);
  const people = await ceilingOf(observed, options);
  const notes = new Notes(
    list.length ? undefined : "No row has both a label and a verdict.",
    tooFewClusters(columns),
  );
  const figures = await statisticsEngine.run("calibrate", list.length, () =>
    figuresOf(columns, observed, options, notes),
  );
  const judge = new JudgeModels(list.map(({ row }) => row)).of(key);
  const alike = alikeIn(columns.classes?.names ?? []);
  if (alike) notes.add("confusion", alike);
  if (people) for (const [name, note] of Object.entries(people.notes)) notes.add(`people.${name}`, note);
  return {
    key,
    ...(judge && { judge }),
    kind,
    ...(threshold !== undefined && { threshold }),
    ...(lowerIsBetter && { lowerIsBetter }),
    count: list.length,
    examples: columns.exampleCount,
    ...(columns.hasClusters && { clusters: columns.unitCount }),
    leftOut,
    ...(failures.length && { failures }),
    ...figures,
    disagreements: disagreementsOf(observed, columns),
    people: people?.ceiling ?? null,
    notes: notes.all,
  };
}

/** A note on two classes that differ only in case or in spaces at their ends, so that they are probably one. */
function alikeIn(names: readonly unknown[]): string | undefined {
  const known = new Map<string, string>();
  for (const name of names.filter((name) => typeof name === "string")) {
    const plain = name.trim().toLowerCase();
    const other = known.get(plain);
    if (other !== undefined)
      return `${show(other)} and ${show(name)} count as different classes. If they are one, write it in one way: pass functions as label and verdict that do.`;
    known.set(plain, name);
  }
  return undefined;
}
