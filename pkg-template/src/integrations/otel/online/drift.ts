/** Whether scores have changed since a baseline, with a known rate of false alarms. */

import { type ConfidenceSequence, confidenceSequence } from "../../../experiments/statistics/sequence.js";
import type { Interval } from "../../../openevals-statistics.types.js";

/** In how many scores of a key the rate of false alarms is what was asked for. */
const HORIZON = 10_000;

/** What a baseline and a window came to. */
export interface DriftEstimate {
  mean: number;
  interval: Interval;
  /** How many scores these are of; `null` for a baseline that was given. */
  count: number | null;
}

/** Scores that are not what they were. */
export interface Drift {
  key: string;
  /** Whether the scores are lower or higher than before. */
  direction: "down" | "up";
  baseline: DriftEstimate;
  /** The scores of the present window so far. */
  recent: DriftEstimate;
}

/** How changes are looked for. */
export interface DriftSettings {
  window: number;
  rate: number;
  range: readonly [number, number];
}

/**
 * Watches the scores of one key, window by window: each begins a confidence sequence, which may be looked at after every
 * score, and all windows of the horizon share the rate of false alarms, with half of it for a baseline that is estimated.
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
    // Ten thousand scores may touch one window more than fit into them.
    this.#windowLevel = 1 - share / (Math.ceil(HORIZON / window) + 1);
    if (given !== undefined) {
      this.#baseline = { mean: given, interval: { low: given, high: given, level: 1 }, count: null };
    }
    const level = given === undefined ? 1 - share : this.#windowLevel;
    this.#sequence = confidenceSequence({ range, level });
  }

  /** Takes note of a score; scores are taken in the order of the calls. */
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
      // Without an interval, there was no one mean: the next window is the baseline, then.
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
