/** Reading the classes that outputs and reference outputs name. */

import { statisticsEngine } from "../../core/engine/statistics.js";
import { OpenEvalsError } from "../../core/errors.js";
import { type FieldSource, fieldOf } from "../../core/input/field.js";
import { toJson } from "../../core/input/json.js";
import { referenceOf } from "../../core/input/params.js";
import { newJson } from "../../core/input/writer.js";
import * as bindings from "../../openevals-statistics.js";
import type { Classes } from "../../openevals-statistics.types.js";

/** Where the class stands: a key of the outputs, or a function of them. */
export type LabelSource = FieldSource;

/** Where the classes are found. */
export interface LabelOptions {
  /**
   * Where the class stands in the outputs: their key, or a function of them. By default their only key. Outputs that are
   * no object are the class themselves.
   */
  output?: LabelSource | undefined;
  /** The same for the reference outputs; by default the key that `output` names, or their only key. */
  reference?: LabelSource | undefined;
}

/** What a summary evaluator over classes is called with: by `evaluate()` of this package or of LangSmith, or by hand. */
export interface ClassificationParams {
  /** What was answered, for each run. */
  outputs: readonly unknown[];
  /** What should have been answered. */
  referenceOutputs?: readonly unknown[] | undefined;
  /** Accepted in the place of `referenceOutputs`, as the Python packages spell it. */
  reference_outputs?: readonly unknown[] | undefined;
  /** The runs. One with an `error` is left out and counted. */
  runs?: readonly { error?: unknown }[] | undefined;
  /** The example of each run, which tells what is a repetition of what. */
  examples?: readonly { id: string }[] | undefined;
  /** How many runs are left out already, since their target failed. */
  errors?: number | undefined;
}

/** The classes of all rows, by number. */
export interface ReadLabels {
  outputs: Uint32Array;
  references: Uint32Array;
  exampleIds: string[] | undefined;
  /** The values that the numbers stand for, in the order of scikit-learn: ascending. */
  classes: unknown[];
  errors: number;
}

/** Reads the classes. Values that are equal as JSON are the same class. */
export async function readLabels(
  name: string,
  params: ClassificationParams,
  options: LabelOptions,
): Promise<ReadLabels> {
  const { outputs, runs, examples } = params ?? {};
  const references = referenceOf(params ?? {});
  if (!Array.isArray(outputs) || !Array.isArray(references) || outputs.length !== references.length) {
    throw new OpenEvalsError(
      "invalid_input",
      `${name} needs outputs and referenceOutputs, a list of each with one entry for every run.`,
    );
  }
  const { output, reference } = options;
  const isFailed = (row: number) => runs?.[row]?.error != null || outputs[row] === undefined;
  const rows = outputs.map((_, row) => row).filter((row) => !isFailed(row));
  const read = (place: string, list: unknown[], option: string, own?: LabelSource, other?: LabelSource) =>
    rows.map((row): Label => {
      const at = `${place}[${row}]`;
      return { value: fieldOf("class", list[row], at, option, own, other), place: at };
    });
  const labels = [
    ...read("outputs", outputs, "output", output),
    ...read("referenceOutputs", references, "reference", reference, output),
  ];
  const { numbers, firsts } = await classesOf(labels);
  return {
    outputs: Uint32Array.from(numbers.slice(0, rows.length)),
    references: Uint32Array.from(numbers.slice(rows.length)),
    exampleIds: examples && rows.map((row) => String(examples[row]?.id)),
    classes: firsts.map((first) => plain(labels[first] as Label)),
    errors: (params.errors ?? 0) + outputs.length - rows.length,
  };
}

/** A value that names a class, and what messages call it. */
interface Label {
  value: unknown;
  place: string;
}

/** The classes, as the engine tells them apart. */
function classesOf(labels: readonly Label[]): Promise<Classes> {
  const json = newJson().punctuation("[");
  for (const [index, { value, place }] of labels.entries()) {
    // Everywhere else, it counts as null.
    if (typeof value === "number" && !Number.isFinite(value))
      throw new OpenEvalsError("invalid_input", `The class in ${place} is ${value}, which is no class.`);
    if (index > 0) json.punctuation(",");
    json.value(value, place);
  }
  json.punctuation("]");
  return statisticsEngine.run("classes", json.length, () => bindings.classesOf(json.take()));
}

const plain = ({ value, place }: Label): unknown => JSON.parse(toJson(value, place));

/** The number of a class among those that occur; the next number if it does not. */
export async function numberOfClass(classes: readonly unknown[], value: unknown): Promise<number> {
  const labels = [...classes, value].map((value) => ({ value, place: "positive" }));
  const { numbers } = await classesOf(labels);
  return numbers.indexOf(numbers.at(-1) as number);
}
