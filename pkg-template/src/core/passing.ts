/**
 * Decides which scores pass, by the scale of the metric and the options of the user. All comparisons with pass marks
 * are here; those with the `threshold` of a calibration are in `experiments/statistics/correct-rate.ts`.
 */

import { inPlace, invalidConfig } from "./errors.js";
import { aFlag, check, numbersByKey, type OptionChecks, show } from "./input/checks.js";
import { PERCENTAGE, VERDICT } from "./scales.js";
import type { ScoreScale } from "./types.js";

/** The options that decide which scores of an evaluator pass. */
export interface PassOptions {
  /**
   * The pass mark: the first number that passes. Higher ones pass, or lower ones if lower is better. By default the
   * best score of the metric: 1 for most, 0 for error rates, 100 for recipes, the highest of a judge's `choices`.
   * Metrics without a natural mark, such as readability, pass or fail only with this option. It does not affect `true`
   * and `false`. Combinations, matchers, `passRate`, the terminal, reports and JUnit read it.
   */
  passAt?: number | undefined;
  /** Whether `false` and low numbers are good, such as for a judge of toxicity. By default the metric decides. */
  lowerIsBetter?: boolean | undefined;
}

/**
 * The option of `evaluate()` that lists keys of `lowerIsBetter` and `passAt` that results need not have: those of the program may
 * belong to other experiments. It is a symbol, because there may be two copies of this package.
 *
 * @internal
 */
export const OPTIONAL_KEYS = /* @__PURE__ */ Symbol.for("openevals-wasm.optionalKeys");

export const aMark = check("a finite number", Number.isFinite);

/** A number, or a number for each key. */
export const aMarkByKey = check(`a number, or ${numbersByKey.wanted}`, (marks) => {
  return aMark.test(marks) || numbersByKey.test(marks);
});

export const PASS_OPTIONS: OptionChecks<PassOptions> = { passAt: aMark, lowerIsBetter: aFlag };

/** Whether a score passes; `undefined` for a number of a metric without a pass mark. */
export function isPassing(score: number | boolean, { direction, passAt }: ScoreScale): boolean | undefined {
  const isLower = direction === "lower";
  if (typeof score === "boolean") return score !== isLower;
  if (passAt === undefined) return undefined;
  return isLower ? score <= passAt : score >= passAt;
}

/**
 * Whether a score passes, for callers that need a verdict.
 *
 * @throws {@link OpenEvalsError} `invalid_config` for a number of a metric without a pass mark.
 */
export function passesByMark(key: string, score: number | boolean, scale: ScoreScale): boolean {
  const verdict = isPassing(score, scale);
  if (verdict !== undefined) return verdict;
  throw invalidConfig(
    `${key} scored ${score}, and has no pass mark: nothing says which of its scores are good enough. Set passAt`,
  );
}

/** The numbers that pass, in words. */
export const boundOf = ({ direction, passAt }: ScoreScale): string =>
  `${direction === "lower" ? "at most" : "at least"} ${passAt}`;

/**
 * The scale of an evaluator. Without a declared one, it is a copy of that of verdicts, since functions of users may return any
 * number, or percentages for objects with `evaluate(messages, tools)`, such as Eval Recipes.
 */
export function scaleOf(evaluator: unknown): ScoreScale {
  const { scale, evaluate } = Object(evaluator) as { scale?: unknown; evaluate?: unknown };
  if (scale === undefined)
    return typeof evaluator === "object" && typeof evaluate === "function" ? PERCENTAGE : { ...VERDICT };
  if (isScale(scale)) return scale;
  throw invalidConfig(
    `The scale of an evaluator is ${show(scale)}; it has to be an object such as { direction: "lower", passAt: 0.1 }`,
  );
}

/** Whether it is a scale. Foreign evaluators and files may have any value there. */
export function isScale(value: unknown): value is ScoreScale {
  if (typeof value !== "object" || value === null) return false;
  const { min, max, passAt, direction = "higher", unit = "" } = value as ScoreScale;
  const areNumbers = [min, max, passAt].every((number = 0) => Number.isFinite(number));
  const areInOrder = min === undefined || max === undefined || min <= max;
  return areNumbers && areInOrder && ["higher", "lower"].includes(direction) && typeof unit === "string";
}

/** The same scale with the other direction. If the mark was the best score, it is the new best score. */
export function directed(scale: ScoreScale, isLower: boolean): ScoreScale {
  const direction = isLower ? "lower" : "higher";
  if (scale.direction === direction) return scale;
  const { min = 0, max = 1, passAt } = scale;
  if (!scale.direction) return { ...scale, direction };
  const [worst, best] = isLower ? [max, min] : [min, max];
  return { ...scale, direction, ...(passAt === worst && { passAt: best }) };
}

/** A scale with the options of the user. Without a direction, `passAt` is ignored. */
export function marked(scale: ScoreScale, { passAt, lowerIsBetter }: PassOptions): ScoreScale {
  const own = lowerIsBetter === undefined ? scale : directed(scale, lowerIsBetter);
  return passAt === undefined || !own.direction ? own : { ...own, passAt };
}

/**
 * Applies the options of the user to a scale, as {@link marked} does, and rejects an invalid mark.
 *
 * @throws {@link OpenEvalsError} `invalid_config` for a mark outside the range, and for a mark without `lowerIsBetter`
 * if the metric has no direction.
 */
export function withPassMark(scale: ScoreScale, options: PassOptions): ScoreScale {
  const { min = -Infinity, max = Infinity } = scale;
  const { passAt } = options;
  const own = marked(scale, options);
  if (passAt === undefined) return own;
  if (passAt < min || passAt > max)
    throw invalidConfig(`passAt is ${passAt}, but the scores are from ${min} to ${max}`);
  if (own.direction) return own;
  throw invalidConfig("passAt needs lowerIsBetter here: this metric has no better direction");
}

/** Runs `read`, and adds the name of the key or evaluator to its error. */
export function inNamed<T>(name: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    throw name ? inPlace(name, error) : error;
  }
}
