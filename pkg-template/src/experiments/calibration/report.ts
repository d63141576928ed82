/** Computes the report of a calibration from its observations. */

import { statisticsEngine } from "../../core/engine/statistics.js";
import { show } from "../../core/input/checks.js";
import type { Alpha, CalibrationReport, Figure } from "../../core/records/calibration.js";
import { TOO_FEW_LABELS } from "../../evaluators/summary/metric.js";
import { numbered, settingsOf } from "../../evaluators/summary/settings.js";
import * as bindings from "../../openevals-statistics.js";
import type { AgreementMeasure } from "../../openevals-statistics.types.js";
import { biasOf } from "./bias.js";
import { type CalibrationColumns, columnsOf, NO_NUMBERS, NO_ORDER } from "./columns.js";
import { disagreementsOf } from "./disagreements.js";
import { Notes } from "./notes.js";
import type { Observations } from "./observations.js";
import type { CalibrateOptions } from "./options.js";
import { ceilingOf } from "./people.js";
import { times } from "./verdicts.js";

const UNEQUAL = "All labels are the same, or all verdicts are, so agreement beyond chance is not defined.";

/** With fewer, intervals contain the true value too seldom: see `tests/simulations/claims/claims-of-rows.mjs`. */
const MIN_CLUSTERS = 50;

const tooFewClusters = ({ clusterBy }: CalibrateOptions, count: number): string | undefined =>
  clusterBy === undefined || count >= MIN_CLUSTERS
    ? undefined
    : `It has no interval: an interval needs ${MIN_CLUSTERS} clusters, and there are ${count}.`;

export async function reportOf(
  observed: Observations,
  options: CalibrateOptions,
): Promise<CalibrationReport> {
  const { key, kind, list, leftOut, threshold, lowerIsBetter } = observed;
  const columns = await columnsOf(observed, options);
  const people = await ceilingOf(observed, options);
  const notes = new Notes(
    list.length ? undefined : "No row has both a label and a verdict.",
    tooFewClusters(options, columns.unitCount),
  );
  const figures = await statisticsEngine.run("calibrate", list.length, () =>
    figuresOf(columns, observed, options, notes),
  );
  const alike = alikeIn(columns.classes?.names ?? []);
  if (alike) notes.add("confusion", alike);
  if (people) for (const [name, note] of Object.entries(people.notes)) notes.add(`people.${name}`, note);
  return {
    key,
    kind,
    ...(threshold !== undefined && { threshold }),
    ...(lowerIsBetter && { lowerIsBetter }),
    count: list.length,
    examples: columns.exampleCount,
    ...(options.clusterBy !== undefined && { clusters: columns.unitCount }),
    leftOut,
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

type Figures = Omit<
  CalibrationReport,
  | "key"
  | "kind"
  | "threshold"
  | "lowerIsBetter"
  | "count"
  | "examples"
  | "clusters"
  | "leftOut"
  | "disagreements"
  | "people"
  | "notes"
>;

function figuresOf(
  columns: CalibrationColumns,
  { kind, range }: Observations,
  options: CalibrateOptions,
  notes: Notes,
): Figures {
  const { classes, steps, ordered, numbers, truths, probabilities } = columns;
  const settings = settingsOf(options);
  const units = numbered(columns.units);
  const agreement = (
    name: string,
    which: AgreementMeasure,
    of: CalibrationColumns["numbers"],
    why: string,
  ): Figure =>
    notes.figure(
      name,
      of && bindings.agreementOf(which, both(of), 2, columns.leastClasses, units, settings),
      of ? UNEQUAL : why,
      TOO_FEW_LABELS,
    );
  const rate = (
    name: string,
    flags: readonly boolean[] | undefined,
    of: readonly number[],
    why: string,
  ): Figure => {
    const ids = of.map((row) => columns.units[row] as string);
    return notes.figure(
      name,
      flags && bindings.meanOf(Float64Array.from(flags, Number), 0, 1, numbered(ids), settings),
      why,
    );
  };
  const rows = columns.units.map((_, row) => row);
  const right = classes?.verdicts.map((verdict, row) => verdict === classes.labels[row]);
  const share = (name: string, which: boolean): Figure => {
    const ofClass = truths ? rows.filter((row) => truths.labels[row] === which) : [];
    const judged = truths && ofClass.map((row) => truths.verdicts[row] === which);
    const why = truths
      ? `No row is labelled ${which}.`
      : kind === "classes"
        ? "It is unknown which class counts as true. Set positive."
        : "It is unknown which scores count as true. Set threshold.";
    return rate(name, judged, ofClass, why);
  };
  const distances = numbers?.verdicts.map((verdict, row) =>
    Math.abs(verdict - (numbers.labels[row] as number)),
  );
  const alpha: Alpha = {
    nominal: agreement("alpha.nominal", "nominal_alpha", classes, columns.whyNoClasses),
    ordinal: agreement("alpha.ordinal", "ordinal_alpha", ordered, NO_ORDER),
    interval: agreement("alpha.interval", "interval_alpha", numbers, NO_NUMBERS),
  };
  const ofProbabilities = () => {
    if (!probabilities) return {};
    const { predicted, outcomes, rows } = probabilities;
    const squares = predicted.map((probability, index) => (probability - (outcomes[index] as number)) ** 2);
    const error = bindings.calibrationError(Float64Array.from(predicted), Float64Array.from(outcomes));
    const ids = numbered(rows.map((row) => columns.units[row] as string));
    return {
      brier: bindings.meanShare(Float64Array.from(squares), ids, settings.level),
      error: { value: Number.isNaN(error) ? null : error, interval: null },
    };
  };
  const { brier, error } = ofProbabilities();
  const noProbabilities = "The judge reports no confidence, and its verdicts are not probabilities.";
  if (error?.value != null) {
    const [known, all] = [probabilities?.rows.length, columns.units.length];
    const partial = known === all ? "" : `Only ${known} of ${all} results have a confidence. `;
    if (partial) notes.add("brier", partial.trim());
    notes.add(
      "expectedCalibrationError",
      `${partial}It has no interval: the estimate is biased upwards, most of all for a well calibrated judge.`,
    );
  }
  const repeats = columns.units.length > columns.exampleCount;
  return {
    accuracy: rate("accuracy", right, rows, columns.whyNoClasses),
    sensitivity: share("sensitivity", true),
    specificity: share("specificity", false),
    kappa: agreement("kappa", "kappa", classes, columns.whyNoClasses),
    weightedKappa: agreement(
      "weightedKappa",
      options.weights === "linear" ? "linear_kappa" : "quadratic_kappa",
      steps,
      columns.whyNoSteps,
    ),
    alpha,
    ac1: agreement("ac1", "ac1", classes, columns.whyNoClasses),
    spearman: agreement("spearman", "spearman", ordered, NO_ORDER),
    kendall: agreement("kendall", "kendall", ordered, NO_ORDER),
    meanAbsoluteError: notes.figure(
      "meanAbsoluteError",
      distances &&
        times(range.max - range.min, bindings.meanShare(Float64Array.from(distances), units, settings.level)),
      NO_NUMBERS,
    ),
    expectedCalibrationError: notes.figure("expectedCalibrationError", error, noProbabilities),
    brier: notes.figure("brier", brier, noProbabilities),
    confusion: confusionOf(columns),
    verdicts: countVerdicts(columns),
    flipRate: notes.figure(
      "flipRate",
      classes && repeats
        ? bindings.flipRate(Float64Array.from(classes.verdicts), columns.examples, settings.level)
        : undefined,
      repeats
        ? columns.whyNoClasses
        : "Each example was judged once. Set numRepetitions to judge it several times.",
    ),
    bias: biasOf(columns, range, settings, notes),
  };
}

const both = ({ verdicts, labels }: NonNullable<CalibrationColumns["numbers"]>): Float64Array =>
  Float64Array.from([...verdicts, ...labels]);

function confusionOf({ classes }: CalibrationColumns): CalibrationReport["confusion"] {
  if (!classes) return null;
  const [verdicts, labels] = [Uint32Array.from(classes.verdicts), Uint32Array.from(classes.labels)];
  const cells = bindings.confusionMatrix(verdicts, labels);
  // Classes at the end that do not occur have no cells.
  const size = Math.round(Math.sqrt(cells.length));
  const at = (row: number, column: number) =>
    row < size && column < size ? (cells[row * size + column] ?? 0) : 0;
  const matrix = classes.names.map((_, row) => classes.names.map((_, column) => at(row, column)));
  return { labels: classes.names, matrix };
}

/**
 * The counts are scaled down to the effective sample size of clusters whose rows all agree (Kish, *Survey sampling*, 1965): the
 * number of clusters or examples if all have as many rows, and fewer if some have most of the rows.
 */
function countVerdicts({ truths, units }: CalibrationColumns): CalibrationReport["verdicts"] {
  if (!truths || !units.length) return null;
  const sizes = new Map<string, number>();
  for (const unit of units) sizes.set(unit, (sizes.get(unit) ?? 0) + 1);
  const squares = [...sizes.values()].reduce((sum, size) => sum + size ** 2, 0);
  const share = units.length / squares;
  const count = (label: boolean, verdict: boolean) =>
    share * truths.labels.filter((own, row) => own === label && truths.verdicts[row] === verdict).length;
  return {
    truePositives: count(true, true),
    falseNegatives: count(true, false),
    falsePositives: count(false, true),
    trueNegatives: count(false, false),
  };
}
