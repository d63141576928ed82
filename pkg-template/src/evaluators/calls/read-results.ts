/** Reads the results of evaluators in all supported forms. */

import { callbackFailed, invalidInput, type OpenEvalsError } from "../../core/errors.js";
import { makerError, show } from "../../core/input/checks.js";
import { nearest } from "../../core/input/near.js";
import { toText } from "../../core/input/text.js";
import type { EvaluationResult } from "../../core/records/types.js";
import type { ScoreScale } from "../../core/types.js";
import { resultsIn } from "./answers.js";
import { plainFields } from "./plain.js";

/**
 * Reads the return value of an evaluator.
 *
 * @param label The name of the evaluator in errors, and the key of results without one.
 * @param scale The scale that the evaluator declares, if it does.
 * @throws {@link OpenEvalsError} `invalid_input` if it is not a result, or if a score is outside of the scale.
 */
export function readResults(returned: unknown, label: string, scale?: ScoreScale): EvaluationResult[] {
  if (typeof returned === "function") throw makerError(label);
  const list = resultsIn(returned);
  const results = list.map((result) => readResult(result, label));
  for (const { key, score } of results) checkRange(key, score, label, scale);
  if (list.length === 1) return results;
  const duplicate = results.find(({ key }, index) => results.findIndex((other) => other.key === key) < index);
  if (duplicate) throw invalidInput(`${label} returned two results with the key "${duplicate.key}"`);
  return results;
}

/** Scores that are computed may exceed the range by rounding. */
const ROUNDING = 1e-9;

/** Rejects a score outside of the scale that its evaluator declares. */
export function checkRange(key: string, score: unknown, label: string, { min, max }: ScoreScale = {}): void {
  if (typeof score !== "number") return;
  if (score >= (min ?? score) - ROUNDING && score <= (max ?? score) + ROUNDING) return;
  const range = `${min === undefined ? "" : ` from ${min}`}${max === undefined ? "" : ` to ${max}`}`;
  throw invalidInput(
    `${label} returned the score ${score} for the key "${key}", but its scale is${range}. Correct the score, or ` +
      "declare its range: Object.assign(evaluator, { scale: { min, max, direction } })",
  );
}

/** The fields of verdicts in other packages. */
const VERDICT = /^(pass(ed|es)?|success|ok|(is_?)?(correct|valid)|grade|rating)$/i;

function readResult(result: unknown, label: string): EvaluationResult {
  if (typeof result !== "object" || result === null) {
    return { key: label, score: readScore(result ?? undefined, label, result) };
  }
  if (Array.isArray(result))
    throw invalidInput(`${label} returned a list in a list; it has to be a list of results`);
  // Of a class instance, only its own fields count: an error, for example, inherits a name.
  const isPlain = Object.getPrototypeOf(result) === Object.prototype;
  const fields = (isPlain ? result : { ...result }) as Record<string, unknown>;
  const { evalName, error, feedback, name } = fields;
  if (evalName !== undefined && error != null) throw error;
  const {
    key = evalName ?? name,
    applicable,
    score,
    comment = feedback,
    value,
    metadata,
    sourceRunId,
  } = fields;
  if (key !== undefined && (typeof key !== "string" || !key)) {
    throw invalidInput(`${label} returned the key ${show(key)}; a key is a text`);
  }
  const isResult = key !== undefined || "score" in fields || value !== undefined;
  // An object without the fields of a result is a value, which may have its own `error`.
  if (isResult || applicable !== undefined) checkNoFailure(error, label);
  const isScored = score !== undefined || value !== undefined || applicable === false;
  if (!isScored && (isResult || hasVerdict(fields) || !Object.keys(fields).length))
    throw withoutScore(label, key ?? label, fields);
  const read: EvaluationResult = { key: key ?? label };
  if (applicable === false) read.score = null;
  else if (score !== undefined) read.score = score === null ? null : readScore(score, label, result);
  if (typeof applicable === "boolean") read.applicable = applicable;
  const found = isResult ? value : result;
  if (comment != null) read.comment = toText(comment, `The comment of ${label}`);
  if (found === undefined && metadata == null && sourceRunId === undefined) return read;
  const { comment: text, ...first } = read;
  const more = { value: found, comment: text, metadata: metadata ?? undefined, sourceRunId };
  return Object.assign(first, plainFields(more, `The result of ${label}`));
}

/** Whether the `error` of a result is a failure. A number is a measure, such as an edit distance. */
export const isFailure = (error: unknown): boolean => Boolean(error) && typeof error !== "number";

/** Rejects a result that reports a failure, whatever its other fields are. */
export function checkNoFailure(error: unknown, label: string): void {
  if (isFailure(error)) throw callbackFailed(label, error);
}

const hasVerdict = (fields: Record<string, unknown>): boolean =>
  Object.entries(fields).some(
    ([field, content]) => VERDICT.test(field) && /boolean|number/.test(typeof content),
  );

/** A result without a score, perhaps through a typo, must not count as "not applicable". */
export function withoutScore(label: string, key: string, fields: Record<string, unknown>): OpenEvalsError {
  const isUndefined = "score" in fields;
  const typo = isUndefined
    ? undefined
    : Object.keys(fields).find((field) => VERDICT.test(field) || nearest(field, ["score"]));
  const advice = typo
    ? `Write score instead of ${typo}`
    : "Add a score, or applicable: false if there is none";
  const fault = isUndefined ? "whose score is undefined" : "without a score";
  return invalidInput(`${label} returned ${show(fields)} for the key "${key}", ${fault}. ${advice}`);
}

export function readScore(score: unknown, label: string, returned: unknown): number | boolean {
  if (typeof score === "boolean" || Number.isFinite(score)) return score as number | boolean;
  // JSON has no NaN.
  const isShown = score instanceof Promise || (typeof score === "number" && typeof returned !== "number");
  throw invalidInput(
    `${label} returned ${isShown ? `the score ${show(score)}` : show(returned)}; a score is true, false or a finite number`,
  );
}
