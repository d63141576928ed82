/** Estimates the parameters of a plan from two experiments that have run. */

import { invalidConfig } from "../../core/errors.js";
import { scoreOf } from "../../core/records/score.js";
import type { Experiment } from "../../core/records/types.js";
import { aggregateOf } from "../statistics/aggregate.js";
import { compareExperiments } from "./compare.js";

/** The parameters of a plan. */
export interface Pilot {
  /** The number of pairs of scores; repetitions of a row count once. */
  pairs: number;
  scores: { baseline: number } | { standardDeviation: number };
  correlation: number | undefined;
  repetitionCorrelation: number | undefined;
  /** Whether the experiments record clusters. */
  hasClusters: boolean;
}

/**
 * Reads the parameters from the scores of one key.
 *
 * @throws {@link OpenEvalsError} `invalid_config` without a key that both have scores of, `invalid_input` for an invalid
 * experiment.
 */
export async function pilotOf(
  first: Pick<Experiment, "rows">,
  second: Pick<Experiment, "rows">,
  key: string | undefined,
): Promise<Pilot> {
  const comparisons = await compareExperiments(first, second);
  const keys = Object.entries(comparisons).flatMap(([key, { count, isSummary }]) =>
    count > 0 && !isSummary ? [key] : [],
  );
  const name = key ?? keys[0];
  if (name === undefined || !keys.includes(name) || (key === undefined && keys.length > 1)) {
    const available = keys.length
      ? `pairs of scores for ${keys.map((key) => JSON.stringify(key)).join(", ")}`
      : "no pairs of scores";
    throw invalidConfig(
      `planExperiment needs the option key, the scores to plan for; the experiments have ${available}`,
    );
  }
  const { count, correlation, clusters } = comparisons[name]!;
  const [one, other] = [await spreadOf(first, name), await spreadOf(second, name)];
  // Repetitions of a row say little of other rows.
  const pairs = Math.min(count, one.examples, other.examples);
  const hasClusters = clusters !== undefined;
  if (one.isRate && other.isRate) {
    // An observed rate of 0 or 1 has no variance.
    const least = 0.5 / (one.count + 1);
    return {
      pairs,
      hasClusters,
      scores: { baseline: Math.min(Math.max(one.mean, least), 1 - least) },
      correlation: correlation ?? undefined,
      repetitionCorrelation: one.repetitionCorrelation,
    };
  }
  // The plan assumes equal variances: this deviation and this correlation together keep the variance of the differences.
  const variance = (one.variance + other.variance) / 2;
  const agreeing = [one, other].filter(({ repetitionCorrelation }) => repetitionCorrelation !== undefined);
  const weight = agreeing.reduce((sum, { variance }) => sum + variance, 0);
  const common = agreeing.reduce((sum, one) => sum + one.variance * one.repetitionCorrelation!, 0);
  return {
    pairs,
    hasClusters,
    scores: { standardDeviation: Math.sqrt(variance) },
    correlation:
      correlation == null || variance === 0
        ? undefined
        : (correlation * Math.sqrt(one.variance * other.variance)) / variance,
    repetitionCorrelation: weight > 0 ? common / weight : undefined,
  };
}

/** The mean and the variance of an experiment's scores. */
async function spreadOf({ rows }: Pick<Experiment, "rows">, key: string) {
  const found = rows.flatMap(({ example, evaluationResults }) =>
    evaluationResults.flatMap((result) => {
      const score = result.key === key ? scoreOf(result) : undefined;
      return score === undefined ? [] : [{ id: example.id, score }];
    }),
  );
  const scores = found.map(({ score }) => Number(score));
  const exampleIds = found.map(({ id }) => id);
  const { repetitions } = await aggregateOf({ scores, exampleIds, errors: 0, notApplicable: 0 });
  const mean = scores.reduce((sum, score) => sum + score, 0) / scores.length;
  const squares = scores.reduce((squares, score) => squares + (score - mean) ** 2, 0);
  const repetitionCorrelation = repetitions?.correlation;
  return {
    count: scores.length,
    examples: new Set(exampleIds).size,
    mean,
    variance: squares / Math.max(scores.length - 1, 1),
    isRate: scores.every((score) => score === 0 || score === 1),
    repetitionCorrelation: repetitionCorrelation == null ? undefined : Math.max(0, repetitionCorrelation),
  };
}
