/** Detects changes of scores since a baseline, with a bounded rate of false alarms. */

import { type ConfidenceSequence, confidenceSequence, type Interval } from "../../../evaluation.js";

/** The number of scores of a key for which the rate of false alarms holds. */
const HORIZON = 10_000;

/** The mean of a baseline or a window. */
export interface DriftEstimate {
  mean: number;
  interval: Interval;
  /** The number of scores; `null` for a given baseline. */
  count: number | null;
}

/** A change of the mean score. */
export interface Drift {
  key: string;
  /** Whether the mean became lower or higher. */
  direction: "down" | "up";
  baseline: DriftEstimate;
  /** The scores of the current window so far. */
  recent: DriftEstimate;
}

/** The settings of the detection. */
export interface DriftSettings {
  window: number;
  rate: number;
  range: readonly [number, number];
}

/**
 * Watches the scores of one key in windows. Each window has its own confidence sequence, which is valid after every score. All
 * windows of the horizon share the rate of false alarms; half of it goes to a baseline that has to be estimated.
 */
export class DriftWatch {
  readonly #key: string;
  readonly #settings: DriftSettings;
  #baseline: DriftEstimate | undefined;
  #sequence: ConfidenceSequence;
  readonly #windowLevel: number;
  #turn: Promise<unknown> = Promise.resolve();

  constructor(key: string, given: number | undefined, settings: DriftSettings) {
    const { window, rate, range } = settings;
    this.#key = key;
    this.#settings = settings;
    const share = given === undefined ? rate / 2 : rate;
    // The horizon may overlap one more window than fit into it.
    this.#windowLevel = 1 - share / (Math.ceil(HORIZON / window) + 1);
    if (given !== undefined) {
      this.#baseline = { mean: given, interval: { low: given, high: given, level: 1 }, count: null };
    }
    const level = given === undefined ? 1 - share : this.#windowLevel;
    this.#sequence = confidenceSequence({ range, level });
  }

  /** Adds a score, in the order of the calls. */
  add(score: number | boolean): Promise<Drift | undefined> {
    const drift = this.#turn.then(() => this.#look(score));
    this.#turn = drift.catch(() => {});
    return drift;
  }

  async #look(score: number | boolean): Promise<Drift | undefined> {
    const { window } = this.#settings;
    const { value, interval, count } = await this.#sequence.add(score);
    const isFull = count >= window;
    const recent = value === null || !interval ? undefined : { mean: value, interval, count };
    if (!this.#baseline) {
      // Without an interval the mean was not constant, so the next window becomes the baseline.
      if (isFull) this.#baseline = recent;
      if (isFull) this.#begin(recent ? this.#windowLevel : 1 - this.#settings.rate / 2);
      return undefined;
    }
    const drift = recent && driftBetween(this.#key, this.#baseline, recent);
    if (drift || isFull || !recent) this.#begin(this.#windowLevel);
    return drift;
  }

  #begin(level: number): void {
    this.#sequence = confidenceSequence({ range: this.#settings.range, level });
  }
}

function driftBetween(key: string, baseline: DriftEstimate, recent: DriftEstimate): Drift | undefined {
  if (recent.interval.high < baseline.interval.low) return { key, direction: "down", baseline, recent };
  if (recent.interval.low > baseline.interval.high) return { key, direction: "up", baseline, recent };
  return undefined;
}
