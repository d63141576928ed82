/** Outcomes of evaluators, and whose keys are whose. */

import { OpenEvalsError } from "../../../core/errors.js";
import type {
  EvaluationResult,
  EvaluatorFailure,
  Example,
  ExperimentRow,
  Failure,
  Run,
} from "../../../core/records/types.js";

/** What one evaluator found in one row: its results, or what it failed with. */
export type EvaluatorOutcome = EvaluationResult[] | Failure;

/** A row that is done, with the outcome of each evaluator. */
export interface FinishedRow {
  example: Example;
  run: Run;
  outcomes: EvaluatorOutcome[];
}

/** Where a key was first given: by which evaluator, in which row, and at which place of its results. */
interface Origin {
  owner: number;
  position: number;
  place: number;
}

/** Which evaluator gives which keys, as far as their results have told. */
export class EvaluatorKeys {
  /** How evaluators are called that have not given any. */
  readonly #names: readonly string[];
  readonly #origins = new Map<string, Origin>();

  constructor(names: readonly string[]) {
    this.#names = names;
  }

  /**
   * Takes note of the keys of a row.
   *
   * @throws {@link OpenEvalsError} `invalid_config` for a key that two evaluators give: their scores would be mixed.
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

  /** The row as it is recorded. A failure stands once for each key of its evaluator. */
  record({ example, run, outcomes }: FinishedRow): ExperimentRow {
    const evaluationResults: EvaluationResult[] = [];
    const errors: EvaluatorFailure[] = [];
    for (let index = 0; index < outcomes.length; index++) {
      const outcome = outcomes[index] as EvaluatorOutcome;
      if (Array.isArray(outcome)) evaluationResults.push(...outcome);
      else for (const key of this.of(index)) errors.push({ key, error: outcome });
    }
    return { example, run, evaluationResults, errors };
  }

  /** The keys of an evaluator; its name if it has not given any. */
  of(evaluator: number): string[] {
    const keys = this.given(evaluator);
    return keys.length ? keys : [this.#names[evaluator] ?? ""];
  }

  /** The keys that an evaluator has given, in the order in which rows have them, whichever finished first. */
  given(evaluator: number): string[] {
    const own = [...this.#origins].filter(([, { owner }]) => owner === evaluator);
    const inOrder = own.sort(([, a], [, b]) => a.position - b.position || a.place - b.place);
    return inOrder.map(([key]) => key);
  }

  #clash(key: string, ...indices: [number, number]): OpenEvalsError {
    const [first, second] = indices.sort().map((index) => `evaluators[${index}]`);
    return new OpenEvalsError(
      "invalid_config",
      `${first} and ${second} both give the key "${key}", so that their scores would be mixed. Give one of them ` +
        "another key, such as with feedbackKey.",
    );
  }
}
