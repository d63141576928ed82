/** Inter-annotator agreement. */

import { statisticsEngine } from "../../core/engine/statistics.js";
import type { Ceiling } from "../../core/records/calibration.js";
import { TOO_FEW_LABELS } from "../../evaluators/summary/metric.js";
import { settingsOf } from "../../evaluators/summary/settings.js";
import * as bindings from "../../openevals-statistics.js";
import type { AgreementMeasure } from "../../openevals-statistics.types.js";
import { indexesAmong, leastClassesOf } from "./columns.js";
import { Notes } from "./notes.js";
import { classesOf, MAX_STEPS, type Observations } from "./observations.js";
import type { CalibrateOptions } from "./options.js";

/** The agreement of several people, with its own notes; `undefined` for one person. */
export async function ceilingOf(
  { kind, people }: Observations,
  options: CalibrateOptions,
): Promise<{ ceiling: Ceiling; notes: Record<string, string> } | undefined> {
  const annotators = people[0]?.length ?? 0;
  if (annotators < 2) return undefined;
  const columns = Array.from({ length: annotators }, (_, person) => people.map((row) => row[person]));
  const all = columns.flat();
  const isLabelled = all.map((label) => label !== undefined);
  const { numbers: found } = await classesOf(all.map((label) => label ?? null));
  const classes = found.map((number, index) => (isLabelled[index] ? number : Number.NaN));
  const scores = all.map((label) => (label === undefined ? Number.NaN : Number(label)));
  const areNumbers = kind !== "classes";
  const indexes = options.categories && (await indexesOf(all, options.categories));
  const hasClasses =
    !areNumbers || new Set(classes.filter((number) => !Number.isNaN(number))).size <= MAX_STEPS;
  const count = people.filter((row) => row.filter((label) => label !== undefined).length > 1).length;
  const notes = new Notes(count ? undefined : "No row has labels of two people.");
  const settings = settingsOf(options);
  const leastClasses = leastClassesOf(kind === "verdicts", options);
  const ceiling = await statisticsEngine.run("calibrate", all.length, (): Ceiling => {
    const of = (name: string, which: AgreementMeasure, ratings: number[] | undefined, why: string) => {
      const columns = ratings && Float64Array.from(ratings);
      const figure =
        columns &&
        bindings.agreementOf(which, columns, annotators, leastClasses, undefined, undefined, settings);
      return notes.figure(name, figure, ratings ? "All labels are the same." : why, TOO_FEW_LABELS);
    };
    const many = `There are more than ${MAX_STEPS} different scores.`;
    const unordered =
      "Labels are classes, which have no order. If they have one, list them in order as categories.";
    const named = hasClasses ? classes : undefined;
    const numbers = areNumbers ? scores : undefined;
    return {
      annotators,
      count,
      agreement: of("agreement", "equality", named, many),
      alpha: {
        nominal: of("alpha.nominal", "nominal_alpha", named, many),
        ordinal: of("alpha.ordinal", "ordinal_alpha", indexes ?? numbers, unordered),
        interval: of("alpha.interval", "interval_alpha", numbers, "Labels are classes, not numbers."),
      },
      ac1: of("ac1", "ac1", named, many),
    };
  });
  return { ceiling, notes: notes.all };
}

/** The index of each label in `categories`; NaN for a missing label. */
async function indexesOf(labels: readonly unknown[], categories: readonly unknown[]): Promise<number[]> {
  const labelled = labels.flatMap((label, index) => (label === undefined ? [] : [index]));
  const found = await indexesAmong(
    categories,
    labelled.map((index) => labels[index]),
    "label",
  );
  const indexes: number[] = labels.map(() => Number.NaN);
  for (const [order, index] of labelled.entries()) indexes[index] = found[order] as number;
  return indexes;
}
