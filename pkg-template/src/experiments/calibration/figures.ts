/** Computes the figures of a calibration. All of this runs in one call of the engine. */

import type { CalibrationReport, Figure } from "../../core/records/calibration.js";
import { TOO_FEW_LABELS } from "../../evaluators/summary/metric.js";
import { settingsOf } from "../../evaluators/summary/settings.js";
import * as bindings from "../../openevals-statistics.js";
import type { AgreementMeasure, Settings } from "../../openevals-statistics.types.js";
import { type Groups, groupsOf } from "../statistics/clusters.js";
import { biasOf } from "./bias.js";
import { type CalibrationColumns, NO_NUMBERS, NO_ORDER, nameOfUnit } from "./columns.js";
import type { Notes } from "./notes.js";
import type { Observations } from "./observations.js";
import type { CalibrateOptions } from "./options.js";
import { times } from "./verdicts.js";

const UNEQUAL = "All labels are the same, or all verdicts are, so agreement beyond chance is not defined.";

/** What all figures are computed from. */
interface FigureInputs {
  columns: CalibrationColumns;
  groups: Groups;
  settings: Settings;
  notes: Notes;
}

/** All figures of the report. Those that cannot be computed have a note. */
export function figuresOf(
  columns: CalibrationColumns,
  { kind, range }: Observations,
  options: CalibrateOptions,
  notes: Notes,
) {
  const settings = settingsOf(options);
  const inputs = { columns, groups: groupsOf(columns.origins), settings, notes };
  const weighted = options.weights === "linear" ? "linear_kappa" : "quadratic_kappa";
  return {
    ...ratesOf(inputs, kind),
    ...agreementsOf(inputs, weighted),
    meanAbsoluteError: meanErrorOf(inputs, range.max - range.min),
    ...probabilitiesOf(inputs),
    confusion: confusionOf(columns),
    verdicts: countVerdicts(columns),
    flipRate: flipRateOf(inputs),
    bias: biasOf(columns, range, settings, notes),
  };
}

/** Rates of right verdicts: of all rows, and of those with one label. */
function ratesOf({ columns, settings, notes }: FigureInputs, kind: Observations["kind"]) {
  const { classes, truths, origins } = columns;
  const rows = origins.map((_, row) => row);
  const rate = (name: string, flags: readonly boolean[] | undefined, of: readonly number[], why: string) => {
    const { examples, clusters } = groupsOf(of.map((row) => origins[row]!));
    return notes.figure(
      name,
      flags && bindings.meanOf(Float64Array.from(flags, Number), 0, 1, examples, clusters, settings),
      why,
    );
  };
  const share = (name: string, label: boolean): Figure => {
    const labelled = truths ? rows.filter((row) => truths.labels[row] === label) : [];
    const right = truths && labelled.map((row) => truths.verdicts[row] === label);
    const why = truths
      ? `No row is labelled ${label}.`
      : kind === "classes"
        ? "It is unknown which class counts as true. Set positive."
        : "It is unknown which scores count as true. Set threshold.";
    return rate(name, right, labelled, why);
  };
  const right = classes?.verdicts.map((verdict, row) => verdict === classes.labels[row]);
  return {
    accuracy: rate("accuracy", right, rows, columns.whyNoClasses),
    sensitivity: share("sensitivity", true),
    specificity: share("specificity", false),
  };
}

/** Coefficients of agreement and of correlation. */
function agreementsOf({ columns, groups, settings, notes }: FigureInputs, weighted: AgreementMeasure) {
  const { classes, steps, ordered, numbers, whyNoClasses } = columns;
  const agreement = (
    name: string,
    which: AgreementMeasure,
    of: CalibrationColumns["numbers"],
    why: string,
  ): Figure =>
    notes.figure(
      name,
      of &&
        bindings.agreementOf(
          which,
          both(of),
          2,
          columns.leastClasses,
          groups.examples,
          groups.clusters,
          settings,
        ),
      of ? UNEQUAL : why,
      TOO_FEW_LABELS,
    );
  return {
    kappa: agreement("kappa", "kappa", classes, whyNoClasses),
    weightedKappa: agreement("weightedKappa", weighted, steps, columns.whyNoSteps),
    alpha: {
      nominal: agreement("alpha.nominal", "nominal_alpha", classes, whyNoClasses),
      ordinal: agreement("alpha.ordinal", "ordinal_alpha", ordered, NO_ORDER),
      interval: agreement("alpha.interval", "interval_alpha", numbers, NO_NUMBERS),
    },
    ac1: agreement("ac1", "ac1", classes, whyNoClasses),
    spearman: agreement("spearman", "spearman", ordered, NO_ORDER),
    kendall: agreement("kendall", "kendall", ordered, NO_ORDER),
  };
}

/** The mean distance of scores and labels, in the unit of the judge. */
function meanErrorOf(
  { columns, groups: { examples, clusters }, settings, notes }: FigureInputs,
  span: number,
): Figure {
  const { numbers } = columns;
  const distances = numbers?.verdicts.map((verdict, row) =>
    Math.abs(verdict - (numbers.labels[row] as number)),
  );
  return notes.figure(
    "meanAbsoluteError",
    distances &&
      times(span, bindings.meanShare(Float64Array.from(distances), examples, clusters, settings.level)),
    NO_NUMBERS,
  );
}

/** How well confidences, or scores taken as probabilities, predict which verdicts are right. */
function probabilitiesOf({ columns, settings, notes }: FigureInputs) {
  const { probabilities, origins } = columns;
  const none = "The judge reports no confidence, and its verdicts are not probabilities.";
  if (!probabilities) {
    return {
      expectedCalibrationError: notes.figure("expectedCalibrationError", undefined, none),
      brier: notes.figure("brier", undefined, none),
    };
  }
  const { predicted, outcomes, rows } = probabilities;
  const squares = predicted.map((probability, index) => (probability - (outcomes[index] as number)) ** 2);
  const error = bindings.calibrationError(Float64Array.from(predicted), Float64Array.from(outcomes));
  const { examples, clusters } = groupsOf(rows.map((row) => origins[row]!));
  if (!Number.isNaN(error)) {
    const [known, all] = [rows.length, origins.length];
    const partial = known === all ? "" : `Only ${known} of ${all} results have a confidence. `;
    if (partial) notes.add("brier", partial.trim());
    notes.add(
      "expectedCalibrationError",
      `${partial}It has no interval: the estimate is biased upwards, most of all for a well calibrated judge.`,
    );
  }
  const value = Number.isNaN(error) ? null : error;
  return {
    expectedCalibrationError: notes.figure("expectedCalibrationError", { value, interval: null }, none),
    brier: notes.figure(
      "brier",
      bindings.meanShare(Float64Array.from(squares), examples, clusters, settings.level),
      none,
    ),
  };
}

/** How often the judge contradicts itself. */
function flipRateOf({ columns, groups: { examples }, settings, notes }: FigureInputs): Figure {
  const { classes, origins, exampleCount, whyNoClasses } = columns;
  const repeats = origins.length > exampleCount;
  return notes.figure(
    "flipRate",
    classes && repeats
      ? bindings.flipRate(Float64Array.from(classes.verdicts), examples, settings.level)
      : undefined,
    repeats ? whyNoClasses : "Each example was judged once. Set numRepetitions to judge it several times.",
  );
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
function countVerdicts({ truths, origins }: CalibrationColumns): CalibrationReport["verdicts"] {
  if (!truths || !origins.length) return null;
  const sizes = new Map<string, number>();
  for (const unit of origins.map(nameOfUnit)) sizes.set(unit, (sizes.get(unit) ?? 0) + 1);
  const squares = [...sizes.values()].reduce((sum, size) => sum + size ** 2, 0);
  const share = origins.length / squares;
  const count = (label: boolean, verdict: boolean) =>
    share * truths.labels.filter((own, row) => own === label && truths.verdicts[row] === verdict).length;
  return {
    truePositives: count(true, true),
    falseNegatives: count(true, false),
    falsePositives: count(false, true),
    trueNegatives: count(false, false),
  };
}
