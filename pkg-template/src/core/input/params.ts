/** Reads the arguments of evaluators, in all their forms. */

import { invalidInput, type OpenEvalsError, typed } from "../errors.js";
import type { EvaluatorParams } from "../types.js";

/** The outputs and the reference, both present. */
export interface ComparedValues {
  outputs: NonNullable<unknown>;
  referenceOutputs: NonNullable<unknown>;
}

/**
 * Reads `({ outputs, referenceOutputs })`, with `reference_outputs` as another spelling, or
 * `(outputs, referenceOutputs)`.
 *
 * @param evaluator The name of the evaluator in messages.
 */
export function readArguments(evaluator: string, args: readonly unknown[]): ComparedValues {
  // `rows.map(exactMatch)` also passes an index, so the form of the first argument decides.
  const [first, second] = args;
  const positional = args.length > 1 && !isParams(first);
  return readParams(evaluator, positional ? { outputs: first, referenceOutputs: second } : first);
}

/**
 * Reads only the outputs, from `({ outputs })`, or from `(outputs)` if they are not an object.
 *
 * @param evaluator The name of the evaluator in messages.
 */
export function readOutputArguments(evaluator: string, [first]: readonly unknown[]): NonNullable<unknown> {
  const isObject = typeof first === "object" && !Array.isArray(first);
  return readOutputParams(evaluator, isObject ? first : { outputs: first });
}

/** Reads the outputs of one object of parameters. */
export function readOutputParams(evaluator: string, params: unknown): NonNullable<unknown> {
  let outputs: unknown;
  try {
    outputs = (params as Partial<EvaluatorParams> | null)?.outputs;
  } catch (thrown) {
    throw typed(evaluator, thrown);
  }
  if (outputs != null) return outputs;
  const hint = Object.hasOwn(Object(params), "output") ? "output (did you mean outputs?)" : outputs;
  throw invalidInput(`${evaluator} needs outputs and got ${hint}. Call it with { outputs }`);
}

/** Reads one object of parameters. */
export function readParams(evaluator: string, params: unknown): ComparedValues {
  if (typeof params !== "object" || params === null) {
    throw missing(evaluator, "outputs", `was called with ${kindOf(params)}`);
  }
  let outputs: unknown;
  let reference: unknown;
  try {
    outputs = (params as EvaluatorParams).outputs;
    reference = referenceOf(params as EvaluatorParams);
  } catch (thrown) {
    throw typed(evaluator, thrown);
  }
  if (outputs == null) throw missing(evaluator, "outputs", `got ${outputs}`, params);
  if (reference == null) throw missing(evaluator, "referenceOutputs", `got ${reference}`, params);
  return { outputs, referenceOutputs: reference };
}

/**
 * The reference, in either spelling.
 *
 * @param place The prefix of the names in errors, such as `data[3].`.
 * @throws {@link OpenEvalsError} `invalid_input` for two that differ.
 */
export function referenceOf<Reference>(
  params: { referenceOutputs?: Reference; reference_outputs?: Reference },
  place = "",
): Reference | undefined {
  const { referenceOutputs, reference_outputs } = params;
  if (reference_outputs == null) return referenceOutputs === undefined ? reference_outputs : referenceOutputs;
  if (referenceOutputs == null || areSame(referenceOutputs, reference_outputs)) return reference_outputs;
  throw invalidInput(`${place}referenceOutputs and ${place}reference_outputs differ. Pass one`);
}

/** Whether both spellings have the same value: usually the same object, or a copy of it. */
const areSame = (one: unknown, other: unknown): boolean =>
  one === other || JSON.stringify(one) === JSON.stringify(other);

const isParams = (value: unknown): boolean =>
  typeof value === "object" &&
  value !== null &&
  "outputs" in value &&
  ("referenceOutputs" in value || "reference_outputs" in value);

/** The kind of a value that is not an object, in a message: `a string`. */
export const kindOf = (value: unknown): string => (value == null ? `${value}` : `a ${typeof value}`);

/** A singular, such as `output`, is the usual misspelling. */
function missing(evaluator: string, field: string, got: string, params = {}): OpenEvalsError {
  const near = field.slice(0, -1);
  const hint = Object.hasOwn(params, near) ? `got ${near} (did you mean ${field}?)` : got;
  return invalidInput(`${evaluator} needs ${field} and ${hint}. Call it with { outputs, referenceOutputs }`);
}
