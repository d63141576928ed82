/** Reads class labels from outputs and reference outputs. */

import { statisticsEngine } from "../../core/engine/statistics.js";
import { invalidInput } from "../../core/errors.js";
import { type FieldSource, fieldOf } from "../../core/input/field.js";
import { toJson } from "../../core/input/json/json.js";
import { newJson } from "../../core/input/json/writer.js";
import { referenceOf } from "../../core/input/params.js";
import * as bindings from "../../openevals-statistics.js";
import type { Classes } from "../../openevals-statistics.types.js";

/** Where to find the class: a key of the outputs, or a function of them. */
export type LabelSource = FieldSource;

/** Where to find the classes. */
export interface LabelOptions {
  /**
   * Where to find the class in the outputs: a key, or a function of the outputs. By default, their only key. Outputs
   * that are not an object are the class.
   */
  output?: LabelSource | undefined;
  /** Where to find it in the reference outputs. By default, the key in `output`, or their only key. */
  reference?: LabelSource | undefined;
}

/** The parameters of a classification metric, as `evaluate()` of this package and of LangSmith pass them. */
export interface ClassificationParams {
  /** The outputs of each run. */
  outputs: readonly unknown[];
  /** The expected outputs of each run. */
  referenceOutputs?: readonly unknown[] | undefined;
  /** An alias of `referenceOutputs`, as in the Python packages. */
  reference_outputs?: readonly unknown[] | undefined;
  /** The runs. Runs with an `error` are left out and counted. */
  runs?: readonly { error?: unknown }[] | undefined;
  /** The example of each run; runs with the same `id` are repetitions. */
  examples?: readonly { id: string }[] | undefined;
  /** The cluster of each run, if rows are not independent. Intervals treat the runs of a cluster as one observation. */
  clusters?: readonly string[] | undefined;
  /** The number of runs that are already left out because their target failed. */
  errors?: number | undefined;
}

/** The classes of all rows, as numbers. */
export interface ReadLabels {
  outputs: Uint32Array;
  references: Uint32Array;
  exampleIds: string[] | undefined;
  clusters: string[] | undefined;
  /** The value of each number, in ascending order, as in scikit-learn. */
  classes: unknown[];
  errors: number;
}

/** Reads the classes. Values that are equal as JSON are one class. */
export async function readLabels(
  name: string,
  params: ClassificationParams,
  options: LabelOptions,
): Promise<ReadLabels> {
  const { outputs, runs, examples, clusters } = params ?? {};
  const references = referenceOf(params ?? {});
  if (!Array.isArray(outputs) || !Array.isArray(references) || outputs.length !== references.length) {
    throw invalidInput(
      `${name} needs outputs and referenceOutputs, a list of each with one entry for every run`,
    );
  }
  const { output, reference } = options;
  const isFailed = (row: number) => runs?.[row]?.error != null || outputs[row] === undefined;
  const rows = outputs.map((_, row) => row).filter((row) => !isFailed(row));
  const read = (place: string, list: unknown[], option: string, source?: LabelSource, other?: LabelSource) =>
    rows.map((row): Label => {
      const at = `${place}[${row}]`;
      return { value: fieldOf("class", list[row], at, option, source, other), place: at };
    });
  const labels = [
    ...read("outputs", outputs, "output", output),
    ...read("referenceOutputs", references, "reference", reference, output),
  ];
  const { numbers, firsts } = await classesOf(labels);
  return {
    outputs: Uint32Array.from(numbers.slice(0, rows.length)),
    references: Uint32Array.from(numbers.slice(rows.length)),
    exampleIds: examples && rows.map((row) => String(examples[row]?.id ?? row)),
    clusters: clusters && rows.map((row) => String(clusters[row])),
    classes: firsts.map((first) => plain(labels[first] as Label)),
    errors: (params.errors ?? 0) + outputs.length - rows.length,
  };
}

/** A value that names a class, and its place in errors. */
interface Label {
  value: unknown;
  place: string;
}

/** Numbers the classes in the engine. */
function classesOf(labels: readonly Label[]): Promise<Classes> {
  const json = newJson().punctuation("[");
  for (const [index, { value, place }] of labels.entries()) {
    // The JSON writer would turn it into null.
    if (typeof value === "number" && !Number.isFinite(value))
      throw invalidInput(`The class in ${place} is ${value}; a number has to be finite to be a class`);
    if (index > 0) json.punctuation(",");
    json.value(value, place);
  }
  json.punctuation("]");
  return statisticsEngine.run("classes", json.length, () => bindings.classesOf(json.take()));
}

const plain = ({ value, place }: Label): unknown => JSON.parse(toJson(value, place));

/** The number of a class among `classes`, or the next free number if it is not one of them. */
export async function numberOfClass(classes: readonly unknown[], value: unknown): Promise<number> {
  const labels = [...classes, value].map((value) => ({ value, place: "positive" }));
  const { numbers } = await classesOf(labels);
  return numbers.indexOf(numbers.at(-1) as number);
}
