/** Reads verdicts and labels as values that can be compared. */

import { invalidInput, type OpenEvalsError } from "../../core/errors.js";
import { show } from "../../core/input/checks.js";
import { fieldOf } from "../../core/input/field.js";
import { scoreOf } from "../../core/records/score.js";
import type { EvaluationResult } from "../../core/records/types.js";
import type { CalibrateOptions } from "./options.js";

export function verdictOf(result: EvaluationResult, { verdict }: CalibrateOptions): unknown {
  if (result.applicable === false) return undefined;
  if (verdict !== undefined) return fieldOf("verdict", result, "the result", "verdict", verdict, undefined);
  return scoreOf(result) ?? result.value ?? undefined;
}

export const isScore = (value: unknown): value is number | boolean =>
  typeof value === "boolean" || typeof value === "number";

/** The score that a text label spells, since CSV files have only texts. Other labels are returned unchanged. */
export function asScore(label: unknown): unknown {
  if (typeof label !== "string") return label;
  const text = label.trim().toLowerCase();
  if (text === "true" || text === "false") return text === "true";
  return text && Number.isFinite(Number(text)) ? Number(text) : label;
}

export const readAsScores = (labels: readonly unknown[]): boolean =>
  labels.every((label) => isScore(asScore(label)));

/** One of the labels that is a text and does not read as a score, if all of them are texts or scores. */
export const textAmong = (labels: readonly unknown[]): unknown =>
  labels.every((label) => typeof label === "string" || isScore(label))
    ? labels.find((label) => !isScore(asScore(label)))
    : undefined;

/**
 * The error for a verdict that equals no label, because it is not a text.
 *
 * @param text One of the labels.
 */
export function mismatchWithLabels(
  results: readonly EvaluationResult[],
  text: unknown,
  options: CalibrateOptions,
): OpenEvalsError | undefined {
  if (text === undefined) return undefined;
  const { key = results[0]?.key } = options;
  const result = results.find((one) => one.key === key);
  const verdict = result && verdictOf(result, options);
  if (verdict === undefined || typeof verdict === "string") return undefined;
  return invalidInput(
    `There are labels that are texts, such as ${show(text)}, but the judge returned ${show(verdict)}, which equals no text. ` +
      `Pass a function as label, such as (row) => row.human === ${show(text)} if that text means true, or one as verdict that returns a text`,
  );
}
