/** Summary evaluators that compare classes with those of the reference. */

import { OpenEvalsError } from "../../errors.js";
import { given, knownOptions, oneOf, show } from "../../input/options.js";
import { checkStatisticsOptions, figuresOf, type StatisticsOptions } from "./figures.js";
import {
  type ClassificationParams,
  type LabelOptions,
  type Labels,
  numberOfClass,
  readLabels,
} from "./labels.js";
import { type MetricMetadata, type MetricResult, metricResult, named, required } from "./metric.js";

/** A summary evaluator that compares classes with those of the reference. */
export type ClassificationEvaluator<Result = MetricResult> = (
  params: ClassificationParams,
) => Promise<Result>;

/** The options of summary evaluators over classes. */
export interface ClassificationOptions extends LabelOptions, StatisticsOptions {
  /** The `key` of the result; by default the name of the metric, such as `f1_score`. */
  feedbackKey?: string | undefined;
}

/** How the values of the classes become one score. */
export type ClassAverage = "binary" | "micro" | "macro" | "weighted";

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

/** The result of {@link confusionMatrix}. */
export type ConfusionMatrixResult = {
  key: string;
  /** The classes, and how often each class of the reference (row) was answered with each class (column). */
  value: { labels: unknown[]; matrix: number[][] };
  metadata: MetricMetadata;
};

/**
 * Makes a summary evaluator for the share of rows whose class is that of the reference, with Wilson's interval.
 *
 * @returns A summary evaluator with the result `{ key: "accuracy", score, interval, metadata }`, for `evaluate()` of this
 * package and of LangSmith. The score is from 0 to 1; `null` if there are no rows. Runs that failed are left out, and
 * counted in `metadata.errors`.
 * @throws {@link OpenEvalsError} `invalid_config` for options that cannot work. The evaluator throws `invalid_input` for
 * rows in which no class is found.
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
  return classification("accuracy", options, [], "accuracy", (labels) =>
    scored("f", labels, options, [0, AVERAGES.indexOf("micro")], "there are no rows"),
  );
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
  return averaged("precision", options, [], 0, "precision");
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
  return averaged("recall", options, [], 1, "recall");
}

/**
 * Makes a summary evaluator for the F1 score, the harmonic mean of precision and recall, with the bootstrap's interval.
 * It is 0 if no answer is right, and `null` if the class is neither in the outputs nor in the reference. In all else as
 * {@link precision}.
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
  return averaged("f1Score", options, [], 1 / 2, "f1_score");
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
  const { beta } = options ?? {};
  const evaluate = averaged("fBeta", options, ["beta"], 1 - 1 / (1 + beta * beta), `f${beta}_score`);
  required("beta", beta, "a positive number", (value) => value > 0 && Number.isFinite(value));
  return evaluate;
}

/**
 * Makes a summary evaluator for Cohen's kappa: how far outputs and reference agree beyond what chance would make of it, 1
 * for complete agreement, 0 for that of chance. It has the bootstrap's interval, and is `null` if all rows on both sides
 * have the same class.
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
  return classification("cohensKappa", options, [], "cohens_kappa", (labels) =>
    scored("cohens_kappa", labels, options, [], "all outputs and reference outputs are of the same class"),
  );
}

/**
 * Makes a summary evaluator for the Matthews correlation coefficient of outputs and reference, for any number of classes:
 * 1 for complete agreement, 0 for none beyond chance, at least -1. It has the bootstrap's interval, and is `null` if all
 * rows on one side have the same class.
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
  return classification("matthewsCorrelation", options, [], "matthews_correlation", (labels) =>
    scored(
      "matthews_correlation",
      labels,
      options,
      [],
      "all outputs, or all reference outputs, are of the same class",
    ),
  );
}

/** A matrix with more classes would help nobody. */
const MAX_CLASSES = 1000;

/**
 * Makes a summary evaluator that counts how often each class of the reference was answered with each class.
 *
 * @returns A summary evaluator with the result `{ key: "confusion_matrix", value: { labels, matrix }, metadata }`, without
 * a score. `matrix[i][j]` is how often `labels[i]` was the reference and `labels[j]` the answer. Labels are in ascending
 * order.
 * @throws {@link OpenEvalsError} as {@link accuracy} does; `invalid_input` also for more than 1,000 classes.
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
  return classification("confusionMatrix", options, [], "confusion_matrix", async (labels) => {
    const { classes, outputs, references } = labels;
    const size = classes.length;
    if (size > MAX_CLASSES) {
      throw new OpenEvalsError(
        "invalid_input",
        `confusionMatrix found ${size} classes, and takes ${MAX_CLASSES}; are these classes?`,
      );
    }
    const cells = await figuresOf("confusion_matrix", options, [outputs, references], undefined, [size]);
    const matrix = classes.map((_, row) => cells.slice(row * size, (row + 1) * size));
    return (key, metadata): ConfusionMatrixResult => ({ key, value: { labels: classes, matrix }, metadata });
  });
}

/** In the order in which the engine numbers them. */
const AVERAGES: readonly ClassAverage[] = ["binary", "micro", "macro", "weighted"];

/** Precision, recall and what lies between: `part` is how much recall counts, from 0 to 1. */
function averaged(
  name: string,
  options: AveragedOptions,
  more: readonly string[],
  part: number,
  key: string,
): ClassificationEvaluator {
  const known = ["positive", "average", ...more];
  const evaluate = classification(name, options, known, key, async (labels) => {
    const { average = "binary", positive } = options;
    if (average !== "binary")
      return scored("f", labels, options, [part, AVERAGES.indexOf(average)], "there are no rows");
    const value = positive === undefined ? usualPositive(name, labels.classes) : positive;
    const side =
      part === 0 ? "no output" : part === 1 ? "no reference output" : "no output and no reference output";
    const number = numberOfClass(labels.classes, value);
    const why = `${side} is ${show(value)}; the classes are ${labels.classes.map(show).join(", ") || "none"}`;
    return scored("f", labels, options, [part, 0, number < 0 ? labels.classes.length : number], why);
  });
  const { average, positive } = options;
  if (average !== undefined) oneOf("average", average, AVERAGES);
  if (positive !== undefined && average !== undefined && average !== "binary") {
    throw new OpenEvalsError(
      "invalid_config",
      `positive names one class, and average "${average}" is over all classes; leave one of them out.`,
    );
  }
  return evaluate;
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

/** Makes the result, once the key and the counts are known. */
type Conclude<Result> = (key: string, metadata: MetricMetadata) => Result;

function classification<Result>(
  name: string,
  options: ClassificationOptions,
  more: readonly string[],
  defaultKey: string,
  compute: (labels: Labels) => Promise<Conclude<Result>>,
): ClassificationEvaluator<Result> {
  knownOptions(name, options, ["output", "reference", ...more, "feedbackKey", "seed", "level"]);
  const { output, reference, feedbackKey } = options;
  for (const [option, value] of Object.entries({ output, reference })) {
    given(option, value, "a key or a function", (source) => ["string", "function"].includes(typeof source));
  }
  given("feedbackKey", feedbackKey, "a string", (value) => typeof value === "string");
  checkStatisticsOptions(options);
  const key = feedbackKey ?? defaultKey;
  return named(key, async (params: ClassificationParams) => {
    const labels = readLabels(name, params, options);
    const conclude = await compute(labels);
    return conclude(key, { count: labels.outputs.length, errors: labels.errors });
  });
}

/** A score of the engine, with a comment if it is not defined, or not for all classes. */
async function scored(
  summary: "f" | "cohens_kappa" | "matthews_correlation",
  labels: Labels,
  options: StatisticsOptions,
  args: readonly number[],
  whyUndefined: string,
): Promise<Conclude<MetricResult>> {
  const { outputs, references, exampleIds, classes } = labels;
  const numbers = await figuresOf(summary, options, [outputs, references], exampleIds, [
    classes.length,
    ...args,
  ]);
  const [score, , , ...undefinedClasses] = numbers as [number, number, number, ...number[]];
  const without = undefinedClasses.map((number) => show(classes[number])).join(", ");
  let comment: string | undefined;
  if (without) comment = `Left out, since it is not defined for them: ${without}.`;
  else if (Number.isNaN(score))
    comment = `Not defined: ${outputs.length ? whyUndefined : "there are no rows"}.`;
  return (key, metadata) => metricResult(key, numbers, metadata, comment, options);
}
