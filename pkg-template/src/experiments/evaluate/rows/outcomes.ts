/** Outcomes of evaluators, and the keys of each evaluator. */

import { invalidConfig, type OpenEvalsError } from "../../../core/errors.js";
import type {
  EvaluationResult,
  EvaluatorFailure,
  Example,
  ExperimentRow,
  Failure,
  Run,
} from "../../../core/records/types.js";

/** The outcome of one evaluator for one row: its results, or its failure. */
export type EvaluatorOutcome = EvaluationResult[] | Failure;

/** A finished row, with the outcome of each evaluator. */
export interface FinishedRow {
  example: Example;
  cluster?: string | undefined;
  run: Run;
  outcomes: EvaluatorOutcome[];
}

/** The first result with a key: its evaluator, its row, and its place among the results. */
interface KeyOrigin {
  owner: number;
  position: number;
  place: number;
}

/** The failure without its usage, which the first error of the evaluator has. */
const withoutUsage = ({ metadata: _, ...failure }: Failure): Failure => failure;

/** The keys of each evaluator, as found in results so far. */
export class EvaluatorKeys {
  /** The names of the evaluators, for those without a result. */
  readonly #names: readonly string[];
  readonly #origins = new Map<string, KeyOrigin>();

  constructor(names: readonly string[]) {
    this.#names = names;
  }

  /**
   * Records the keys of a row.
   *
   * @throws {@link OpenEvalsError} `invalid_config` for a key of two evaluators, whose scores would be mixed.
   */
  note(position: number, outcomes: readonly EvaluatorOutcome[]): void {
    for (let owner = 0; owner < outcomes.length; owner++) {
      const outcome = outcomes[owner];
      if (!Array.isArray(outcome)) continue;
      for (let place = 0; place < outcome.length; place++) {
        const { key } = outcome[place] as EvaluationResult;
        const origin = this.#origins.get(key);
        if (!origin) this.#origins.set(key, { owner, position, place });
        else if (origin.owner !== owner) throw this.#clash(key, origin.owner, owner);
        else if (position < origin.position) Object.assign(origin, { position, place });
      }
    }
  }

  /** The row to be recorded. A failure is recorded once for each key of its evaluator. */
  record({ example, cluster, run, outcomes }: FinishedRow): ExperimentRow {
    const evaluationResults: EvaluationResult[] = [];
    const errors: EvaluatorFailure[] = [];
    for (let index = 0; index < outcomes.length; index++) {
      const outcome = outcomes[index] as EvaluatorOutcome;
      if (Array.isArray(outcome)) evaluationResults.push(...outcome);
      else
        errors.push(
          ...this.of(index).map((key, place) => ({ key, error: place ? withoutUsage(outcome) : outcome })),
        );
    }
    return { example, ...(cluster !== undefined && { cluster }), run, evaluationResults, errors };
  }

  /** The keys of an evaluator; without results, its name. */
  of(evaluator: number): string[] {
    const keys = this.given(evaluator);
    return keys.length ? keys : [this.#names[evaluator] ?? ""];
  }

  /** The keys of an evaluator in the order of rows, whichever finished first. */
  given(evaluator: number): string[] {
    const own = [...this.#origins].filter(([, { owner }]) => owner === evaluator);
    const inOrder = own.sort(([, a], [, b]) => a.position - b.position || a.place - b.place);
    return inOrder.map(([key]) => key);
  }

  #clash(key: string, ...indices: [number, number]): OpenEvalsError {
    const [first, second] = indices.sort((a, b) => a - b).map((index) => `evaluators[${index}]`);
    return invalidConfig(
      `${first} and ${second} both return the key "${key}". Give one of them another key, for example with feedbackKey`,
    );
  }
}
