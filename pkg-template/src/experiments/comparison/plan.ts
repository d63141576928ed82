/** How large a comparison has to be. */

import { statisticsEngine } from "../../core/engine/statistics.js";
import { OpenEvalsError } from "../../core/errors.js";
import {
  aRepetitionCount,
  aString,
  type Checks,
  check,
  checkOptions,
  isListOf,
  wholeFrom,
} from "../../core/input/checks.js";
import type { Experiment } from "../../core/records/types.js";
import { LEVEL, STATISTICS_OPTIONS } from "../../evaluators/summary/settings.js";
import * as bindings from "../../openevals-statistics.js";
import { aRange } from "../statistics/sequence.js";
import { type Pilot, pilotOf } from "./pilot.js";

/** The options of {@link planExperiment}. */
export interface PlanExperimentOptions {
  /** The rate that the first experiment will have, from 0 to 1, where scores are `true` and `false`. */
  baseline?: number | undefined;
  /** In the place of `baseline`: the standard deviation of single scores, where they are numbers. */
  standardDeviation?: number | undefined;
  /**
   * In the place of `baseline` or `standardDeviation`: two experiments that have run, such as a pilot. For rates, the
   * plan takes the rate of the first and the correlation of both; for numbers, the standard deviation of the differences,
   * whichever comes first; for `repetitions`, the `repetitionCorrelation`: all of the scores of `key`. Options that are given
   * take precedence. With fewer than 50 pairs of scores, `comment` says that the plan is uncertain.
   */
  experiments?: readonly [Pick<Experiment, "rows">, Pick<Experiment, "rows">] | undefined;
  /** Which scores of the `experiments`; not needed if there is one key. */
  key?: string | undefined;
  /** The difference that is to be found, below 0 for a fall; left out, it is what comes out (as a rise). */
  minimumDifference?: number | undefined;
  /**
   * In the place of `minimumDifference`: the `margin` of {@link compareExperiments}, above 0. The plan then is for showing that
   * the second experiment is not worse by as much, if both are equally good in truth.
   */
  margin?: number | undefined;
  /** For a `margin` of numbers: the lowest and the highest score that there can be; `[0, 1]` by default. */
  range?: readonly [number, number] | undefined;
  /** How likely it is to be found, between 0 and 1; 0.8 unless it is what comes out. */
  power?: number | undefined;
  /** One minus the p-value below which it counts as found; 0.95 by default. */
  level?: number | undefined;
  /** How many times each row is run in both experiments; 1 by default. */
  repetitions?: number | undefined;
  /**
   * The correlation of the two scores that a row has, one in each experiment, from -1 to 1. The more two versions are right
   * on the same rows, the fewer rows are needed: 0.5 is usual after a small change. 0 by default, which is careful.
   */
  correlation?: number | undefined;
  /**
   * The correlation of the scores that a row has in two repetitions, from 0 to 1: the `flicker.correlation` of an
   * aggregate. By default 1, which is careful: repetitions that always agree save no rows.
   */
  repetitionCorrelation?: number | undefined;
  /**
   * If rows come in clusters, as with `clusterBy`: how many rows a cluster has on average, and the correlation from 0 to 1
   * of the differences of two rows of the same cluster. The variance is `1 + (size - 1) * correlation` times as large: the
   * design effect. Unequal clusters take more rows than that.
   */
  clusters?: { size: number; correlation: number } | undefined;
  /** How many rows there are; left out, it is what comes out. */
  rows?: number | undefined;
}

/** What a comparison of two experiments can find. */
export interface ExperimentPlan {
  /** How many rows each experiment has. `null` if no number of them is enough. */
  rows: number | null;
  /** The difference that is found. `null` if none is large enough. */
  minimumDifference: number | null;
  /** How likely it is found. */
  power: number | null;
  /** Why something is `null`, or what had to be assumed; `null` if there is nothing to say. */
  comment: string | null;
}

const aShare = check("a number between 0 and 1", (value) => {
  return typeof value === "number" && value > 0 && value < 1;
});
const aCorrelation = (least: number) =>
  check(`a number from ${least} to 1`, (value) => typeof value === "number" && value >= least && value <= 1);
const isAboveZero = (value: unknown) => typeof value === "number" && value > 0 && value < 1e9;

const OPTIONS: Checks<PlanExperimentOptions> = {
  baseline: aShare,
  standardDeviation: check("a number above 0", isAboveZero),
  experiments: check("a list of two experiments", (list) => {
    return isListOf(list, (one) => Array.isArray((one as Experiment | null)?.rows)) && list.length === 2;
  }),
  key: aString,
  minimumDifference: check("a number other than 0", (value) => isAboveZero(Math.abs(value))),
  margin: check("a number above 0", isAboveZero),
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
 * How large a comparison of two experiments over the same rows has to be, before it is paid for: how many rows find a
 * difference, which difference so many rows find, or how likely they do. Of `rows`, `minimumDifference` and `power`, it is
 * the one that is left out (Miller, *Adding error bars to evals*, 2024).
 *
 * It plans for the tests of {@link compareExperiments}: for rates that are run once, McNemar's exact test (its exact power
 * while at most 400 rows are expected to differ, and beyond that by the normal distribution with a correction for
 * continuity); for all else, Student's t of the differences; with a `margin`, the test of that margin. The variance of a
 * row's difference is that of both scores, as far as repetitions leave it, without what both have in common.
 *
 * @throws {@link OpenEvalsError} `invalid_config` for options that cannot be, or that leave nothing or too much open.
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
  const { correlation = 0, repetitionCorrelation = 1, clusters } = read;
  const isOpen = rows === undefined || (minimumDifference ?? margin) === undefined;
  const power = read.power ?? (isOpen ? 0.8 : undefined);
  if ((baseline === undefined) === (standardDeviation === undefined)) {
    throw wrong(
      "planExperiment needs either baseline, the rate of true, or standardDeviation, that of numbers, or two experiments",
    );
  }
  if (margin !== undefined && minimumDifference !== undefined) {
    throw wrong("margin and minimumDifference are two questions; leave one of them out");
  }
  if (rows === undefined && minimumDifference === undefined && margin === undefined) {
    throw wrong("planExperiment needs rows, minimumDifference or margin");
  }
  if (!isOpen && power !== undefined) {
    throw wrong("planExperiment finds one of rows, minimumDifference and power; leave one of them out");
  }
  const other = (baseline ?? 0) + (minimumDifference ?? 0);
  if (baseline !== undefined && (other < 0 || other > 1)) {
    throw wrong(`minimumDifference is ${minimumDifference}; a baseline of ${baseline} would become ${other}`);
  }
  if (repetitions > 1 && repetitionCorrelation < Math.abs(correlation)) {
    throw wrong(
      `repetitionCorrelation is ${repetitionCorrelation}, and correlation ${correlation}; two experiments have no more in ` +
        "common than repetitions of one",
    );
  }
  // The test of a margin goes by shares of the range.
  const size = margin !== undefined && baseline === undefined ? range[1] - range[0] : 1;
  if (margin !== undefined && margin >= size) {
    throw wrong(`margin is ${margin}; no difference is larger, with scores from ${range[0]} to ${range[1]}`);
  }
  const figures = await statisticsEngine.run("planExperiment", 1, () =>
    bindings.plan({
      baseline,
      standardDeviation: standardDeviation === undefined ? undefined : standardDeviation / size,
      margin: margin === undefined ? undefined : margin / size,
      minimumDifference,
      power,
      level,
      repetitions,
      correlation,
      repetitionCorrelation,
      clusterSize: clusters?.size ?? 1,
      clusterCorrelation: clusters?.correlation ?? 0,
      rows,
    }),
  );
  return { ...figures, comment: commentOn(figures, read, pilot?.pairs) };
}

/** The options, with what a pilot says where they say nothing. */
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

/** With fewer pairs, the variance of a pilot is a guess. */
const FEW_PAIRS = 50;

function commentOn(
  { rows, minimumDifference }: Omit<ExperimentPlan, "comment">,
  { baseline, margin, repetitions = 1, repetitionCorrelation }: PlanExperimentOptions,
  pairs = FEW_PAIRS,
): string | null {
  const comments: string[] = [];
  if (rows === null) comments.push("A billion rows are not enough.");
  else if (minimumDifference === null && margin === undefined)
    comments.push(`Not even a rise from ${baseline} to 1 is found by so few rows.`);
  else if (repetitions > 1 && repetitionCorrelation === undefined)
    comments.push(
      "Without repetitionCorrelation, repetitions are taken to agree, so that they save no rows.",
    );
  if (pairs < FEW_PAIRS)
    comments.push(
      `The experiments have only ${pairs} pairs of scores: the plan is as uncertain as what they say of the variance.`,
    );
  return comments.join(" ") || null;
}

const wrong = (message: string) => new OpenEvalsError("invalid_config", `${message}.`);
