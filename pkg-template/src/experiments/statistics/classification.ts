/** Summary evaluators for classification: accuracy, kappa, Matthews correlation, confusion matrix. */

import { statisticsEngine } from "../../core/engine/statistics.js";
import { invalidInput } from "../../core/errors.js";
import { aString, checkOptions, type OptionChecks } from "../../core/input/checks.js";
import { aPlace } from "../../core/input/field.js";
import { CORRELATION, SHARE } from "../../core/scales.js";
import type { ScoreScale } from "../../core/types.js";
import {
  type ClassificationParams,
  type LabelOptions,
  type ReadLabels,
  readLabels,
} from "../../evaluators/summary/labels.js";
import {
  type Conclude,
  type MetricMetadata,
  type MetricResult,
  named,
} from "../../evaluators/summary/metric.js";
import { STATISTICS_OPTIONS, type StatisticsOptions } from "../../evaluators/summary/settings.js";
import * as bindings from "../../openevals-statistics.js";
import { scored } from "./class-score.js";

/** A summary evaluator that compares predicted classes with reference classes. */
export type ClassificationEvaluator<Result = MetricResult> = (
  params: ClassificationParams,
) => Promise<Result>;

/** The options of classification metrics. */
export interface ClassificationOptions extends LabelOptions, StatisticsOptions {
  /** The `key` of the result. Default: the name of the metric, such as `f1_score`. */
  feedbackKey?: string | undefined;
}

/** The result of {@link confusionMatrix}. */
export type ConfusionMatrixResult = {
  key: string;
  /** The classes, and the counts: a row for each reference class, a column for each predicted class. */
  value: { labels: unknown[]; matrix: number[][] };
  metadata: MetricMetadata;
};

/**
 * Makes a summary evaluator for accuracy: the share of rows whose class equals the reference class, with Wilson's interval.
 *
 * @returns A summary evaluator for `evaluate()` of this package and of LangSmith. Its result is
 * `{ key: "accuracy", score, interval, metadata }`. The score is from 0 to 1, or `null` without rows. Failed runs are left
 * out and counted in `metadata.errors`.
 * @throws {@link OpenEvalsError} `invalid_config` for invalid options. The evaluator throws `invalid_input` for a row
 * without a class.
 *
 * @example
 * ```ts
 * import { accuracy } from "openevals-wasm/evaluation";
 *
 * const { score } = await accuracy({ output: "class", reference: "label" })({
 *   outputs: [{ class: "spam", sure: 0.9 }, { class: "ham", sure: 0.6 }],
 *   referenceOutputs: [{ label: "spam" }, { label: "spam" }],
 * });
 * console.log(score); // 0.5
 * ```
 */
export function accuracy(options: ClassificationOptions = {}): ClassificationEvaluator {
  const read = checkOptions("accuracy", options, CLASSIFICATION_OPTIONS);
  return classification("accuracy", read, "accuracy", SHARE, (labels) =>
    scored(labels, read, (...rows) => bindings.fScore(0, "micro", ...rows), "there are no rows"),
  );
}

/**
 * Makes a summary evaluator for Cohen's kappa (*A coefficient of agreement for nominal scales*, 1960): the agreement of
 * outputs and reference beyond chance, from -1 to 1. Complete agreement is 1, agreement by chance is 0.
 *
 * The interval is computed as for `kappa` in `calibrate()`. It is missing if fewer than 5 reference labels are outside the most
 * frequent class. The score is `null` if all outputs and references are the same class.
 *
 * @returns A summary evaluator with the result `{ key: "cohens_kappa", score, interval, comment?, metadata }`.
 * @throws {@link OpenEvalsError} as {@link accuracy} does.
 *
 * @example
 * ```ts
 * import { cohensKappa } from "openevals-wasm/evaluation";
 *
 * const { score } = await cohensKappa()({
 *   outputs: ["yes", "yes", "no", "no"],
 *   referenceOutputs: ["yes", "no", "no", "no"],
 * });
 * console.log(score); // 0.5
 * ```
 */
export function cohensKappa(options: ClassificationOptions = {}): ClassificationEvaluator {
  const read = checkOptions("cohensKappa", options, CLASSIFICATION_OPTIONS);
  return classification("cohensKappa", read, "cohens_kappa", CORRELATION, (labels) =>
    scored(
      labels,
      read,
      (...rows) => bindings.cohensKappa(...rows),
      "all outputs and reference outputs are of the same class",
    ),
  );
}

/**
 * Makes a summary evaluator for the Matthews correlation coefficient, for any number of classes (Gorodkin, *Comparing two
 * K-category assignments by a K-category correlation coefficient*, 2004), from -1 to 1. Complete agreement is 1, agreement
 * by chance is 0.
 *
 * The interval is missing if fewer than 5 reference labels are outside the most frequent class. The score is `null` if all
 * outputs, or all references, are the same class.
 *
 * @returns A summary evaluator with the result `{ key: "matthews_correlation", score, interval, comment?, metadata }`.
 * @throws {@link OpenEvalsError} as {@link accuracy} does.
 *
 * @example
 * ```ts
 * import { matthewsCorrelation } from "openevals-wasm/evaluation";
 *
 * const { score } = await matthewsCorrelation()({
 *   outputs: ["yes", "yes", "no", "no"],
 *   referenceOutputs: ["yes", "no", "no", "no"],
 * });
 * console.log(score); // 0.577…
 * ```
 */
export function matthewsCorrelation(options: ClassificationOptions = {}): ClassificationEvaluator {
  const read = checkOptions("matthewsCorrelation", options, CLASSIFICATION_OPTIONS);
  return classification("matthewsCorrelation", read, "matthews_correlation", CORRELATION, (labels) =>
    scored(
      labels,
      read,
      (...rows) => bindings.matthewsCorrelation(...rows),
      "all outputs, or all reference outputs, are of the same class",
    ),
  );
}

/** A larger matrix is unreadable: `output` probably names the wrong field. */
const MAX_CLASSES = 1000;

/**
 * Makes a summary evaluator for the confusion matrix: how often each reference class was predicted as each class.
 *
 * @returns A summary evaluator with the result `{ key: "confusion_matrix", value: { labels, matrix }, metadata }`, without
 * a score. `matrix[i][j]` counts the rows with the reference `labels[i]` and the output `labels[j]`. Labels are in
 * ascending order.
 * @throws {@link OpenEvalsError} as {@link accuracy} does, and `invalid_input` for more than 1,000 classes.
 *
 * @example
 * ```ts
 * import { confusionMatrix } from "openevals-wasm/evaluation";
 *
 * const { value } = await confusionMatrix()({
 *   outputs: ["spam", "ham", "ham"],
 *   referenceOutputs: ["spam", "spam", "ham"],
 * });
 * console.log(value); // { labels: ["ham", "spam"], matrix: [[1, 0], [1, 1]] }
 * ```
 */
export function confusionMatrix(
  options: ClassificationOptions = {},
): ClassificationEvaluator<ConfusionMatrixResult> {
  const read = checkOptions("confusionMatrix", options, CLASSIFICATION_OPTIONS);
  return classification("confusionMatrix", read, "confusion_matrix", undefined, async (labels) => {
    const { classes, outputs, references } = labels;
    const size = classes.length;
    if (size > MAX_CLASSES) {
      throw invalidInput(
        `confusionMatrix found ${size} classes; the limit is ${MAX_CLASSES}. Check that output and reference name the class`,
      );
    }
    const cells = await statisticsEngine.run("confusionMatrix", outputs.length, () =>
      bindings.confusionMatrix(outputs, references),
    );
    const matrix = classes.map((_, row) => Array.from(cells.subarray(row * size, (row + 1) * size)));
    return (key, metadata): ConfusionMatrixResult => ({ key, value: { labels: classes, matrix }, metadata });
  });
}

export const CLASSIFICATION_OPTIONS: OptionChecks<ClassificationOptions> = {
  output: aPlace,
  reference: aPlace,
  feedbackKey: aString,
  ...STATISTICS_OPTIONS,
};

/** Makes a summary evaluator over classes. The options are already checked. Without a scale, it has no score. */
export function classification<Result>(
  name: string,
  options: ClassificationOptions,
  defaultKey: string,
  scale: ScoreScale | undefined,
  compute: (labels: ReadLabels) => Promise<Conclude<Result>>,
): ClassificationEvaluator<Result> {
  const key = options.feedbackKey ?? defaultKey;
  const evaluate = named(key, async (params: ClassificationParams) => {
    const labels = await readLabels(name, params, options);
    const conclude = await compute(labels);
    return conclude(key, { count: labels.outputs.length, errors: labels.errors });
  });
  return scale ? Object.assign(evaluate, { scale }) : evaluate;
}
