/** The conditions of `stopWhen`. */

import { invalidConfig } from "../../../core/errors.js";
import { check, checkOptions, type OptionChecks, objectOfOptions } from "../../../core/input/checks.js";
import { isObject } from "../../../core/input/objects.js";
import type { Experiment } from "../../../core/records/types.js";
import { LEVEL, STATISTICS_OPTIONS } from "../../../evaluators/summary/settings.js";
import { aRange } from "../../statistics/sequence.js";
import type { ScoreRange } from "./observation.js";

/**
 * A question about the mean of a key: on which side of a `threshold` it is, or its value to within a `width`. With both, the
 * first answer decides.
 *
 * @example
 * ```ts
 * import { exactMatch } from "openevals-wasm";
 * import { type DataRow, evaluate, type Target } from "openevals-wasm/evaluation";
 *
 * export async function isGoodEnough(target: Target, shuffled: DataRow[]) {
 *   const stopWhen = { exact_match: { threshold: 0.8, width: 0.05 } };
 *   const { decisions } = await evaluate(target, { data: shuffled, evaluators: [exactMatch], stopWhen });
 *   return decisions?.[0]?.verdict; // "above", "below", "narrow", or null if the rows do not decide
 * }
 * ```
 */
export interface StopCondition {
  /** Compared with the mean, or, with a `baseline`, with the difference; it is then 0 by default, unless there is a `width`. */
  threshold?: number | undefined;
  /** The interval width at which the mean is known well enough. */
  width?: number | undefined;
  /**
   * An experiment over the same examples. The question is then about the difference: the mean of this experiment minus that of
   * the baseline, over the examples of both. A `note` of the decision reports pairs with different inputs, and a baseline without
   * any of the examples. If most pairs have different inputs, or its `scales` give the key another range or another better
   * direction, the experiment ends with `invalid_input`.
   */
  baseline?: Pick<Experiment, "rows" | "scales"> | undefined;
  /** The lowest and the highest possible score; `[0, 1]` by default. */
  range?: readonly [number, number] | undefined;
  /**
   * One minus the largest probability of a wrong verdict; 0.95 by default. Several conditions share the 0.05, so each of two has
   * the level 0.975.
   */
  level?: number | undefined;
}

/** A checked condition. */
export interface ParsedCondition {
  key: string;
  threshold: number | undefined;
  width: number | undefined;
  level: number;
  /** The range of the scores. */
  range: ScoreRange;
  baseline: StopCondition["baseline"];
}

const aFinite = check("a number", (value) => Number.isFinite(value));

const CONDITION: OptionChecks<StopCondition> = {
  threshold: aFinite,
  width: check("a number above 0", (value) => Number.isFinite(value) && value > 0),
  // Its rows are checked before the first row runs.
  baseline: check("an experiment", isObject),
  range: aRange,
  level: STATISTICS_OPTIONS.level,
};

/**
 * Reads the conditions.
 *
 * @throws {@link OpenEvalsError} `invalid_config` for a question that can never be answered.
 */
export function readConditions(conditions: Record<string, StopCondition>): ParsedCondition[] {
  objectOfOptions("evaluate.stopWhen", conditions);
  const keys = Object.keys(conditions);
  if (!keys.length) throw invalidConfig("stopWhen has no key; it needs { key: { threshold } }");
  return keys.map((key) => readCondition(key, conditions[key] as StopCondition, keys.length));
}

function readCondition(key: string, condition: StopCondition, count: number): ParsedCondition {
  const name = `evaluate.stopWhen.${key}`;
  const read = checkOptions(name, condition, CONDITION);
  const { width, level = 1 - (1 - LEVEL) / count, range = [0, 1] } = read;
  const threshold = read.threshold ?? (read.baseline && width === undefined ? 0 : undefined);
  if (threshold === undefined && width === undefined) {
    throw invalidConfig(`${name} needs a threshold or a width`);
  }
  const [low, high] = read.baseline ? [range[0] - range[1], range[1] - range[0]] : range;
  if (threshold !== undefined && !(threshold >= low && threshold <= high)) {
    const what = read.baseline ? "differences are" : "its range is";
    throw invalidConfig(`The threshold of ${name} is ${threshold}; ${what} from ${low} to ${high}`);
  }
  // The ends of intervals are a thousandth of the range apart.
  const least = (high - low) / 200;
  if (width !== undefined && !(width >= least && width < high - low)) {
    throw invalidConfig(
      `The width of ${name} is ${width}; it has to be from ${least} to less than ${high - low}`,
    );
  }
  return {
    key,
    threshold,
    width,
    level,
    range,
    baseline: read.baseline,
  };
}
