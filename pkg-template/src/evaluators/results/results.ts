/** Results of evaluators, read from all the forms in which they are returned. */

import { invalidInput, OpenEvalsError } from "../../core/errors.js";
import { isMaker, show } from "../../core/input/checks.js";
import { toText } from "../../core/input/json.js";
import type { EvaluationResult } from "../../core/records/types.js";
import { plainFields } from "./plain.js";

/**
 * Reads what an evaluator returned; a failure is never a score.
 *
 * @param label What messages call the evaluator, and the key of a result that has none.
 * @throws {@link OpenEvalsError} `invalid_input` for what is no result.
 */
export function readResults(returned: unknown, label: string): EvaluationResult[] {
  if (typeof returned === "function") throw isMaker(label);
  const list = listOf(returned);
  if (list.length === 1) return [readResult(list[0], label)];
  const results = Array.from(list, (result) => readResult(result, label));
  const twice = results.find(({ key }, index) => results.findIndex((other) => other.key === key) < index);
  if (twice) throw invalidInput(`${label} returned two results with the key "${twice.key}"`);
  return results;
}

function listOf(returned: unknown): readonly unknown[] {
  if (Array.isArray(returned)) return returned;
  const { results } = (returned ?? {}) as { results?: unknown };
  return Array.isArray(results) ? results : [returned];
}

function readResult(result: unknown, label: string): EvaluationResult {
  if (typeof result !== "object" || result === null) {
    return { key: label, score: readScore(result ?? undefined, label, result) };
  }
  // An instance of a class has only what is its own: an error, for one, inherits a name.
  const isPlain = Object.getPrototypeOf(result) === Object.prototype;
  const fields = (isPlain ? result : { ...result }) as Record<string, unknown>;
  const { evalName, error, feedback, name } = fields;
  if (evalName !== undefined && error !== undefined) throw error;
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
  const isResult = key !== undefined || score !== undefined || value !== undefined;
  const read: EvaluationResult = { key: key ?? label };
  if (applicable === false) read.score = null;
  else if (score !== undefined) read.score = score === null ? null : readScore(score, label, result);
  if (typeof applicable === "boolean") read.applicable = applicable;
  // Judges with a schema of their own answer objects of any form.
  const found = isResult ? value : result;
  if (comment != null) read.comment = toText(comment, `The comment of ${label}`);
  if (found === undefined && metadata == null && sourceRunId === undefined) return read;
  const { comment: said, ...first } = read;
  const more = { value: found, comment: said, metadata: metadata ?? undefined, sourceRunId };
  return Object.assign(first, plainFields(more, `The result of ${label}`));
}

function readScore(score: unknown, label: string, returned: unknown): number | boolean {
  if (typeof score === "boolean" || Number.isFinite(score)) return score as number | boolean;
  throw invalidInput(
    `${label} returned ${typeof returned === "number" ? returned : show(returned)}; a score is true, false or a finite number`,
  );
}
