/** Compares the recorded means of an experiment with its rows: a file may have been edited. */

import { invalidInput } from "../../../core/errors.js";
import { show } from "../../../core/input/checks.js";
import { scoreOf } from "../../../core/records/score.js";
import type { EvaluationResult, Experiment } from "../../../core/records/types.js";

interface Scores {
  count: number;
  sum: number;
  /** The sum of the absolute values, for the tolerance: sums depend on the order of the rows. */
  size: number;
}

const noScores = (): Scores => ({ count: 0, sum: 0, size: 0 });

export class RecordedMeans {
  readonly #byKey = new Map<string, Scores>();

  /** Adds the results of a row. */
  add(results: readonly EvaluationResult[]): void {
    for (const result of results) {
      const score = scoreOf(result);
      if (score === undefined) continue;
      const scores = this.#byKey.get(result.key) ?? noScores();
      this.#byKey.set(result.key, scores);
      scores.count++;
      scores.sum += Number(score);
      scores.size += Math.abs(Number(score));
    }
  }

  /** @throws {@link OpenEvalsError} `invalid_input` if the number of scores or the mean of a key differs. */
  check(aggregates: Experiment["aggregates"], path: string): void {
    for (const [key, { mean, count }] of Object.entries(aggregates)) {
      const found = this.#byKey.get(key) ?? noScores();
      const { sum, size } = found;
      const isOther = mean != null && Math.abs(mean * found.count - sum) > 1e-9 * size;
      if (count === undefined || (count === found.count && !isOther)) continue;
      throw invalidInput(
        `${path} contradicts itself: its aggregates have ${count} scores of ${show(key)} with the mean ${mean}, but its rows ` +
          `have ${found.count} with the mean ${found.count ? sum / found.count : null}. Restore it, or run the experiment again with another file`,
      );
    }
  }
}
