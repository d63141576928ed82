/** The combinations of a matrix, each of which is an experiment. */

import type { ExperimentDefinition, MatrixAxis, Target, TargetConfig } from "../../../evaluation.js";
import { CliError } from "../cli-error.js";

/** A value of an axis, with its name. */
interface AxisValue {
  axis: string;
  label: string;
  value: unknown;
}

/** A definition with a name for each combination of the matrix; the definition itself if it has no matrix. */
export function combinationsOf(
  name: string,
  { matrix, ...definition }: ExperimentDefinition,
): { name: string; definition: ExperimentDefinition }[] {
  if (!matrix) return [{ name, definition }];
  const { target, output, metadata } = definition;
  if (!target)
    throw new CliError(
      "matrix needs a target, which gets each combination as the matrix of its second argument.",
    );
  const sink = output?.sink;
  if (sink !== undefined && typeof sink === "object")
    throw new CliError(
      "output.sink of a matrix has to be a path or a function: the first experiment would close a stream.",
    );
  const axes = Object.entries(matrix).map(([axis, values]) => namedValues(axis, values));
  const combinations = productOf(axes).map((values) => ({
    values,
    suffix: values.map(({ label }) => label).join("-"),
  }));
  if (typeof sink === "string") checkSinks(combinations.map(({ suffix }) => suffixed(sink, suffix)));
  return combinations.map(({ values, suffix }) => ({
    name: `${name}-${suffix}`,
    definition: {
      ...definition,
      target: withMatrix(target, Object.fromEntries(values.map(({ axis, value }) => [axis, value]))),
      metadata: { ...metadata, matrix: Object.fromEntries(values.map(({ axis, label }) => [axis, label])) },
      ...(typeof sink === "string" && { output: { ...output, sink: suffixed(sink, suffix) } }),
    },
  }));
}

/** Rejects two combinations with the same file, ignoring case: one would continue the other. */
function checkSinks(paths: readonly string[]): void {
  const names = paths.map((path) => path.toLowerCase());
  const twice = paths.find((_, index) => names.indexOf(names[index] as string) !== index);
  if (twice !== undefined)
    throw new CliError(
      `Two combinations of the matrix would be written to ${twice}. Name their values differently.`,
    );
}

/** The longest text that serves as its own name, in characters; longer ones are numbered. */
const MAX_LABEL_LENGTH = 40;

function namedValues(axis: string, values: MatrixAxis): AxisValue[] {
  const named = Array.isArray(values)
    ? values.map(
        (value, index): AxisValue => ({ axis, label: labelOf(value) ?? `${axis}-${index + 1}`, value }),
      )
    : Object.entries(values).map(([label, value]): AxisValue => ({ axis, label, value }));
  const labels = named.map(({ label }) => label);
  const twice = labels.find((label, index) => labels.indexOf(label) !== index);
  if (twice !== undefined)
    throw new CliError(
      `matrix.${axis} has two values named "${twice}". Name them: { ${axis}: { first: …, second: … } }.`,
    );
  return named;
}

function labelOf(value: unknown): string | undefined {
  if (!["string", "number", "boolean"].includes(typeof value)) return undefined;
  const text = String(value);
  return text.trim() && text.length <= MAX_LABEL_LENGTH && !/[\n\r]/.test(text) ? text : undefined;
}

const productOf = (axes: readonly AxisValue[][]): AxisValue[][] =>
  axes.reduce<AxisValue[][]>(
    (combinations, values) =>
      combinations.flatMap((combination) => values.map((value) => [...combination, value])),
    [[]],
  );

/** A target that also gets the values of its combination. */
function withMatrix(target: Target, matrix: Readonly<Record<string, unknown>>): Target {
  const call = (inputs: unknown, config?: TargetConfig) => {
    const withValues: TargetConfig = { ...config, matrix };
    return typeof target === "function" ? target(inputs, withValues) : target.invoke(inputs, withValues);
  };
  return call;
}

/** `results.jsonl` as `results-brief-large.jsonl`. */
const suffixed = (path: string, suffix: string): string =>
  path.replace(/(\.[^./\\]*)?$/, `-${suffix.replaceAll(/[^\p{L}\p{N}._-]+/gu, "-")}$1`);
