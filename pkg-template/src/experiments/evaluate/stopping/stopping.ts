/** Ends an experiment when what was asked is known. */

import { statisticsEngine } from "../../../core/engine/statistics.js";
import type { Aggregate, Decision, Experiment, ExperimentRow } from "../../../core/records/types.js";
import { Sequence } from "../../statistics/sequence-under-way.js";
import type { ReadCondition } from "./conditions.js";
import { observationOf, type StopObservation } from "./observation.js";
import { StopObservations } from "./observations.js";

/** A condition with what is known of it so far. */
interface StopQuestion {
  condition: ReadCondition;
  sequence: Sequence;
  decision: Decision;
}

/**
 * Looks after each example whether all conditions of `stopWhen` are met.
 *
 * Examples count in the order in which they were begun, and only up to the first that is still under way: if those that
 * finish early counted before the others, quick answers would decide. So it does not matter how many are under way at once,
 * nor how often one looks.
 */
export class Stopping {
  readonly #questions: StopQuestion[];
  readonly #observations: StopObservations;
  readonly #repetitions: number;
  /** Rows that are done, but not all before them. */
  readonly #early = new Map<number, ExperimentRow>();
  /** The rows of the example that is next. */
  #rows: ExperimentRow[] = [];
  /** What examples say that nobody has looked at yet, question by question. */
  readonly #waiting: (StopObservation | undefined)[][] = [];
  /** How many rows are done without a gap. */
  #done = 0;
  #stoppedEarly = false;

  constructor(conditions: readonly ReadCondition[], repetitions: number) {
    this.#repetitions = repetitions;
    this.#observations = new StopObservations(new Map(conditions.map(({ key, range }) => [key, range])));
    this.#questions = conditions.map((condition) => {
      const { key, threshold, width, level, range, baseline } = condition;
      const [from, to] = baseline ? [range[0] - range[1], range[1] - range[0]] : range;
      return {
        condition,
        sequence: new Sequence({ from, to, level, threshold, width }),
        decision: {
          key,
          verdict: null,
          interval: null,
          examples: 0,
          errors: 0,
          ...(threshold !== undefined && { threshold }),
          ...(width !== undefined && { width }),
          ...(baseline && { isDifference: true as const }),
        },
      };
    });
  }

  /**
   * Takes note of a row, and of where it stands: rows and their repetitions are numbered as they are begun.
   *
   * @throws {@link OpenEvalsError} `invalid_input` for a score beyond its range.
   */
  note(position: number, row: ExperimentRow): void {
    this.#early.set(position, row);
    for (let next = this.#early.get(this.#done); next; next = this.#early.get(this.#done)) {
      this.#early.delete(this.#done++);
      if (this.#rows.push(next) < this.#repetitions) continue;
      const rows = this.#rows;
      this.#rows = [];
      this.#observations.add(rows);
      this.#waiting.push(this.#questions.map(({ condition }) => observed(condition, rows)));
    }
  }

  /** Looks at what has been noted. */
  async look(): Promise<void> {
    if (!this.#waiting.length || this.#isDecided) return;
    await statisticsEngine.run("stopWhen", this.#waiting.length, () => {
      for (const observations of this.#waiting.splice(0)) {
        for (const [index, question] of this.#questions.entries()) look(question, observations[index]);
      }
    });
  }

  /** Whether there is to be no other row, where there is one. */
  endsHere(): boolean {
    this.#stoppedEarly = this.#isDecided;
    return this.#stoppedEarly;
  }

  /** What has come of it. Gives the aggregates intervals that hold although the scores have told when to stop. */
  async conclude(
    aggregates: Record<string, Aggregate>,
  ): Promise<Pick<Experiment, "decisions" | "stoppedEarly">> {
    await this.look();
    await statisticsEngine.run("stopWhen", this.#done, () => {
      for (const [key, aggregate] of Object.entries(aggregates)) {
        aggregate.interval = this.#observations.interval(key);
        aggregate.anytimeValid = true;
      }
    });
    return {
      decisions: this.#questions.map(({ decision }) => decision),
      ...(this.#stoppedEarly && { stoppedEarly: true as const }),
    };
  }

  get #isDecided(): boolean {
    return this.#questions.every(({ decision }) => decision.verdict !== null);
  }
}

/** What an example says, or how it differs from the baseline; nothing, where one of them says nothing. */
function observed(
  { key, range, baseline }: ReadCondition,
  rows: readonly ExperimentRow[],
): StopObservation | undefined {
  const now = observationOf(rows, key, range);
  if (!now || !baseline) return now;
  const before = baseline.get(rows[0]?.example.id as string);
  return before && { low: now.low - before.high, high: now.high - before.low };
}

/** Looks at an example, unless the answer is known. */
function look({ sequence, decision }: StopQuestion, observation: StopObservation | undefined): void {
  if (!observation || decision.verdict) return;
  const { low, high } = observation;
  const { interval, verdict } = sequence.look(Float64Array.of(low), Float64Array.of(high));
  decision.examples++;
  if (low < high) decision.errors++;
  decision.interval = interval;
  decision.verdict = verdict;
}
