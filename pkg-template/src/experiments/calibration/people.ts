/** How far people agree with each other. */

import { statisticsEngine } from "../../core/engine/statistics.js";
import type { Ceiling } from "../../core/records/calibration.js";
import { TOO_FEW_LABELS } from "../../evaluators/summary/metric.js";
import { settingsOf } from "../../evaluators/summary/settings.js";
import type { AgreementMeasure } from "../../openevals-statistics.types.js";
import { MOST_STEPS } from "./columns.js";
import { Notes } from "./notes.js";
import { classesOf, type Observations } from "./observations.js";
import type { CalibrateOptions } from "./options.js";

/** The agreement of several people, with notes of its own; `undefined` for one. */
export async function ceilingOf(
  { kind, people }: Observations,
  options: CalibrateOptions,
): Promise<{ ceiling: Ceiling; notes: Record<string, string> } | undefined> {
  const annotators = people[0]?.length ?? 0;
  if (annotators < 2) return undefined;
  const columns = Array.from({ length: annotators }, (_, person) => people.map((row) => row[person]));
  const all = columns.flat();
  const isThere = all.map((label) => label !== undefined);
  const { numbers: found } = await classesOf(all.map((label) => label ?? null));
  const classes = found.map((number, index) => (isThere[index] ? number : Number.NaN));
  const scores = all.map((label) => (label === undefined ? Number.NaN : Number(label)));
  const isOrdered = kind !== "classes";
  const hasClasses =
    !isOrdered || new Set(classes.filter((number) => !Number.isNaN(number))).size <= MOST_STEPS;
  const count = people.filter((row) => row.filter((label) => label !== undefined).length > 1).length;
  const notes = new Notes(count ? undefined : "No row has the labels of two people.");
  const settings = settingsOf(options);
  const few = kind === "verdicts" ? 2 : 0;
  const ceiling = await statisticsEngine.run("calibrate", all.length, (engine): Ceiling => {
    const of = (name: string, which: AgreementMeasure, ratings: number[] | undefined, why: string) => {
      const columns = ratings && Float64Array.from(ratings);
      const figure = columns && engine.agreementOf(which, columns, annotators, few, undefined, settings);
      return notes.figure(name, figure, ratings ? "All labels are the same." : why, TOO_FEW_LABELS);
    };
    const many = `There are more than ${MOST_STEPS} different scores.`;
    const unordered = "Labels are classes, which have no order.";
    const named = hasClasses ? classes : undefined;
    const ordered = isOrdered ? scores : undefined;
    return {
      annotators,
      count,
      agreement: of("agreement", "equality", named, many),
      alpha: {
        nominal: of("alpha.nominal", "nominal_alpha", named, many),
        ordinal: of("alpha.ordinal", "ordinal_alpha", ordered, unordered),
        interval: of("alpha.interval", "interval_alpha", ordered, unordered),
      },
      ac1: of("ac1", "ac1", named, many),
    };
  });
  return { ceiling, notes: notes.all };
}
