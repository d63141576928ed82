/** Reading the classes that outputs and reference outputs name. */

import { callbackFailed, OpenEvalsError } from "../errors.js";
import { show } from "../input/checks.js";
import { toJson } from "../input/json.js";

/** Where the class stands: a key of the outputs, or a function of them. */
export type LabelSource = string | ((outputs: any) => unknown);

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
export interface Labels {
  outputs: Uint32Array;
  references: Uint32Array;
  exampleIds: string[] | undefined;
  /** The values that the numbers stand for, in the order of scikit-learn: ascending. */
  classes: unknown[];
  errors: number;
}

/** Reads the classes. Values that are equal as JSON are the same class. */
export function readLabels(name: string, params: ClassificationParams, options: LabelOptions): Labels {
  const { outputs, referenceOutputs, reference_outputs, runs, examples } = params ?? {};
  const references = referenceOutputs ?? reference_outputs;
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
    rows.map((row) => text(label(list[row], `${place}[${row}]`, option, own, other), `${place}[${row}]`));
  const texts = {
    outputs: read("outputs", outputs, "output", output),
    references: read("referenceOutputs", references, "reference", reference, output),
  };
  const classes = [...new Set([...texts.outputs, ...texts.references])]
    .map((json) => ({ json, value: JSON.parse(json) as unknown }))
    .sort(ascending);
  const numbers = new Map(classes.map(({ json }, number) => [json, number]));
  const numbered = (list: string[]) => Uint32Array.from(list, (json) => numbers.get(json) as number);
  return {
    outputs: numbered(texts.outputs),
    references: numbered(texts.references),
    exampleIds: examples && rows.map((row) => String(examples[row]?.id)),
    classes: classes.map(({ value }) => value),
    errors: (params.errors ?? 0) + outputs.length - rows.length,
  };
}

/** The number of a class among those that occur; -1 if it does not. */
export function numberOfClass(classes: readonly unknown[], value: unknown): number {
  const json = text(value, "positive");
  return classes.findIndex((other) => text(other, "positive") === json);
}

function label(
  outputs: unknown,
  place: string,
  option: string,
  own: LabelSource | undefined,
  other: LabelSource | undefined,
): unknown {
  let found: unknown;
  if (typeof own === "function") {
    try {
      found = own(outputs);
    } catch (error) {
      throw callbackFailed(`${option} of ${place}`, error);
    }
    if (found !== undefined) return found;
    throw new OpenEvalsError("invalid_input", `The function ${option} finds no class in ${place}.`);
  }
  if (outputs === undefined) throw new OpenEvalsError("invalid_input", `${place} is missing.`);
  if (typeof outputs !== "object" || outputs === null || Array.isArray(outputs)) return outputs;
  const keys = Object.keys(outputs);
  const only = keys.length === 1 ? keys[0] : undefined;
  const shared = typeof other === "string" && keys.includes(other) ? other : undefined;
  const key = own ?? shared ?? only;
  if (key !== undefined && Object.hasOwn(outputs, key)) found = (outputs as Record<string, unknown>)[key];
  if (found !== undefined) return found;
  throw new OpenEvalsError(
    "invalid_input",
    `${place} has ${keys.length ? `the keys ${keys.map(show).join(", ")}` : "no keys"}` +
      `${key === undefined ? "" : `, and no class in ${show(key)}`}; say with the option ${option} where the class stands.`,
  );
}

/** The JSON text of a value, which is the same for equal values. */
function text(value: unknown, place: string): string {
  if (typeof value === "number" && !Number.isFinite(value))
    throw new OpenEvalsError("invalid_input", `The class in ${place} is ${value}, which is no class.`);
  if (typeof value !== "object" || value === null) return toJson(value, place);
  return JSON.stringify(JSON.parse(toJson(value, place)), (_, member) =>
    typeof member === "object" && member !== null && !Array.isArray(member)
      ? Object.fromEntries(Object.entries(member).sort(([a], [b]) => (a < b ? -1 : 1)))
      : member,
  );
}

const KINDS = ["boolean", "number", "string"];

/** `null`, booleans, numbers, strings, and all else by its text. */
function ascending(a: { json: string; value: any }, b: { json: string; value: any }): number {
  const kind = (value: unknown) => (value === null ? -1 : KINDS.indexOf(typeof value) >>> 0);
  const [one, other] = [kind(a.value), kind(b.value)];
  if (one !== other) return one - other;
  const [x, y] = typeof a.value === "object" ? [a.json, b.json] : [a.value, b.value];
  return x < y ? -1 : Number(x > y);
}
