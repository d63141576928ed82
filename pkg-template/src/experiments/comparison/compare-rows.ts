/** Compares the rows of two experiments, or of a slice of them, key by key. */

import { scoreOf } from "../../core/records/score.js";
import type { Comparison, ExperimentRow, PerExperiment } from "../../core/records/types.js";
import { numberOf } from "../../evaluators/summary/settings.js";
import type { Settings } from "../../openevals-statistics.types.js";
import { type ClusterBy, clusterOf } from "../statistics/clusters.js";
import { rowsByIdentity } from "../stored/rows-by-identity.js";
import { compareKey, type KeyComparisonOptions, type KeyResults } from "./compare-key.js";

export type RowsOfBoth = PerExperiment<readonly ExperimentRow[]>;

/** The results of each key in both experiments. */
export type ResultsOfBoth = PerExperiment<ReadonlyMap<string, KeyResults>>;

export const readResults = (rows: RowsOfBoth, clusterBy: ClusterBy | undefined): ResultsOfBoth => ({
  first: readKeys(rows.first, "first", clusterBy),
  second: readKeys(rows.second, "second", clusterBy),
});

/** Compares each key, in the order of the first experiment. */
export async function compareKeys(
  { first, second }: ResultsOfBoth,
  settings: Settings,
  optionsOf: (key: string) => KeyComparisonOptions,
): Promise<Map<string, Comparison>> {
  const comparisons = new Map<string, Comparison>();
  for (const key of new Set([...first.keys(), ...second.keys()])) {
    const [before, after] = [first.get(key) ?? NONE, second.get(key) ?? NONE];
    comparisons.set(key, await compareKey(key, before, after, settings, optionsOf(key)));
  }
  return comparisons;
}

export const NONE: KeyResults = { scores: new Map(), errors: 0 };

/** The scores and errors of each key in one experiment. */
function readKeys(
  rows: readonly ExperimentRow[],
  name: string,
  clusterBy: ClusterBy | undefined,
): Map<string, KeyResults> {
  const byKey = new Map<string, KeyResults>();
  const resultsOf = (key: string): KeyResults => {
    let found = byKey.get(key);
    if (!found) {
      found = { scores: new Map(), errors: 0 };
      byKey.set(key, found);
    }
    return found;
  };
  for (const [identity, row] of rowsByIdentity(rows, `The ${name} experiment`)) {
    const { example, run, evaluationResults, errors } = row;
    for (const { key } of errors ?? []) resultsOf(key).errors++;
    const [exampleId, repetition] = [example.id, run.repetition ?? 0];
    const cluster = clusterOf(row, clusterBy);
    for (const result of evaluationResults) {
      const { key } = result;
      const found = resultsOf(key);
      const score = scoreOf(result);
      if (score === undefined) continue;
      numberOf(score, `The score of ${key} in the ${name} experiment, example ${JSON.stringify(exampleId)},`);
      found.scores.set(identity, { exampleId, repetition, score, cluster });
    }
  }
  return byKey;
}
