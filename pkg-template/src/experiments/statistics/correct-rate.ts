import { statisticsEngine } from "../../core/engine/statistics.js";
import { invalidConfig, invalidInput, typedWork } from "../../core/errors.js";
import {
  check,
  checkOptions,
  type OptionChecks,
  oneOf,
  readable,
  required,
  wholeFrom,
} from "../../core/input/checks.js";
import { isObject } from "../../core/input/objects.js";
import type { CalibrationReport, Figure, JudgeErrors } from "../../core/records/calibration.js";
import { numberOf, STATISTICS_OPTIONS, settingsOf } from "../../evaluators/summary/settings.js";
import * as bindings from "../../openevals-statistics.js";
import type { CorrectionMethod, VerdictCounts } from "../../openevals-statistics.types.js";
import type { Groups } from "./clusters.js";

export type { CorrectionMethod };

/** The options of {@link correctRate}. */
export interface CorrectRateOptions {
  /** The number of rows that the judge scored as true. */
  positives: number;
  /** The number of rows that the judge scored, without the labelled ones. */
  count: number;
  /** The report of `calibrate()` on labelled rows, for verdicts, or for scores with a threshold. */
  calibration: Pick<CalibrationReport, "verdicts">;
  /**
   * `rogan-gladen` (the default) uses sensitivity and specificity. They have to be the same on these rows as on the labelled
   * rows. `ppi`, prediction-powered inference, also uses the true rate of the labelled rows. These have to be a random sample
   * from the same population, and the interval is narrower.
   */
  method?: CorrectionMethod | undefined;
  /** The confidence level of the interval, between 0 and 1. Default: 0.95. */
  level?: number | undefined;
}

const OPTIONS: OptionChecks<CorrectRateOptions> = {
  positives: required(wholeFrom(0)),
  count: required(wholeFrom(1)),
  calibration: required(check("a report of calibrate()", isObject)),
  method: oneOf(["rogan-gladen", "ppi"]),
  level: STATISTICS_OPTIONS.level,
};

/**
 * Estimates the true rate from the rate that a judge found and from the judge's errors on labelled rows.
 *
 * The Rogan–Gladen estimate (1978) has the confidence interval of Lang and Reiczigel (2014). Prediction-powered inference is
 * weighted as in PPI++ (Angelopoulos et al., 2023); its interval adds pseudo-counts (Agresti and Min, 2005), so that it has a
 * width even for a judge that was never wrong. Both are clipped to 0 and 1.
 *
 * @returns `{ value, interval }`, from 0 to 1. Both are `null` if the judge is no better than chance, or if people labelled
 * no row true or no row false; the interval also if, with so few labels, the judge may be no better than chance.
 * @throws {@link OpenEvalsError} `invalid_config` for invalid options, `invalid_input` for a calibration without `verdicts`.
 *
 * @example
 * ```ts
 * import { correctRate } from "openevals-wasm/judges";
 *
 * const verdicts = { truePositives: 40, falseNegatives: 10, falsePositives: 30, trueNegatives: 70 };
 * const { value } = await correctRate({ positives: 450, count: 1_000, calibration: { verdicts } });
 * console.log(value?.toFixed(2)); // 0.30
 * ```
 */
export async function correctRate(options: CorrectRateOptions): Promise<Figure> {
  const {
    positives,
    count,
    calibration,
    method = "rogan-gladen",
    level,
  } = checkOptions("correctRate", options, OPTIONS);
  if (positives > count) {
    throw invalidConfig(
      `positives is ${positives}, but count is ${count}. There cannot be more positives than rows`,
    );
  }
  const verdicts = readable("correctRate", () => verdictCountsOf(calibration, "calibration"));
  const settings = settingsOf({ level });
  return typedWork("correctRate", () =>
    statisticsEngine.run("correctRate", 6, () =>
      bindings.trueRate(method, positives, count, verdicts, settings.level),
    ),
  );
}

/**
 * The true rate behind the scores of an experiment. Repetitions and clusters reduce the sample size to the effective one.
 *
 * @param groups The number of the example of each score, and that of its cluster if there are clusters.
 */
export async function correctScores(
  scores: readonly (number | boolean)[],
  { examples, clusters }: Groups,
  calibration: JudgeErrors,
): Promise<Figure> {
  const passed = reachedThreshold(scores, calibration);
  // Without a threshold, a score between 0 and 1 is neither true nor false.
  if (!passed?.length) return { value: null, interval: null };
  const verdicts = verdictCountsOf(calibration, "calibration");
  const { level } = settingsOf({});
  return statisticsEngine.run("correctRate", passed.length, () => {
    const count = bindings.effectiveCount(passed, examples, clusters, level);
    return bindings.trueRate("rogan-gladen", bindings.mean(passed) * count, count, verdicts, level);
  });
}

/**
 * Scores as 1 and 0, by the threshold if there is one. That is the lowest score that counts as true, which passes; if lower is
 * better, true fails, and it is the highest score that passes. `undefined` if a score is neither 1 nor 0.
 */
export function reachedThreshold(
  scores: readonly (number | boolean)[],
  { threshold, lowerIsBetter }: Pick<JudgeErrors, "threshold" | "lowerIsBetter">,
): Float64Array | undefined {
  const areTrue = Float64Array.from(scores, (score, index) => {
    const number = numberOf(score, `scores[${index}]`);
    if (threshold === undefined || typeof score === "boolean") return number;
    return Number(lowerIsBetter ? number > threshold : number >= threshold);
  });
  return areTrue.every((score) => score === 0 || score === 1) ? areTrue : undefined;
}

const isCount = (value: unknown): boolean => Number.isFinite(value) && (value as number) >= 0;

const KINDS = ["truePositives", "falseNegatives", "falsePositives", "trueNegatives"] as const;

/** Checks the counts of a calibration, which may be read from a file. */
export function verdictCountsOf(
  calibration: Pick<CalibrationReport, "verdicts">,
  name: string,
): VerdictCounts {
  const counts = Object(calibration?.verdicts) as Partial<VerdictCounts>;
  const verdicts = Object.fromEntries(KINDS.map((kind) => [kind, counts[kind]]));
  if (Object.values(verdicts).every(isCount)) return verdicts as unknown as VerdictCounts;
  throw invalidInput(
    `${name} has no counts of true and false verdicts. calibrate() counts them for labels that are true or false, for ` +
      "scores with threshold, and for classes with positive",
  );
}
