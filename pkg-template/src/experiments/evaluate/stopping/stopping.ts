/** Ends an experiment when its conditions are decided. */

import { statisticsEngine } from "../../../core/engine/statistics.js";
import type { OpenEvalsError } from "../../../core/errors.js";
import { nearest } from "../../../core/input/near.js";
import type { ExamplePair } from "../../../core/records/different-inputs.js";
import type { Aggregate, Decision, Experiment, ExperimentRow } from "../../../core/records/types.js";
import { noSuchKey } from "../../../core/records/unknown-key.js";
import type { ScoreScale } from "../../../core/types.js";
import { Sequence } from "../../statistics/sequence-state.js";
import type { RowObserver } from "../rows/observer.js";
import { type BaselineObservations, baselineProblem, checkScale, observedBaseline } from "./baseline.js";
import type { ParsedCondition } from "./conditions.js";
import { observationOf, type StopObservation } from "./observation.js";
import { StopObservations } from "./observations.js";

/** A condition, and its decision so far. */
interface StopQuestion {
  condition: ParsedCondition;
  baseline: BaselineObservations | undefined;
  /** Whether the scale of the key is known, and the baseline has the same. */
  hasSameScale: boolean;
  sequence: Sequence;
  decision: Decision;
  /** The examples of the baseline and of this experiment. */
  pairs: ExamplePair[];
}

/**
 * Checks after each example whether all conditions of `stopWhen` are met.
 *
 * Examples count in the order in which they started, and only up to the first unfinished one. Otherwise quick answers would
 * count first, and the decision would depend on the concurrency.
 */
export class Stopping implements RowObserver {
  readonly #questions: StopQuestion[];
  readonly #observations: StopObservations;
  readonly #repetitions: number;
  readonly #scales: () => Record<string, ScoreScale>;
  /** Finished rows after an unfinished one. */
  readonly #early = new Map<number, ExperimentRow>();
  /** The rows of the next example. */
  #rows: ExperimentRow[] = [];
  /** New observations, by question. */
  readonly #waiting: (StopObservation | undefined)[][] = [];
  /** The number of finished rows before the first unfinished one. */
  #done = 0;
  #stoppedEarly = false;
  /** The error for a baseline over other examples, known once the decisions are concluded. */
  problem: OpenEvalsError | undefined;
  /** The keys of conditions without a result so far. */
  readonly #unseen: Set<string>;
  /** The example that was allowed to start last. */
  #example: number | undefined;

  /**
   * @param scales Returns the scales of the scores so far.
   * @throws {@link OpenEvalsError} `invalid_input` or `invalid_config` for a baseline that cannot be compared with.
   */
  constructor(
    conditions: readonly ParsedCondition[],
    repetitions: number,
    scales: () => Record<string, ScoreScale>,
  ) {
    this.#scales = scales;
    this.#repetitions = repetitions;
    this.#unseen = new Set(conditions.map(({ key }) => key));
    this.#observations = new StopObservations(new Map(conditions.map(({ key, range }) => [key, range])));
    this.#questions = conditions.map((condition) => {
      const { key, threshold, width, level, range } = condition;
      const baseline = observedBaseline(condition);
      const [from, to] = baseline ? [range[0] - range[1], range[1] - range[0]] : range;
      return {
        condition,
        baseline,
        hasSameScale: false,
        sequence: new Sequence({ from, to, level, threshold, width }),
        pairs: [],
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
   * Records a row. Positions number the rows and their repetitions in the order in which they start.
   *
   * @throws {@link OpenEvalsError} `invalid_input` for a score outside its range, `invalid_config` for a condition whose key is
   * a misspelt key of the results: it would never be decided.
   */
  note(position: number, row: ExperimentRow): void {
    this.#early.set(position, row);
    for (let next = this.#early.get(this.#done); next; next = this.#early.get(this.#done)) {
      this.#early.delete(this.#done++);
      if (this.#rows.push(next) < this.#repetitions) continue;
      const rows = this.#rows;
      this.#rows = [];
      if (this.#unseen.size) this.#checkKeys(rows);
      this.#observations.add(rows);
      this.#waiting.push(this.#questions.map((question) => observed(question, rows)));
    }
  }

  #checkKeys(rows: readonly ExperimentRow[]): void {
    const keys = rows.flatMap(({ evaluationResults }) => evaluationResults.map(({ key }) => key));
    for (const key of keys) this.#unseen.delete(key);
    const misspelt = [...this.#unseen].filter((key) => nearest(key, keys));
    const error = noSuchKey("stopWhen", misspelt, keys);
    if (error) throw error;
  }

  /** Rows of an earlier run may be enough. */
  begin(): Promise<void> | undefined {
    return this.#look();
  }

  rowFinished(): Promise<void> | undefined {
    return this.#look();
  }

  /** Checks new observations. Without any, there is nothing to wait for. */
  #look(): Promise<void> | undefined {
    return this.#waiting.length && !this.#isDecided ? this.#lookAtAll() : undefined;
  }

  /** @throws {@link OpenEvalsError} `invalid_input` for a baseline whose scores have another meaning. */
  async #lookAtAll(): Promise<void> {
    const scales = this.#scales();
    for (const question of this.#questions) question.hasSameScale ||= checkScale(question.condition, scales);
    await statisticsEngine.run("stopWhen", this.#waiting.length, () => {
      for (const observations of this.#waiting.splice(0)) {
        for (const [index, question] of this.#questions.entries())
          addObservation(question, observations[index]);
      }
    });
  }

  /**
   * Whether all conditions are decided before a new example. An example that has started gets all of its repetitions.
   */
  shouldStop(position: number): boolean {
    const example = Math.floor(position / this.#repetitions);
    if (example === this.#example) return false;
    this.#example = example;
    this.#stoppedEarly = this.#isDecided;
    return this.#stoppedEarly;
  }

  /** The decisions. Replaces the intervals of aggregates by ones that remain valid after an early stop. */
  async conclude(
    aggregates: Record<string, Aggregate>,
  ): Promise<Pick<Experiment, "decisions" | "stoppedEarly">> {
    await this.#look();
    for (const { baseline, decision, pairs } of this.#questions) {
      const problem = baseline && baselineProblem(decision.key, pairs);
      if (!problem) continue;
      decision.note = problem.note;
      if (!problem.error) continue;
      // The differences are between scores of different examples.
      Object.assign(decision, { verdict: null, interval: null });
      this.problem ??= problem.error;
    }
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

/** The observation of an example, or its difference from the baseline; `undefined` if either is missing. */
function observed(
  { condition: { key, range }, baseline, pairs }: StopQuestion,
  rows: readonly ExperimentRow[],
): StopObservation | undefined {
  const now = observationOf(rows, key, range);
  if (!baseline) return now;
  const { example } = rows[0] as ExperimentRow;
  const before = baseline.get(example.id);
  if (before) pairs.push([before.example, example]);
  return now && before && { low: now.low - before.high, high: now.high - before.low };
}

/** Adds an observation, unless the question is decided. */
function addObservation(
  { sequence, decision }: StopQuestion,
  observation: StopObservation | undefined,
): void {
  if (!observation || decision.verdict) return;
  const { low, high } = observation;
  const { interval, verdict } = sequence.look(Float64Array.of(low), Float64Array.of(high));
  decision.examples++;
  if (low < high) decision.errors++;
  decision.interval = interval;
  decision.verdict = verdict;
}
