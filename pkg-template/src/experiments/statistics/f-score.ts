/** Summary evaluators between precision and recall. */

import { OpenEvalsError } from "../../core/errors.js";
import {
  anything,
  type Checks,
  check,
  checkOptions,
  oneOf,
  required,
  show,
} from "../../core/input/checks.js";
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

/** How the values of the classes become one score. */
const AVERAGES = ["binary", "micro", "macro", "weighted"] as const;

/** How the values of the classes become one score. */
export type ClassAverage = (typeof AVERAGES)[number];

/** The options of {@link precision}, {@link recall} and {@link f1Score}. */
export interface AveragedOptions extends ClassificationOptions {
  /**
   * The class that the metric is about: any JSON value. It may be left out where the classes are `true` and `false`, or 1
   * and 0.
   */
  positive?: unknown;
  /**
   * How the values of the classes become one score: `binary` (the default), that of the class `positive`; `macro`, their
   * mean; `weighted`, their mean by how often each class is in the reference; `micro`, all rows together, which is the
   * accuracy where each row has one class.
   */
  average?: ClassAverage | undefined;
}

/** The options of {@link fBeta}. */
export interface FBetaOptions extends AveragedOptions {
  /** How much recall counts beside precision: 0.5 half as much, 2 twice as much. */
  beta: number;
}

/**
 * Makes a summary evaluator for precision: of what was answered with a class, the share that is right.
 *
 * As in scikit-learn, but what is a division by zero there, and 0 with a warning, is not defined here, as with its
 * `zero_division=np.nan`: the score is `null` if nothing was answered with the class, and averages leave such classes out
 * and name them in the comment.
 *
 * @returns A summary evaluator with the result `{ key: "precision", score, interval, comment?, metadata }`. The interval
 * is Wilson's for one class, and else the bootstrap's.
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
 * Makes a summary evaluator for recall: of what should be answered with a class, the share that was. In all else as
 * {@link precision}.
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
 * Makes a summary evaluator for the F1 score, the harmonic mean of precision and recall, with the bootstrap's interval.
 * It is 0 if no answer is right, and `null` if the class is neither in the outputs nor in the reference: then there was
 * nothing to find, and nothing was made up. The summary evaluator on LangSmith's page returns 0 for that; write
 * `score ?? 0` where an old series is to go on. In all else as {@link precision}.
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
 * Makes a summary evaluator for the F-beta score, a mean of precision and recall in which recall counts `beta` times as
 * much. In all else as {@link f1Score}.
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

const AVERAGED_OPTIONS: Checks<AveragedOptions> = {
  ...CLASSIFICATION_OPTIONS,
  positive: anything,
  average: oneOf(AVERAGES),
};

const F_BETA_OPTIONS: Checks<FBetaOptions> = {
  ...AVERAGED_OPTIONS,
  beta: required(check("a positive number", (value) => value > 0 && Number.isFinite(value))),
};

/** Precision, recall and what lies between: `part` is how much recall counts, from 0 to 1. */
function averaged(
  name: string,
  options: AveragedOptions,
  part: number,
  key: string,
): ClassificationEvaluator {
  const { average = "binary", positive } = options;
  if (positive !== undefined && average !== "binary") {
    throw new OpenEvalsError(
      "invalid_config",
      `positive names one class, and average "${average}" is over all classes; leave one of them out.`,
    );
  }
  return classification(name, options, key, async (labels) => {
    const score = (of: Average, why: string) =>
      scored(labels, options, (...rows) => bindings.fScore(part, of, ...rows), why);
    if (average !== "binary") return score(average, "there are no rows");
    const value = positive === undefined ? usualPositive(name, labels.classes) : positive;
    const side =
      part === 0 ? "no output" : part === 1 ? "no reference output" : "no output and no reference output";
    const number = await numberOfClass(labels.classes, value);
    const why = `${side} is ${show(value)}; the classes are ${labels.classes.map(show).join(", ") || "none"}`;
    return score({ binary: number }, why);
  });
}

/** Of `true` and `false`, or 1 and 0, the first. */
function usualPositive(name: string, classes: readonly unknown[]): unknown {
  for (const usual of [true, 1]) {
    if (classes.every((value) => typeof value === typeof usual && (value === usual || !value))) return usual;
  }
  throw new OpenEvalsError(
    "invalid_config",
    `${name} needs the option positive, the class that it is about, or an average over all of them, such as "macro"; the ` +
      `classes are ${classes.map(show).join(", ")}.`,
  );
}
