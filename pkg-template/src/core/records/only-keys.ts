/** Experiments with some of their keys. */

import type { Experiment } from "./types.js";
import { noSuchKey } from "./unknown-key.js";

/** The parts of an experiment that are by key. */
type ByKey = Pick<Experiment, "rows" | "scales"> & Partial<Pick<Experiment, "aggregates" | "summaryResults">>;

/**
 * The experiments with the results of these keys only.
 *
 * @param option The name of the option in messages.
 * @throws `invalid_config` for a key that neither has.
 */
export function onlyKeys<A extends ByKey, B extends ByKey>(
  experiments: readonly [A, B],
  keys: readonly string[],
  option: string,
): [A, B] {
  const problem = noSuchKey(option, keys, [...new Set(experiments.flatMap(keysIn))]);
  if (problem) throw problem;
  const isKept = ({ key }: { key: string }) => keys.includes(key);
  const [a, b] = experiments;
  return [kept(a, isKept), kept(b, isKept)];
}

const keysIn = ({ rows, aggregates = {}, summaryResults = [] }: ByKey): string[] => [
  ...rows.flatMap(({ evaluationResults, errors = [] }) =>
    [...evaluationResults, ...errors].map(({ key }) => key),
  ),
  ...Object.keys(aggregates),
  ...summaryResults.map(({ key }) => key),
];

function kept<E extends ByKey>(experiment: E, isKept: (result: { key: string }) => boolean): E {
  const { rows, scales, aggregates, summaryResults } = experiment;
  const ofKept = <Value>(byKey: Readonly<Record<string, Value>>) =>
    Object.fromEntries(Object.entries(byKey).filter(([key]) => isKept({ key })));
  return {
    ...experiment,
    rows: rows.map((row) => ({
      ...row,
      evaluationResults: row.evaluationResults.filter(isKept),
      errors: row.errors?.filter(isKept),
    })),
    ...(scales && { scales: ofKept(scales) }),
    ...(aggregates && { aggregates: ofKept(aggregates) }),
    ...(summaryResults && { summaryResults: summaryResults.filter(isKept) }),
  };
}
