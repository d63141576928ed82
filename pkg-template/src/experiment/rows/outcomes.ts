/** Outcomes of evaluators: rows as they are recorded, and the aggregates of their scores. */

import { OpenEvalsError } from "../../errors.js";
import type { TokenUsage } from "../../judge/usage.js";
import { aggregateOf } from "../../statistics/aggregate.js";
import { unitOf } from "../../statistics/clusters.js";
import { correctScores } from "../../statistics/correct-rate.js";
import type { StatisticsOptions } from "../../statistics/settings.js";
import type { ReadEvaluator } from "../evaluators/evaluators.js";
import type { Plan } from "../options.js";
import { scoreOf } from "../score.js";
import type {
  Aggregate,
  EvaluationResult,
  EvaluatorFailure,
  Example,
  Experiment,
  ExperimentRow,
  Failure,
  Run,
} from "../types.js";

/** What one evaluator found in one row: its results, or what it failed with. */
export type Outcome = EvaluationResult[] | Failure;

/** A row that is done, with the outcome of each evaluator. */
export interface FinishedRow {
  example: Example;
  run: Run;
  outcomes: Outcome[];
}

/** Which evaluator gives which keys, as far as their results have told. */
export class Keys {
  readonly #evaluators: readonly ReadEvaluator[];
  readonly #owners = new Map<string, number>();

  constructor(evaluators: readonly ReadEvaluator[]) {
    this.#evaluators = evaluators;
  }

  /**
   * Takes note of the keys of a row.
   *
   * @throws {@link OpenEvalsError} `invalid_config` for a key that two evaluators give: their scores would be mixed.
   */
  note({ outcomes }: FinishedRow): void {
    for (const [index, outcome] of outcomes.entries()) {
      if (!Array.isArray(outcome)) continue;
      for (const { key } of outcome) {
        const owner = this.#owners.get(key);
        if (owner === undefined) this.#owners.set(key, index);
        else if (owner !== index) throw this.#clash(key, owner, index);
      }
    }
  }

  /** The row as it is recorded. A failure stands once for each key of its evaluator. */
  record({ example, run, outcomes }: FinishedRow): ExperimentRow {
    const evaluationResults: EvaluationResult[] = [];
    const errors: EvaluatorFailure[] = [];
    for (const [index, outcome] of outcomes.entries()) {
      if (Array.isArray(outcome)) evaluationResults.push(...outcome);
      else errors.push(...this.#of(index).map((key) => ({ key, error: outcome })));
    }
    return { example, run, evaluationResults, errors };
  }

  /** All keys, in the order of the evaluators. */
  all(): string[] {
    return this.#evaluators.flatMap((_, index) => this.#of(index));
  }

  #of(evaluator: number): string[] {
    const keys = [...this.#owners].filter(([, owner]) => owner === evaluator).map(([key]) => key);
    return keys.length ? keys : [this.#evaluators[evaluator]?.name ?? ""];
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

/** The scores of each key over all rows. */
export async function aggregatesOf(
  keys: readonly string[],
  rows: readonly ExperimentRow[],
  {
    clusterBy,
    calibration = {},
    ...options
  }: StatisticsOptions & Partial<Pick<Plan, "clusterBy" | "calibration">>,
): Promise<Record<string, Aggregate>> {
  const none = () => ({
    scores: [] as (number | boolean)[],
    exampleIds: [] as string[],
    clusters: clusterBy === undefined ? undefined : ([] as string[]),
    errors: 0,
    notApplicable: 0,
  });
  const counted = new Map(keys.map((key) => [key, none()]));
  for (const { example, evaluationResults, errors } of rows) {
    for (const result of evaluationResults) {
      const entry = counted.get(result.key);
      const score = scoreOf(result);
      if (score === undefined) entry && entry.notApplicable++;
      else {
        entry?.scores.push(score);
        entry?.exampleIds.push(example.id);
        entry?.clusters?.push(unitOf(example, clusterBy));
      }
    }
    for (const { key } of errors) {
      const entry = counted.get(key);
      if (entry) entry.errors++;
    }
  }
  const aggregates: [string, Aggregate][] = [];
  for (const [key, results] of counted) {
    const aggregate = await aggregateOf(results, options);
    const known = Object.hasOwn(calibration, key) ? calibration[key] : undefined;
    if (known)
      aggregate.corrected = await correctScores(
        results.scores,
        results.clusters ?? results.exampleIds,
        known,
      );
    aggregates.push([key, aggregate]);
  }
  return Object.fromEntries(aggregates);
}

/** The tokens of all judges. */
export function usageOf(
  rows: readonly { evaluationResults: Pick<EvaluationResult, "metadata">[] }[],
): Experiment["usage"] {
  let usage: TokenUsage | null = null;
  for (const { evaluationResults } of rows) {
    for (const { metadata } of evaluationResults) {
      const used = (metadata?.usage ?? {}) as Partial<TokenUsage>;
      if (!isCount(used.inputTokens) || !isCount(used.outputTokens)) continue;
      usage ??= { inputTokens: 0, outputTokens: 0 };
      for (const kind of KINDS) {
        const tokens = used[kind];
        if (isCount(tokens)) usage[kind] = (usage[kind] ?? 0) + tokens;
      }
    }
  }
  return usage;
}

const KINDS = ["inputTokens", "outputTokens", "reasoningTokens", "cachedInputTokens"] as const;

const isCount = (tokens: unknown): tokens is number => typeof tokens === "number";
