/** From what the judge and people said to a report. */

import { statisticsEngine } from "../../core/engine/statistics.js";
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

const UNEQUAL =
  "All labels and verdicts are the same, so that there is nothing that chance would do otherwise.";

/** The report. */
export async function reportOf(
  observed: Observations,
  options: CalibrateOptions,
): Promise<CalibrationReport> {
  const { key, kind, list, leftOut } = observed;
  const columns = await columnsOf(observed, options);
  const people = await ceilingOf(observed, options);
  const notes = new Notes(list.length ? undefined : "No row has both a label and a verdict.");
  const figures = await statisticsEngine.run("calibrate", list.length, () =>
    figuresOf(columns, options, notes),
  );
  if (people) for (const [name, note] of Object.entries(people.notes)) notes.add(`people.${name}`, note);
  return {
    key,
    kind,
    ...(options.threshold !== undefined && { threshold: options.threshold }),
    count: list.length,
    examples: columns.exampleCount,
    leftOut,
    ...figures,
    disagreements: disagreementsOf(observed, columns, options),
    people: people?.ceiling ?? null,
    notes: notes.all,
  };
}

type Figures = Omit<
  CalibrationReport,
  "key" | "kind" | "threshold" | "count" | "examples" | "leftOut" | "disagreements" | "people" | "notes"
>;

function figuresOf(columns: CalibrationColumns, options: CalibrateOptions, notes: Notes): Figures {
  const { classes, steps, ordered, numbers, truths, probabilities, examples } = columns;
  const settings = settingsOf(options);
  const agreement = (
    name: string,
    which: AgreementMeasure,
    of: CalibrationColumns["numbers"],
    why: string,
  ): Figure =>
    notes.figure(
      name,
      of && bindings.agreementOf(which, both(of), 2, columns.leastClasses, examples, settings),
      of ? UNEQUAL : why,
      TOO_FEW_LABELS,
    );
  const rate = (
    name: string,
    flags: readonly boolean[] | undefined,
    of: readonly number[],
    why: string,
  ): Figure => {
    const ids = of.map((row) => columns.exampleIds[row] as string);
    return notes.figure(
      name,
      flags && bindings.meanOf(Float64Array.from(flags, Number), numbered(ids), settings),
      why,
    );
  };
  const rows = columns.exampleIds.map((_, row) => row);
  const right = classes?.verdicts.map((verdict, row) => verdict === classes.labels[row]);
  const share = (name: string, which: boolean): Figure => {
    const own = truths ? rows.filter((row) => truths.labels[row] === which) : [];
    const said = truths && own.map((row) => truths.verdicts[row] === which);
    const why = truths
      ? `People call no row ${which}.`
      : "Nothing says which class counts as true; positive does.";
    return rate(name, said, own, why);
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
    const { said, came, rows } = probabilities;
    const squares = said.map((probability, index) => (probability - (came[index] as number)) ** 2);
    const error = bindings.calibrationError(Float64Array.from(said), Float64Array.from(came));
    const ids = numbered(rows.map((row) => columns.exampleIds[row] as string));
    return {
      brier: bindings.meanShare(Float64Array.from(squares), ids, settings.level),
      error: { value: Number.isNaN(error) ? null : error, interval: null },
    };
  };
  const { brier, error } = ofProbabilities();
  const sure = "The judge tells no confidence, and its verdicts are no probabilities.";
  if (error?.value != null)
    notes.add(
      "expectedCalibrationError",
      "It has no interval: of a judge that is well calibrated, it is larger than the truth in every sample.",
    );
  const repeats = columns.exampleIds.length > columns.exampleCount;
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
      distances && bindings.meanShare(Float64Array.from(distances), examples, settings.level),
      NO_NUMBERS,
    ),
    expectedCalibrationError: notes.figure("expectedCalibrationError", error, sure),
    brier: notes.figure("brier", brier, sure),
    confusion: confusionOf(columns),
    verdicts: verdictsOf(columns),
    flicker: notes.figure(
      "flicker",
      classes && repeats
        ? bindings.flipRate(Float64Array.from(classes.verdicts), examples, settings.level)
        : undefined,
      repeats
        ? columns.whyNoClasses
        : "Each example was judged once; numRepetitions has it judged several times.",
    ),
    bias: biasOf(columns, settings, notes),
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

/** Repetitions count as one: what they tell beyond that is left out. */
function verdictsOf({ truths, exampleIds, exampleCount }: CalibrationColumns): CalibrationReport["verdicts"] {
  if (!truths || !exampleIds.length) return null;
  const share = exampleCount / exampleIds.length;
  const count = (label: boolean, verdict: boolean) =>
    share * truths.labels.filter((own, row) => own === label && truths.verdicts[row] === verdict).length;
  return {
    truePositives: count(true, true),
    falseNegatives: count(true, false),
    falsePositives: count(false, true),
    trueNegatives: count(false, false),
  };
}
