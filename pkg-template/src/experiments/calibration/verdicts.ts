/** Reads verdicts and labels as values that can be compared. */

import { invalidConfig, invalidInput, type OpenEvalsError } from "../../core/errors.js";
import { show } from "../../core/input/checks.js";
import { fieldOf } from "../../core/input/field.js";
import type { Figure } from "../../core/records/calibration.js";
import { scoreOf } from "../../core/records/score.js";
import type { EvaluationResult } from "../../core/records/types.js";
import type { ScoreScale } from "../../core/types.js";
import type { CalibrateOptions } from "./options.js";

export function verdictOf(result: EvaluationResult, { verdict }: CalibrateOptions): unknown {
  if (result.applicable === false) return undefined;
  if (verdict !== undefined) return fieldOf("verdict", result, "the result", "verdict", verdict, undefined);
  return scoreOf(result) ?? result.value ?? undefined;
}

/** The lowest and the highest score of a key. */
export interface ScoreBounds {
  min: number;
  max: number;
}

/** The range that a scale declares; otherwise from 0 to 1. */
export const scoreBounds = ({ min, max }: ScoreScale): ScoreBounds =>
  min !== undefined && max !== undefined && min < max ? { min, max } : { min: 0, max: 1 };

export const isUnit = ({ min, max }: ScoreBounds): boolean => min === 0 && max === 1;

/** Turns a share of a range into a distance. */
export function times(span: number, { value, interval }: Figure): Figure {
  if (span === 1) return { value, interval };
  return {
    value: value === null ? null : value * span,
    interval: interval && { ...interval, low: interval.low * span, high: interval.high * span },
  };
}

/**
 * Rejects a threshold outside of the range of scores.
 *
 * @throws {@link OpenEvalsError} `invalid_config`
 */
export function checkThreshold({ threshold }: CalibrateOptions, { min, max }: ScoreBounds): void {
  if (threshold !== undefined && !(threshold >= min && threshold <= max))
    throw invalidConfig(`threshold is ${threshold}, but the scores are from ${min} to ${max}`);
}

/** The error for scores outside of the range of their key. */
export function outsideOf(values: readonly unknown[], range: ScoreBounds): OpenEvalsError | undefined {
  const { min, max } = range;
  const outside = values.find((value) => typeof value === "number" && !(value >= min && value <= max));
  if (outside === undefined) return undefined;
  const advice =
    'Declare the scale of the judge: as choices of createLLMAsJudge, or with Object.assign(judge, { scale: { min: 1, max: 5, direction: "higher" } })';
  return invalidInput(
    `calibrate needs scores and labels from ${min} to ${max}, but found ${show(outside)}${isUnit(range) ? `. ${advice}` : ""}`,
  );
}

export const isBooleanOrNumber = (value: unknown): value is number | boolean =>
  typeof value === "boolean" || typeof value === "number";

/** The score that a text label spells, since CSV files have only texts. Other labels are returned unchanged. */
export function asScore(label: unknown): unknown {
  if (typeof label !== "string") return label;
  const text = label.trim().toLowerCase();
  if (text === "true" || text === "false") return text === "true";
  return text && Number.isFinite(Number(text)) ? Number(text) : label;
}

export const readAsScores = (labels: readonly unknown[]): boolean =>
  labels.every((label) => isBooleanOrNumber(asScore(label)));

/** One label of each type that equals no score: a text that does not read as one, and an object or a list. */
export function unscoredAmong(labels: readonly unknown[]): unknown[] {
  const unscored = labels.filter((label) => !isBooleanOrNumber(asScore(label)));
  const types = [...new Set(unscored.map((label) => typeof label))];
  return types.map((type) => unscored.find((label) => typeof label === type));
}

/** The verdict among the results of a row. */
export function verdictAmong(results: readonly EvaluationResult[], options: CalibrateOptions): unknown {
  const { key = results[0]?.key } = options;
  const result = results.find((one) => one.key === key);
  return result && verdictOf(result, options);
}

/**
 * The error for a verdict that equals no label, because it is of another type.
 *
 * @param unscored One label of each type, by {@link unscoredAmong}.
 * @param place Where a row has its label, such as `row.human`.
 */
export function mismatchWithLabels(
  verdict: unknown,
  unscored: readonly unknown[],
  place: string,
): OpenEvalsError | undefined {
  if (!unscored.length || verdict === undefined) return undefined;
  if (!isBooleanOrNumber(verdict) && unscored.some((label) => typeof label === typeof verdict))
    return undefined;
  const [label] = unscored;
  const type = typeof label === "string" ? "text" : Array.isArray(label) ? "list" : "object";
  const advice =
    type === "text"
      ? `(row) => ${place} === "…", with the text that means true, or one as verdict that returns a text`
      : `(row) => ${place}.polite for a field of the label, or one as verdict that returns such a value`;
  return invalidInput(
    `There are labels that are ${type}s, such as ${show(label)}, but the judge returned ${show(verdict)}, which equals no ${type}. ` +
      `Pass a function as label, such as ${advice}`,
  );
}
