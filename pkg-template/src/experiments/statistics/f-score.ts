/** Summary evaluators for precision, recall and F-scores. */

import { invalidConfig } from "../../core/errors.js";
import {
  anything,
  check,
  checkOptions,
  type OptionChecks,
  oneOf,
  required,
  show,
} from "../../core/input/checks.js";
import { SHARE } from "../../core/scales.js";
import { numberOfClass } from "../../evaluators/summary/labels.js";
import * as bindings from "../../openevals-statistics.js";
import type { Average } from "../../openevals-statistics.types.js";
import { scored } from "./class-score.js";
import {
  CLASSIFICATION_OPTIONS,
  type ClassificationEvaluator,
  type ClassificationOptions,
  classification,
} from "./classification.js";

const AVERAGES = ["binary", "micro", "macro", "weighted"] as const;

/** How the scores of the classes are averaged. */
export type ClassAverage = (typeof AVERAGES)[number];

/** The options of {@link precision}, {@link recall} and {@link f1Score}. */
export interface AveragedOptions extends ClassificationOptions {
  /**
   * The positive class, as a JSON value. Default: `true` if the classes are `true` and `false`, 1 if they are 1 and 0;
   * otherwise it is required for the average `binary`.
   */
  positive?: unknown;
  /**
   * How the scores of the classes are averaged: `binary` (the default) is the score of the class `positive`; `macro` is the
   * mean over the classes; `weighted` weights that mean by how often each class is in the reference; `micro` counts all rows
   * together, which is the accuracy.
   */
  average?: ClassAverage | undefined;
}

/** The options of {@link fBeta}. */
export interface FBetaOptions extends AveragedOptions {
  /** The weight of recall relative to precision, above 0: 0.5 for half as much, 2 for twice as much. */
  beta: number;
}

/**
 * Makes a summary evaluator for precision: the share of outputs of a class whose reference is that class.
 *
 * It agrees with scikit-learn with `zero_division=np.nan`: the score is `null` if no output is the class, and averages leave
 * such classes out and name them in the `comment`.
 *
 * @returns A summary evaluator with the result `{ key: "precision", score, interval, comment?, metadata }`, with a score
 * from 0 to 1. The interval is Wilson's, for averages with the effective sample size. Averages have none for a single example,
 * if only one class occurs, or if a class of the reference is left out; macro averages over k classes need k · (k + 1) examples.
 * @throws {@link OpenEvalsError} as {@link accuracy} does.
 *
 * @example
 * ```ts
 * import { precision } from "openevals-wasm/evaluation";
 *
 * const { score } = await precision({ positive: "spam" })({
 *   outputs: ["spam", "spam", "ham"],
 *   referenceOutputs: ["spam", "ham", "spam"],
 * });
 * console.log(score); // 0.5
 * ```
 */
export function precision(options: AveragedOptions = {}): ClassificationEvaluator {
  return averaged("precision", checkOptions("precision", options, AVERAGED_OPTIONS), 0, "precision");
}

/**
 * Makes a summary evaluator for recall: the share of references of a class whose output is that class. The score is `null`
 * if no reference is the class; averages are as in {@link precision}.
 *
 * @returns A summary evaluator with the result `{ key: "recall", score, interval, comment?, metadata }`.
 * @throws {@link OpenEvalsError} as {@link accuracy} does.
 *
 * @example
 * ```ts
 * import { recall } from "openevals-wasm/evaluation";
 *
 * const { score } = await recall({ positive: "spam" })({
 *   outputs: ["spam", "spam", "ham"],
 *   referenceOutputs: ["spam", "ham", "spam"],
 * });
 * console.log(score); // 0.5
 * ```
 */
export function recall(options: AveragedOptions = {}): ClassificationEvaluator {
  return averaged("recall", checkOptions("recall", options, AVERAGED_OPTIONS), 1, "recall");
}

/**
 * Makes a summary evaluator for the F1 score, the harmonic mean of precision and recall. Averages and intervals are as in
 * {@link precision}.
 *
 * The score is 0 if no output is right, and `null` if the class is neither in the outputs nor in the reference. The example
 * in LangSmith's documentation returns 0 then; use `score ?? 0` to continue a series of such scores.
 *
 * @returns A summary evaluator with the result `{ key: "f1_score", score, interval, comment?, metadata }`.
 * @throws {@link OpenEvalsError} as {@link accuracy} does.
 *
 * @example
 * ```ts
 * import { f1Score } from "openevals-wasm/evaluation";
 *
 * const toxic = f1Score({ output: "class", positive: "Toxic" });
 * const { score } = await toxic({
 *   outputs: [{ class: "Toxic" }, { class: "Not toxic" }, { class: "Toxic" }],
 *   referenceOutputs: [{ class: "Toxic" }, { class: "Toxic" }, { class: "Toxic" }],
 * });
 * console.log(score); // 0.8
 * ```
 */
export function f1Score(options: AveragedOptions = {}): ClassificationEvaluator {
  return averaged("f1Score", checkOptions("f1Score", options, AVERAGED_OPTIONS), 1 / 2, "f1_score");
}

/**
 * Makes a summary evaluator for the F-beta score, the weighted harmonic mean of precision and recall in which recall counts
 * `beta` times as much. Averages and undefined scores are as in {@link f1Score}.
 *
 * @returns A summary evaluator with the result `{ key: "f<beta>_score", score, interval, comment?, metadata }`.
 * @throws {@link OpenEvalsError} as {@link accuracy} does.
 *
 * @example
 * ```ts
 * import { fBeta } from "openevals-wasm/evaluation";
 *
 * const { key, score } = await fBeta({ beta: 2, positive: true })({
 *   outputs: [true, true, false],
 *   referenceOutputs: [true, false, false],
 * });
 * console.log(key, score); // f2_score 0.833…
 * ```
 */
export function fBeta(options: FBetaOptions): ClassificationEvaluator {
  const { beta, ...averagedOptions } = checkOptions("fBeta", options, F_BETA_OPTIONS);
  return averaged("fBeta", averagedOptions, 1 - 1 / (1 + beta * beta), `f${beta}_score`);
}

const AVERAGED_OPTIONS: OptionChecks<AveragedOptions> = {
  ...CLASSIFICATION_OPTIONS,
  positive: anything,
  average: oneOf(AVERAGES),
};

const F_BETA_OPTIONS: OptionChecks<FBetaOptions> = {
  ...AVERAGED_OPTIONS,
  beta: required(check("a positive number", (value) => value > 0 && Number.isFinite(value))),
};

/** Precision, recall and F-scores: `recallWeight` is 0 for precision, 1 for recall. */
function averaged(
  name: string,
  options: AveragedOptions,
  recallWeight: number,
  key: string,
): ClassificationEvaluator {
  const { average = "binary", positive } = options;
  if (positive !== undefined && average !== "binary") {
    throw invalidConfig(
      `positive selects one class, but average "${average}" is over all classes. Set only one of them`,
    );
  }
  return classification(name, options, key, SHARE, async (labels) => {
    const score = (of: Average, why: string) =>
      scored(labels, options, (...rows) => bindings.fScore(recallWeight, of, ...rows), why);
    if (average !== "binary") return score(average, "there are no rows");
    const value = positive === undefined ? defaultPositive(name, labels.classes) : positive;
    const side =
      recallWeight === 0
        ? "no output"
        : recallWeight === 1
          ? "no reference output"
          : "no output and no reference output";
    const number = await numberOfClass(labels.classes, value);
    const why = `${side} is ${show(value)}; the classes are ${labels.classes.map(show).join(", ") || "none"}`;
    return score({ binary: number }, why);
  });
}

/** `true` of the classes `true` and `false`, 1 of 1 and 0. */
function defaultPositive(name: string, classes: readonly unknown[]): unknown {
  for (const positive of [true, 1]) {
    const fits = (value: unknown) => typeof value === typeof positive && (value === positive || !value);
    if (classes.every(fits)) return positive;
  }
  throw invalidConfig(
    `${name} needs the option positive, the class that it measures, or an average over all classes, such as "macro"; the ` +
      `classes are ${classes.map(show).join(", ")}`,
  );
}
