import { statisticsEngine } from "../../core/engine/statistics.js";
import { OpenEvalsError, typedWork } from "../../core/errors.js";
import {
  type Checks,
  check,
  checkOptions,
  oneOf,
  readable,
  required,
  wholeFrom,
} from "../../core/input/checks.js";
import type { CalibrationReport, Figure } from "../../core/records/calibration.js";
import { numberOf, STATISTICS_OPTIONS, settingsOf } from "../../evaluators/summary/settings.js";
import * as bindings from "../../openevals-statistics.js";
import type { CorrectionMethod, VerdictCounts } from "../../openevals-statistics.types.js";

export type { CorrectionMethod };

const isCalibration = (report: any): boolean => typeof report?.verdicts?.truePositives === "number";

/** What is known of judges, by key. */
export const CALIBRATION_OPTION = check("an object of what calibrate() came to, by key", (reports) => {
  const isPlain = Object.prototype.toString.call(reports) === "[object Object]";
  return isPlain && Object.values(reports).every(isCalibration);
});

/** The options of {@link correctRate}. */
export interface CorrectRateOptions {
  /** How many rows the judge found to be true. */
  positives: number;
  /** Of how many, which nobody has labelled. */
  count: number;
  /** What is known of the judge: what `calibrate()` came to for verdicts, or for scores with a threshold. */
  calibration: Pick<CalibrationReport, "verdicts">;
  /**
   * `rogan-gladen` (the default) goes by sensitivity and specificity, which have to be the same on these rows as on those
   * that people labelled. `ppi`, prediction-powered inference, also has the rate of these: they have to be a random sample
   * of the same rows, and the interval is the narrower for it.
   */
  method?: CorrectionMethod | undefined;
  /** The level of the interval, between 0 and 1; 0.95 by default. */
  level?: number | undefined;
}

const OPTIONS: Checks<CorrectRateOptions> = {
  positives: required(wholeFrom(0)),
  count: required(wholeFrom(1)),
  calibration: required(
    check("what calibrate() came to", (report) => typeof report === "object" && report !== null),
  ),
  method: oneOf(["rogan-gladen", "ppi"]),
  level: STATISTICS_OPTIONS.level,
};

/**
 * The true rate behind the rate that a judge found, from how often it was wrong on rows that people have labelled.
 *
 * Rogan and Gladen's estimate has the interval of Lang and Reiczigel (2014). That of prediction-powered inference is
 * weighted as in PPI++, and its interval is made of counts to which successes and failures are added (Agresti and Min,
 * 2005), since it would have no width for a judge that was never wrong. Both are cut to 0 and 1.
 *
 * @returns `{ value, interval }`; both `null` where the judge is no better than a coin, or where people called no row true
 * or none false, so that nothing can be told.
 * @throws {@link OpenEvalsError} `invalid_config` for options that cannot work, `invalid_input` for a calibration without
 * `verdicts`.
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
    throw new OpenEvalsError(
      "invalid_config",
      `positives is ${positives}, and count ${count}; there cannot be more positives than rows.`,
    );
  }
  const verdicts = readable("correctRate", () => verdictsOf(calibration, "calibration"));
  const settings = settingsOf({ level });
  return typedWork("correctRate", () =>
    statisticsEngine.run("correctRate", 6, () =>
      bindings.trueRate(method, positives, count, verdicts, settings.level),
    ),
  );
}

/**
 * The true rate of an experiment's scores, where repetitions of an example tell less than as many rows.
 *
 * @param units The number of the example, or of the cluster, of each score.
 */
export async function correctScores(
  scores: readonly (number | boolean)[],
  units: Uint32Array,
  calibration: Pick<CalibrationReport, "verdicts" | "threshold">,
): Promise<Figure> {
  const passed = passedOf(scores, calibration.threshold);
  // Without a threshold, a score between cannot be told to be right or wrong.
  if (!passed?.length) return { value: null, interval: null };
  const verdicts = verdictsOf(calibration, "calibration");
  const { level } = settingsOf({});
  return statisticsEngine.run("correctRate", passed.length, () => {
    const count = bindings.effectiveCount(passed, units, level);
    return bindings.trueRate("rogan-gladen", bindings.mean(passed) * count, count, verdicts, level);
  });
}

/** Verdicts as 1 and 0; of numbers, whether they reach the threshold. `undefined` if a score is neither. */
export function passedOf(
  scores: readonly (number | boolean)[],
  threshold: number | undefined,
): Float64Array | undefined {
  const passed = Float64Array.from(scores, (score, index) => {
    const number = numberOf(score, `scores[${index}]`);
    return threshold === undefined || typeof score === "boolean" ? number : Number(number >= threshold);
  });
  return passed.every((score) => score === 0 || score === 1) ? passed : undefined;
}

const isCount = (value: unknown): boolean => Number.isFinite(value) && (value as number) >= 0;

const KINDS = ["truePositives", "falseNegatives", "falsePositives", "trueNegatives"] as const;

/** The counts of a calibration, which may have been read from a file. */
export function verdictsOf(calibration: Pick<CalibrationReport, "verdicts">, name: string): VerdictCounts {
  const given = Object(calibration?.verdicts) as Partial<VerdictCounts>;
  const verdicts = Object.fromEntries(KINDS.map((kind) => [kind, given[kind]]));
  if (Object.values(verdicts).every(isCount)) return verdicts as unknown as VerdictCounts;
  throw new OpenEvalsError(
    "invalid_input",
    `${name} has no verdicts that are true or false; calibrate() counts them where labels are true or false, with a ` +
      "threshold for scores, or with positive for classes.",
  );
}
