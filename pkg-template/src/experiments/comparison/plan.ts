/** Power analysis: how many rows a comparison needs. */

import { statisticsEngine } from "../../core/engine/statistics.js";
import { invalidConfig } from "../../core/errors.js";
import {
  aNumberAboveZero,
  aRepetitionCount,
  aString,
  check,
  checkOptions,
  isListOf,
  type OptionChecks,
  wholeFrom,
} from "../../core/input/checks.js";
import { shortDecimal } from "../../core/number-text.js";
import type { Experiment } from "../../core/records/types.js";
import { LEVEL, STATISTICS_OPTIONS } from "../../evaluators/summary/settings.js";
import * as bindings from "../../openevals-statistics.js";
import { aRange } from "../statistics/sequence.js";
import { type Pilot, pilotOf } from "./pilot.js";

/** The options of {@link planExperiment}. */
export interface PlanExperimentOptions {
  /** For scores that are `true` and `false`: the expected rate of the first experiment, between 0 and 1. */
  baseline?: number | undefined;
  /** For scores that are numbers, in place of `baseline`: the standard deviation of single scores, above 0. */
  standardDeviation?: number | undefined;
  /**
   * In place of `baseline` or `standardDeviation`: two experiments that have run, such as a pilot. The plan reads the rate of
   * the first experiment (or the standard deviation of numbers), the `correlation` and the `repetitionCorrelation` from the scores
   * of `key`. Options that you set take precedence. With fewer than 50 pairs of scores, the `comment` warns that the plan is
   * uncertain.
   */
  experiments?: readonly [Pick<Experiment, "rows">, Pick<Experiment, "rows">] | undefined;
  /** The key of the scores of `experiments`; required if they have several keys. */
  key?: string | undefined;
  /** The difference to detect, below 0 for a decrease. If you leave it out, the plan computes it, as an increase. */
  minimumDifference?: number | undefined;
  /**
   * In place of `minimumDifference`: the `margin` of {@link compareExperiments}, above 0. The plan is then for showing that the
   * second experiment is not worse by that much, if both are truly equal.
   */
  margin?: number | undefined;
  /** For a `margin` of numbers: the lowest and the highest possible score. Default: `[0, 1]`. */
  range?: readonly [number, number] | undefined;
  /** The probability of detecting the difference, between 0 and 1. Default: 0.8, unless the plan computes it. */
  power?: number | undefined;
  /** One minus the significance level, between 0 and 1. Default: 0.95. */
  level?: number | undefined;
  /** The number of runs of each row in both experiments. Default: 1. */
  repetitions?: number | undefined;
  /**
   * The correlation between the scores of a row in the two experiments, from -1 to 1. The higher it is, the fewer rows are
   * needed; 0.5 is usual after a small change. Two different rates correlate by less than 1: if this is more or less than they
   * can, the plan uses the nearest possible correlation, and the `comment` says which. Default, also for `null`: 0, which is
   * conservative.
   */
  correlation?: number | null | undefined;
  /**
   * The correlation of the scores that a row has in two repetitions, from 0 to 1: the `repetitions.correlation` of an aggregate,
   * also if that is `null`. Default: that of `experiments` with repetitions, or else 1, which is conservative: repetitions that
   * always agree save no rows. If it is below the `correlation`, the plan uses that instead, and the `comment` says so.
   */
  repetitionCorrelation?: number | null | undefined;
  /**
   * If rows come in clusters, as with `clusterBy`: the mean number of rows in a cluster, from 1, and the intraclass correlation
   * of the differences, from 0 to 1. The variance is multiplied by the design effect, `1 + (size - 1) * correlation`. Clusters of
   * unequal sizes need more rows than that.
   */
  clusters?: { size: number; correlation: number } | undefined;
  /** The number of rows. If you leave it out, the plan computes it. */
  rows?: number | undefined;
}

/** The result of {@link planExperiment}. */
export interface ExperimentPlan {
  /** The number of rows of each experiment; `null` if a billion are not enough. */
  rows: number | null;
  /** The smallest difference that is detected with this power; `null` if none is large enough. */
  minimumDifference: number | null;
  /** The probability of detecting the difference, from 0 to 1. */
  power: number | null;
  /** Why something is `null`, or which assumption the plan depends on; `null` if there is neither. */
  comment: string | null;
}

const aShare = check("a number between 0 and 1", (value) => {
  return typeof value === "number" && value > 0 && value < 1;
});
const aCorrelation = (least: number) =>
  check(`a number from ${least} to 1, or null`, (value) => {
    return value === null || (typeof value === "number" && value >= least && value <= 1);
  });

const OPTIONS: OptionChecks<PlanExperimentOptions> = {
  baseline: aShare,
  standardDeviation: aNumberAboveZero,
  experiments: check("a list of two experiments", (list) => {
    return isListOf(list, (one) => Array.isArray((one as Experiment | null)?.rows)) && list.length === 2;
  }),
  key: aString,
  minimumDifference: check("a number other than 0, from -1e9 to 1e9", (value) => {
    return typeof value === "number" && aNumberAboveZero.test(Math.abs(value));
  }),
  margin: aNumberAboveZero,
  range: aRange,
  power: aShare,
  level: STATISTICS_OPTIONS.level,
  repetitions: aRepetitionCount,
  correlation: aCorrelation(-1),
  repetitionCorrelation: aCorrelation(0),
  clusters: check("{ size, correlation }: a number from 1, and one from 0 to 1", (clusters) => {
    const { size, correlation } = Object(clusters);
    return Number.isFinite(size) && size >= 1 && correlation >= 0 && correlation <= 1;
  }),
  rows: wholeFrom(2, 1_000_000_000),
};

/**
 * Plans a comparison of two experiments over the same rows before you pay for it: how many rows detect a difference, which
 * difference a number of rows detects, or with which power. Of `rows`, `minimumDifference` and `power`, the plan computes the one
 * that you leave out (Miller, *Adding error bars to evals*, 2024); if `rows` or `minimumDifference` is left out, `power` is 0.8.
 *
 * The plan is for the tests of {@link compareExperiments}: McNemar's exact test for rates with one run per row (exact power for
 * up to 400 expected discordant rows, beyond that the normal approximation with continuity correction); Student's t test of the
 * differences otherwise, and the permutation test itself for up to 10 rows or clusters, of which fewer than 6 never reach a p-value
 * below 0.05; with `margin`, the test of that margin. `correlation` and `repetitions` reduce the variance of the
 * differences.
 *
 * @throws {@link OpenEvalsError} `invalid_config` for invalid options, and if none or more than one of the three is left to
 * compute.
 *
 * @example
 * ```ts
 * import { planExperiment } from "openevals-wasm/evaluation";
 *
 * const { rows } = await planExperiment({ baseline: 0.8, minimumDifference: 0.05, correlation: 0.5 });
 * console.log(rows); // 488
 * ```
 */
export async function planExperiment(options: PlanExperimentOptions): Promise<ExperimentPlan> {
  const checked = checkOptions("planExperiment", options, OPTIONS);
  const pilot = checked.experiments && (await pilotOf(...checked.experiments, checked.key));
  const read = pilot ? withPilot(checked, pilot) : checked;
  const { margin, range = [0, 1] } = read;
  const { baseline, standardDeviation, minimumDifference, rows, level = LEVEL, repetitions = 1 } = read;
  const { clusters } = read;
  const [correlation, repetitionCorrelation] = [read.correlation ?? 0, read.repetitionCorrelation ?? 1];
  const isOpen = rows === undefined || (minimumDifference ?? margin) === undefined;
  const power = read.power ?? (isOpen ? 0.8 : undefined);
  if ((baseline === undefined) === (standardDeviation === undefined)) {
    throw invalidConfig(
      "planExperiment needs one of baseline (for scores that are true or false), standardDeviation (for numbers) and experiments",
    );
  }
  if (margin !== undefined && minimumDifference !== undefined) {
    throw invalidConfig("planExperiment takes margin or minimumDifference, not both");
  }
  if (rows === undefined && minimumDifference === undefined && margin === undefined) {
    throw invalidConfig("planExperiment needs rows, minimumDifference or margin");
  }
  if (!isOpen && power !== undefined) {
    throw invalidConfig(
      `planExperiment computes one of rows, ${margin === undefined ? "minimumDifference" : "margin"} and power; leave one of them out`,
    );
  }
  const other = (baseline ?? 0) + (minimumDifference ?? 0);
  if (baseline !== undefined && (other < 0 || other > 1)) {
    throw invalidConfig(
      `minimumDifference is ${minimumDifference}; a baseline of ${baseline} would become ${other}`,
    );
  }
  // The test of a margin scales scores to the range from 0 to 1.
  const size = margin !== undefined && baseline === undefined ? range[1] - range[0] : 1;
  if (margin !== undefined && margin >= size) {
    throw invalidConfig(
      `margin is ${margin}, but no difference can be larger with scores from ${range[0]} to ${range[1]}`,
    );
  }
  const { correlation: used, ...figures } = await statisticsEngine.run("planExperiment", 1, () =>
    bindings.plan({
      baseline,
      standardDeviation: standardDeviation === undefined ? undefined : standardDeviation / size,
      margin: margin === undefined ? undefined : margin / size,
      minimumDifference,
      power,
      level,
      repetitions,
      correlation,
      // Estimates may be lower by chance.
      repetitionCorrelation: Math.max(repetitionCorrelation, Math.abs(correlation)),
      clusterSize: clusters?.size ?? 1,
      clusterCorrelation: clusters?.correlation ?? 0,
      rows,
    }),
  );
  return { ...figures, comment: commentOn(figures, used, read, pilot) };
}

/** Fills in the options that are not set from a pilot. */
function withPilot(options: PlanExperimentOptions, pilot: Pilot): PlanExperimentOptions {
  const { baseline, standardDeviation, ...rest } = options;
  const isGiven = baseline !== undefined || standardDeviation !== undefined;
  return {
    ...(isGiven ? { baseline, standardDeviation } : pilot.scores),
    ...rest,
    correlation: rest.correlation ?? pilot.correlation,
    repetitionCorrelation: rest.repetitionCorrelation ?? pilot.repetitionCorrelation,
  };
}

/** With fewer pairs, the variance of a pilot is too uncertain. */
const FEW_PAIRS = 50;

function commentOn(
  { rows, minimumDifference }: Omit<ExperimentPlan, "comment">,
  usedCorrelation: number | null,
  options: PlanExperimentOptions,
  { pairs, hasClusters }: Pick<Pilot, "pairs" | "hasClusters"> = { pairs: FEW_PAIRS, hasClusters: false },
): string | null {
  const { baseline, margin, repetitions = 1, repetitionCorrelation, clusters } = options;
  const correlation = options.correlation ?? 0;
  const comments: string[] = [];
  if (rows === null) comments.push("A billion rows are not enough.");
  else if (minimumDifference === null && margin === undefined) {
    comments.push(
      baseline === undefined
        ? "With so few rows, no difference is detected."
        : `With so few rows, not even an increase from ${baseline} to 1 is detected. For a drop, give a negative minimumDifference.`,
    );
  } else if (repetitions > 1 && repetitionCorrelation == null)
    comments.push(
      "Without repetitionCorrelation, the plan assumes that repetitions always agree, so they save no rows.",
    );
  // Smaller differences are rounding errors.
  if (baseline !== undefined && usedCorrelation !== null && Math.abs(usedCorrelation - correlation) > 1e-9) {
    const rates = [baseline, baseline + (minimumDifference ?? 0)].map(shortDecimal).join(" and ");
    const limit = usedCorrelation < correlation ? "at most" : "at least";
    comments.push(
      `The correlation of the rates ${rates} is ${limit} ${shortDecimal(usedCorrelation)}, so the plan uses that instead of ${correlation}.`,
    );
  }
  const least = Math.abs(correlation);
  if (repetitions > 1 && repetitionCorrelation != null && repetitionCorrelation < least - 1e-9)
    comments.push(
      "Repetitions of one experiment correlate at least as much as two experiments, so the plan uses a repetitionCorrelation " +
        `of ${shortDecimal(least)} instead of ${shortDecimal(repetitionCorrelation)}.`,
    );
  if (hasClusters && !clusters)
    comments.push("The experiments have clusters. Set clusters, or the plan assumes independent rows.");
  if (pairs < FEW_PAIRS)
    comments.push(
      `The experiments have only ${pairs} pairs of scores, so the variance and the plan are uncertain.`,
    );
  return comments.join(" ") || null;
}
