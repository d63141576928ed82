/** Detects changes of scores since a baseline, with a bounded rate of false alarms. */

import { type ConfidenceSequence, confidenceSequence, type Interval } from "../../../evaluation.js";

/** The number of scores of a key for which the rate of false alarms holds. */
const HORIZON = 10_000;

/** The mean of a baseline or a window. */
export interface DriftEstimate {
  mean: number;
  /**
   * Holds after every score of the window at once, if their mean is constant. After a change within the window, `mean` may lie
   * outside of it.
   */
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
  /** All scores of the current window, which may have begun before the change. */
  recent: DriftEstimate;
  /** The scores of this window after the change. Its place is estimated, so small changes look somewhat larger than they are. */
  after: { mean: number; count: number };
}

/** The lowest and the highest possible score. */
export type DriftRange = readonly [number, number];

/** The settings of the detection. */
export interface DriftSettings {
  window: number;
  rate: number;
  range: DriftRange;
}

/**
 * Watches the scores of one key in windows. Each window has its own confidence sequence, which is valid after every score. All
 * windows of the horizon share the rate of false alarms; half of it goes to a baseline that has to be estimated. An alarm
 * restarts the detection with a baseline from the next scores, so each change raises one alarm. The scores after it are
 * independent of when it came, so the rate holds for the restarted detection, too.
 */
export class DriftWatch {
  readonly #key: string;
  readonly #settings: DriftSettings;
  #baseline: DriftEstimate | undefined;
  #sequence!: ConfidenceSequence;
  #windowLevel!: number;
  /** The scores of the current window, once there is a baseline. */
  #scores: number[] = [];
  #pending: Promise<unknown> = Promise.resolve();

  constructor(key: string, expectedMean: number | undefined, settings: DriftSettings) {
    this.#key = key;
    this.#settings = settings;
    if (expectedMean === undefined) this.#restart();
    else {
      const interval = { low: expectedMean, high: expectedMean, level: 1 };
      this.#restart({ mean: expectedMean, interval, count: null });
    }
  }

  /** Adds a score, in the order of the calls. */
  add(score: number | boolean): Promise<Drift | undefined> {
    const drift = this.#pending.then(() => this.#check(score));
    this.#pending = drift.catch(() => {});
    return drift;
  }

  async #check(score: number | boolean): Promise<Drift | undefined> {
    const { window } = this.#settings;
    // A baseline needs no place of a change.
    if (this.#baseline) this.#scores.push(Number(score));
    const { value, interval, count } = await this.#sequence.add(score);
    const isFull = count >= window;
    const recent = value === null || !interval ? undefined : { mean: value, interval, count };
    if (!this.#baseline) {
      // Without an interval the mean was not constant, so the next window becomes the baseline.
      if (!isFull) return undefined;
      this.#baseline = recent;
      if (recent) this.#begin(this.#windowLevel);
      else this.#restart();
      return undefined;
    }
    const drift = recent && this.#driftBetween(this.#baseline, recent);
    if (drift) this.#restart();
    else if (isFull || !recent) this.#begin(this.#windowLevel);
    return drift;
  }

  /** Starts over with a baseline; without one, it is estimated. */
  #restart(baseline?: DriftEstimate): void {
    const { window, rate } = this.#settings;
    const share = baseline ? rate : rate / 2;
    this.#baseline = baseline;
    // The horizon may begin and end within a window, so it can touch one more window than it holds.
    this.#windowLevel = 1 - share / (Math.ceil(HORIZON / window) + 1);
    this.#begin(baseline ? this.#windowLevel : 1 - share);
  }

  #driftBetween(baseline: DriftEstimate, recent: DriftEstimate): Drift | undefined {
    const isDown = recent.interval.high < baseline.interval.low;
    if (!isDown && recent.interval.low <= baseline.interval.high) return undefined;
    // The mean of the window also has scores from before the change. That of a first estimate is closer.
    const estimate = afterChange(this.#scores, baseline.mean, recent.mean);
    const after = afterChange(this.#scores, baseline.mean, estimate.mean);
    return { key: this.#key, direction: isDown ? "down" : "up", baseline, recent, after };
  }

  #begin(level: number): void {
    this.#scores = [];
    this.#sequence = confidenceSequence({ range: this.#settings.range, level });
  }
}

/**
 * The scores after the place of a change: where the distances of all later scores from halfway between the baseline and `mean` have
 * the largest sum (Page, *Continuous inspection schemes*, 1954). A likelihood with a free mean after the change would take the last
 * low scores of a high rate for the change.
 */
function afterChange(scores: readonly number[], baseline: number, mean: number): Drift["after"] {
  const halfway = (baseline + mean) / 2;
  const sign = Math.sign(mean - baseline);
  let after = { mean, count: 0 };
  let [sum, distances, farthest] = [0, 0, 0];
  for (let count = 1; count <= scores.length; count++) {
    const score = scores[scores.length - count] as number;
    sum += score;
    distances += (score - halfway) * sign;
    if (distances <= farthest) continue;
    farthest = distances;
    after = { mean: sum / count, count };
  }
  return after;
}
