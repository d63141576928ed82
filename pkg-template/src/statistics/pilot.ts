/** What two experiments that have run say about the next ones. */

import { OpenEvalsError } from "../errors.js";
import { scoreOf } from "../experiment/score.js";
import type { Experiment } from "../experiment/types.js";
import { aggregateOf } from "./aggregate.js";
import { compareExperiments } from "./compare.js";

/** What a plan goes by. */
export interface Pilot {
  scores: { baseline: number } | { standardDeviation: number };
  correlation: number | undefined;
  repetitionCorrelation: number | undefined;
}

/**
 * @throws {@link OpenEvalsError} `invalid_config` without a key that both have scores of, `invalid_input` for what is no experiment.
 */
export async function pilotOf(
  first: Pick<Experiment, "rows">,
  second: Pick<Experiment, "rows">,
  key: string | undefined,
): Promise<Pilot> {
  const comparisons = await compareExperiments(first, second);
  const keys = Object.keys(comparisons).filter((key) => comparisons[key]!.count > 0);
  const name = key ?? keys[0];
  if (name === undefined || !keys.includes(name) || (key === undefined && keys.length > 1)) {
    const there = keys.length
      ? `pairs of scores for ${keys.map((key) => JSON.stringify(key)).join(", ")}`
      : "no pairs of scores";
    throw new OpenEvalsError(
      "invalid_config",
      `planExperiment needs the key of the scores to plan for; the experiments have ${there}.`,
    );
  }
  const rows = first.rows.flatMap(({ example, evaluationResults }) =>
    evaluationResults.flatMap((result) => {
      const score = result.key === name ? scoreOf(result) : undefined;
      return score === undefined ? [] : [{ id: example.id, score }];
    }),
  );
  const scores = rows.map(({ score }) => Number(score));
  const { flicker } = await aggregateOf({
    scores,
    exampleIds: rows.map(({ id }) => id),
    errors: 0,
    notApplicable: 0,
  });
  const sum = scores.reduce((sum, score) => sum + score, 0);
  const mean = sum / scores.length;
  const squares = scores.reduce((squares, score) => squares + (score - mean) ** 2, 0);
  const areRates = scores.every((score) => score === 0 || score === 1);
  const repetitionCorrelation = flicker?.correlation;
  return {
    // A rate of 0 or 1 is one that is close to it.
    scores: areRates
      ? { baseline: Math.min(Math.max(mean, 0.5 / (scores.length + 1)), 1 - 0.5 / (scores.length + 1)) }
      : { standardDeviation: Math.sqrt(squares / Math.max(scores.length - 1, 1)) },
    correlation: comparisons[name]!.correlation ?? undefined,
    repetitionCorrelation: repetitionCorrelation == null ? undefined : Math.max(0, repetitionCorrelation),
  };
}
