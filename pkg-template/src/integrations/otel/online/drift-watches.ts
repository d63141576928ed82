/** Watches the scores of all keys for changes. */

import { invalidConfig, invalidInput, type OpenEvalsError, typed } from "../../../core/errors.js";
import { show } from "../../../core/input/checks.js";
import { nearest } from "../../../core/input/near.js";
import { ownValue } from "../../../core/input/objects.js";
import type { EvaluationResult } from "../../../core/records/types.js";
import type { ScoreScale } from "../../../core/types.js";
import type { Callbacks } from "./callbacks.js";
import { type Drift, type DriftRange, type DriftSettings, DriftWatch } from "./drift.js";

/** The number of rows after which a key of `baseline` without a score is reported. */
const ROWS_WITH_ALL_KEYS = 100;

/** A result with the scale of its evaluator. */
type ScaledResult = EvaluationResult & { scale: ScoreScale };

/** The range that a scale declares, or else the general one. */
export const rangeOf = ({ min, max }: ScoreScale, range: DriftRange): DriftRange =>
  min !== undefined && max !== undefined && min < max ? [min, max] : range;

export const isIn = ([low, high]: DriftRange, score: number): boolean => score >= low && score <= high;

/** The error for a mean of `baseline` that the scores of its key cannot have. */
export function outsideOf(key: string, mean: number, ranges: readonly DriftRange[]): OpenEvalsError {
  const known = new Set(ranges.map(([low, high]) => `from ${low} to ${high}`));
  return invalidConfig(`baseline.${key} is ${mean}; the range of scores is ${[...known].join(" or ")}`);
}

export class DriftWatches {
  readonly #baseline: Record<string, number>;
  readonly #settings: DriftSettings;
  readonly #callbacks: Callbacks;
  readonly #onDrift: (drift: Drift) => unknown;
  readonly #watches = new Map<string, { watch: DriftWatch; range: DriftRange }>();
  /** The keys of the baseline that were reported. */
  readonly #unknown = new Set<string>();
  /** The keys with a reported score outside of their range. */
  readonly #outside = new Set<string>();

  constructor(
    baseline: Record<string, number>,
    settings: DriftSettings,
    callbacks: Callbacks,
    onDrift: (drift: Drift) => unknown,
  ) {
    this.#baseline = baseline;
    this.#settings = settings;
    this.#callbacks = callbacks;
    this.#onDrift = onDrift;
  }

  /**
   * Adds the results of a row.
   *
   * @param rows The number of scored rows.
   */
  async add(results: readonly ScaledResult[], rows: number): Promise<void> {
    this.#checkBaseline(results, rows);
    for (const result of results) await this.#addScore(result);
  }

  async #addScore({ key, score, applicable, scale }: ScaledResult): Promise<void> {
    if (applicable === false || score === undefined || score === null) return;
    const { watch, range } = this.#watchOf(key, scale);
    if (!isIn(range, Number(score))) {
      if (this.#outside.has(key)) return;
      this.#outside.add(key);
      const [low, high] = range;
      const problem = `The score of ${show(key)} is ${score}; the range of scores is from ${low} to ${high}`;
      const advice = "Give the evaluator a scale with min and max, or set range";
      return this.#callbacks.report(invalidInput(`${problem}. ${advice}`));
    }
    try {
      const drift = await watch.add(score);
      if (drift) await this.#callbacks.call("onDrift", () => this.#onDrift(drift));
    } catch (thrown) {
      this.#callbacks.report(typed("online", thrown));
    }
  }

  #watchOf(key: string, scale: ScoreScale) {
    const known = this.#watches.get(key);
    if (known) return known;
    const range = rangeOf(scale, this.#settings.range);
    let expected = ownValue(this.#baseline, key);
    if (expected !== undefined && !isIn(range, expected)) {
      this.#callbacks.report(outsideOf(key, expected, [range]));
      expected = undefined;
    }
    const made = { watch: new DriftWatch(key, expected, { ...this.#settings, range }), range };
    this.#watches.set(key, made);
    return made;
  }

  /** The keys of results may differ from the names of evaluators, so unknown keys are found only in results. */
  #checkBaseline(results: readonly EvaluationResult[], rows: number): void {
    const keys = results.map(({ key }) => key);
    const without = keys.filter((key) => !Object.hasOwn(this.#baseline, key));
    for (const key of Object.keys(this.#baseline)) {
      if (keys.includes(key) || this.#watches.has(key) || this.#unknown.has(key)) continue;
      const meant = nearest(key, without);
      if (meant === undefined && rows < ROWS_WITH_ALL_KEYS) continue;
      this.#unknown.add(key);
      const problem =
        meant === undefined
          ? `baseline has the key ${show(key)}, for which the first ${rows} rows have no score.`
          : `baseline has the key ${show(key)}, which no result has; did you mean ${show(meant)}?`;
      this.#callbacks.report(invalidConfig(problem));
    }
  }
}
