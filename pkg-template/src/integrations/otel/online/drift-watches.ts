/** Watches the scores of all keys for changes. */

import { invalidConfig, invalidInput, typed } from "../../../core/errors.js";
import { show } from "../../../core/input/checks.js";
import { nearest } from "../../../core/input/near.js";
import { ownValue } from "../../../core/input/objects.js";
import type { EvaluationResult } from "../../../core/records/types.js";
import type { Callbacks } from "./callbacks.js";
import { type Drift, type DriftSettings, DriftWatch } from "./drift.js";

/** The number of rows after which a key of `baseline` without a score is reported. */
const ROWS_WITH_ALL_KEYS = 100;

export class DriftWatches {
  readonly #baseline: Record<string, number>;
  readonly #settings: DriftSettings;
  readonly #callbacks: Callbacks;
  readonly #onDrift: (drift: Drift) => unknown;
  readonly #watches = new Map<string, DriftWatch>();
  /** The keys of the baseline that were reported. */
  readonly #unknown = new Set<string>();

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
  async add(results: readonly EvaluationResult[], rows: number): Promise<void> {
    this.#checkBaseline(results, rows);
    for (const result of results) await this.#addScore(result);
  }

  async #addScore({ key, score, applicable }: EvaluationResult): Promise<void> {
    if (applicable === false || score === undefined || score === null) return;
    const [low, high] = this.#settings.range;
    if (!(Number(score) >= low && Number(score) <= high)) {
      const problem = `The score of ${show(key)} is ${score}; the range of scores is from ${low} to ${high}. Set range`;
      return this.#callbacks.report(invalidInput(problem));
    }
    const watch =
      this.#watches.get(key) ?? new DriftWatch(key, ownValue(this.#baseline, key), this.#settings);
    this.#watches.set(key, watch);
    try {
      const drift = await watch.add(score);
      if (drift) await this.#callbacks.call("onDrift", () => this.#onDrift(drift));
    } catch (thrown) {
      this.#callbacks.report(typed("online", thrown));
    }
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
