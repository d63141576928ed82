/** Summary evaluators over the scores of row evaluators: mean, median, percentile, pass rate. */

import { statisticsEngine } from "../../core/engine/statistics.js";
import {
  aString,
  check,
  checkOptions,
  numberFromTo,
  type OptionChecks,
  required,
} from "../../core/input/checks.js";
import { inNamed, PASS_OPTIONS, type PassOptions, passesByMark, withPassMark } from "../../core/passing.js";
import { SHARE } from "../../core/scales.js";
import { type MetricResult, metricResult, named } from "../../evaluators/summary/metric.js";
import {
  numberedGroups,
  STATISTICS_OPTIONS,
  type StatisticsOptions,
  settingsOf,
} from "../../evaluators/summary/settings.js";
import * as bindings from "../../openevals-statistics.js";
import type { Estimate } from "../../openevals-statistics.types.js";
import { type ScoreSummaryParams, type ScoresOfRows, scoresOf } from "./scores.js";

/** A summary evaluator over the scores of row evaluators. */
export type ScoreSummaryEvaluator = (params: ScoreSummaryParams) => Promise<MetricResult>;

/** The options of summary evaluators over scores. */
export interface ScoreMetricOptions extends StatisticsOptions {
  /** The key of the scores, such as `exact_match`. */
  key: string;
  /** The `key` of the result. Default: that key and the name of the metric, such as `exact_match:mean`. */
  feedbackKey?: string | undefined;
}

/** The options of {@link passRate}. Without a pass mark, it uses the one that the experiment records for the key. */
export interface PassRateOptions extends ScoreMetricOptions, PassOptions {}

/** The options of {@link percentile}. */
export interface PercentileOptions extends ScoreMetricOptions {
  /** Which percentile, from 0 to 100. */
  percent: number;
}

/**
 * Makes a summary evaluator for the mean of the scores of one key; for `true` and `false`, the rate of `true`.
 *
 * The confidence interval is as in {@link aggregateOf}. Repetitions of an example are one observation.
 *
 * @returns A summary evaluator with the result `{ key: "<key>:mean", score, interval, metadata }`. The score is `null`
 * if there are no scores.
 * @throws {@link OpenEvalsError} `invalid_config` for invalid options. The evaluator throws `invalid_input` if no row
 * evaluator returned a result with that key.
 *
 * @example
 * ```ts
 * import { mean } from "openevals-wasm/evaluation";
 *
 * const summary = mean({ key: "helpfulness" });
 * const scores = [0.5, 0.7, 0.9].map((score) => [{ key: "helpfulness", score }]);
 * const result = await summary({ evaluationResults: scores });
 * console.log(result.score); // 0.7…
 * ```
 */
export function mean(options: ScoreMetricOptions): ScoreSummaryEvaluator {
  const read = checkOptions("mean", options, SCORE_METRIC_OPTIONS);
  const meanOf = ({ scores, scale: { min, max }, ...ids }: ScoresOfRows) => {
    const { examples, clusters } = numberedGroups(ids);
    return statisticsEngine.run("a mean", scores.length, () =>
      bindings.meanOf(Float64Array.from(scores), min, max, examples, clusters, settingsOf(read)),
    );
  };
  return onScaleOf(read.key, scoreMetric("mean", read, "mean", meanOf));
}

/**
 * Makes a summary evaluator for the median of the scores of one key, with the interval of {@link percentile}: a 95% interval
 * needs 6 examples.
 *
 * @returns A summary evaluator with the result `{ key: "<key>:median", score, interval, metadata }`.
 * @throws {@link OpenEvalsError} as {@link mean} does.
 *
 * @example
 * ```ts
 * import { median } from "openevals-wasm/evaluation";
 *
 * const evaluationResults = [0.1, 0.8, 0.9].map((score) => [{ key: "helpfulness", score }]);
 * const { score } = await median({ key: "helpfulness" })({ evaluationResults });
 * console.log(score); // 0.8
 * ```
 */
export function median(options: ScoreMetricOptions): ScoreSummaryEvaluator {
  const read = checkOptions("median", options, SCORE_METRIC_OPTIONS);
  return onScaleOf(read.key, scoreMetric("median", read, "median", quantile(0.5, read)));
}

/**
 * Makes a summary evaluator for a percentile of the scores of one key, with linear interpolation (the default of
 * `numpy.percentile`).
 *
 * The interval lies between two of the scores in order, which enclose the percentile with at least the probability `level`,
 * for any distribution of scores (David and Nagaraja, *Order statistics*, 2003). Repetitions of an example count
 * by their effective number (Woodruff, 1952). If even the lowest and the highest score do not enclose the percentile often
 * enough, there is no interval, and `comment` says so. A 95% interval needs 29 examples for percentile 10 or 90, 59 for 5 or 95,
 * and 299 for 1 or 99. Percentiles 0 and 100 never have one.
 *
 * @returns A summary evaluator with the result `{ key: "<key>:p<percent>", score, interval, metadata }`.
 * @throws {@link OpenEvalsError} as {@link mean} does.
 *
 * @example
 * ```ts
 * import { percentile } from "openevals-wasm/evaluation";
 *
 * const evaluationResults = [15, 20, 35, 40, 50].map((score) => [{ key: "seconds", score }]);
 * const { key, score } = await percentile({ key: "seconds", percent: 90 })({ evaluationResults });
 * console.log(key, score); // seconds:p90 46
 * ```
 */
export function percentile(options: PercentileOptions): ScoreSummaryEvaluator {
  const read = checkOptions("percentile", options, PERCENTILE_OPTIONS);
  const compute = quantile(read.percent / 100, read);
  return onScaleOf(read.key, scoreMetric("percentile", read, `p${read.percent}`, compute));
}

/**
 * Makes a summary evaluator for the pass rate of one key, from 0 to 1, with Wilson's interval.
 *
 * @returns A summary evaluator with the result `{ key: "<key>:pass_rate", score, interval, metadata }`.
 * @throws {@link OpenEvalsError} as {@link mean} does, and `invalid_config` for numbers of a metric without a pass mark, such
 * as readability, unless you set `passAt`.
 *
 * @example
 * ```ts
 * import { passRate } from "openevals-wasm/evaluation";
 *
 * const evaluationResults = [0.4, 0.7, 0.9, 0.8].map((score) => [{ key: "helpfulness", score }]);
 * const { score } = await passRate({ key: "helpfulness", passAt: 0.7 })({ evaluationResults });
 * console.log(score); // 0.75
 * ```
 */
export function passRate(options: PassRateOptions): ScoreSummaryEvaluator {
  const read = checkOptions("passRate", options, PASS_RATE_OPTIONS);
  const rate = scoreMetric("passRate", read, "pass_rate", (found) => {
    const { examples, clusters } = numberedGroups(found);
    const passed = passedOf(found, read);
    return statisticsEngine.run("passRate", passed.length, () =>
      bindings.meanOf(passed, 0, 1, examples, clusters, settingsOf(read)),
    );
  });
  return ofShares(rate);
}

const SCORE_METRIC_OPTIONS: OptionChecks<ScoreMetricOptions> = {
  key: required(check("the key of an evaluator, such as exact_match", (value) => typeof value === "string")),
  feedbackKey: aString,
  ...STATISTICS_OPTIONS,
};

export const PASS_RATE_OPTIONS: OptionChecks<PassRateOptions> = {
  ...SCORE_METRIC_OPTIONS,
  ...PASS_OPTIONS,
};

const PERCENTILE_OPTIONS: OptionChecks<PercentileOptions> = {
  ...SCORE_METRIC_OPTIONS,
  percent: required(numberFromTo(0, 100)),
};

/** A score and its interval. `count` is set if it is not the number of scores. */
type Computed = Estimate & { count?: number; comment?: string };

/** Makes a summary evaluator over the scores of one key. The options are already checked. */
export function scoreMetric(
  name: string,
  { key, feedbackKey }: ScoreMetricOptions,
  suffix: string,
  compute: (found: ScoresOfRows) => Promise<Computed>,
): ScoreSummaryEvaluator {
  const resultKey = feedbackKey ?? `${key}:${suffix}`;
  return named(resultKey, async (params: ScoreSummaryParams) => {
    const found = scoresOf(name, key, params);
    const { count = found.scores.length, comment, ...estimate } = await compute(found);
    const { errors, notApplicable } = found;
    const explanation = comment ?? (count ? undefined : `No row has a score of ${JSON.stringify(key)}.`);
    return metricResult(resultKey, estimate, { count, errors, notApplicable }, explanation);
  });
}

/** Marks a summary evaluator whose scores are shares. */
export const ofShares = (evaluator: ScoreSummaryEvaluator): ScoreSummaryEvaluator =>
  Object.assign(evaluator, { scale: SHARE });

/** Marks a summary evaluator whose scores are on the scale of the scores of a key. */
const onScaleOf = (key: string, evaluator: ScoreSummaryEvaluator): ScoreSummaryEvaluator =>
  Object.defineProperty(evaluator, "scaleOfKey", { value: key });

function quantile(at: number, options: StatisticsOptions) {
  const settings = settingsOf(options);
  return async ({ scores, ...ids }: ScoresOfRows): Promise<Computed> => {
    const { examples, clusters } = numberedGroups(ids);
    const estimate = await statisticsEngine.run("a quantile", scores.length, () =>
      bindings.quantileOf(Float64Array.from(scores), examples, clusters, at, settings),
    );
    if (!scores.length || estimate.interval) return estimate;
    return { ...estimate, comment: at === 0 || at === 1 ? NO_BOUND : TOO_FEW };
  };
}

const NO_BOUND = "It has no interval: other rows may have more extreme scores.";

const TOO_FEW =
  "It has no interval: there are scores of too few examples to enclose the percentile with the probability `level`.";

/**
 * 1 for each score that passes, 0 for the others.
 *
 * @throws {@link OpenEvalsError} `invalid_config` for numbers of a metric without a pass mark.
 */
export function passedOf({ returned, scale }: ScoresOfRows, options: PassRateOptions): Float64Array {
  const { key } = options;
  const marked = inNamed(key, () => withPassMark(scale, options));
  return Float64Array.from(returned, (score) => Number(passesByMark(key, score, marked)));
}
