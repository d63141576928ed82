/** The observations of all keys on all examples, for the intervals of aggregates. */

import type { Aggregate } from "../../../core/records/types.js";
import { LEVEL } from "../../../evaluators/summary/settings.js";
import { Sequence } from "../../statistics/sequence-state.js";
import { areWithin, type ExampleRows, observationOf, type ScoreRange } from "./observation.js";

/** The observations of a key. They are numbers, since the rows may not be kept. */
interface KeyScores {
  range: ScoreRange;
  lows: number[];
  highs: number[];
  /** Whether a score was outside the range, so that there is no interval. */
  isBeyond: boolean;
}

export class StopObservations {
  readonly #ranges: ReadonlyMap<string, ScoreRange>;
  readonly #keys = new Map<string, KeyScores>();
  /** The number of examples with errors. Each may have had any score of a key that has no result yet. */
  #failed = 0;

  /** @param ranges The known ranges; those of all other keys are from 0 to 1. */
  constructor(ranges: ReadonlyMap<string, ScoreRange>) {
    this.#ranges = ranges;
  }

  /** Adds the next example. */
  add(rows: ExampleRows): void {
    for (const { evaluationResults } of rows) {
      for (const { key } of evaluationResults)
        if (!this.#keys.has(key)) this.#keys.set(key, this.#begun(key));
    }
    for (const [key, known] of this.#keys) {
      known.isBeyond ||= !areWithin(rows, key, known.range);
      const observation = known.isBeyond ? undefined : observationOf(rows, key, known.range);
      if (!observation) continue;
      known.lows.push(observation.low);
      known.highs.push(observation.high);
    }
    if (rows.some(({ errors }) => errors.length)) this.#failed++;
  }

  /** The interval of a key; `null` if there is none. */
  interval(key: string): Aggregate["interval"] {
    const known = this.#keys.get(key);
    if (!known || known.isBeyond) return null;
    const [from, to] = known.range;
    const sequence = new Sequence({ from, to, level: LEVEL, threshold: undefined, width: undefined });
    return sequence.look(Float64Array.from(known.lows), Float64Array.from(known.highs)).interval;
  }

  #begun(key: string): KeyScores {
    const range = this.#ranges.get(key) ?? [0, 1];
    const [low, high] = range;
    return {
      range,
      lows: new Array(this.#failed).fill(low),
      highs: new Array(this.#failed).fill(high),
      isBeyond: false,
    };
  }
}
