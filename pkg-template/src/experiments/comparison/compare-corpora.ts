/** Compares two experiments by a corpus metric. */

import { invalidInput } from "../../core/errors.js";
import { identityOf } from "../../core/records/row-identity.js";
import type { Comparison, ExperimentRow } from "../../core/records/types.js";
import type { StatisticsOptions } from "../../evaluators/summary/settings.js";
import type { CorpusEvaluator } from "../../evaluators/text/corpus.js";
import type { CorpusTest } from "../../openevals-metrics.types.js";
import { type ClusterBy, unitOf } from "../statistics/clusters.js";
import { withTest } from "./family.js";

interface CorpusComparisonOptions extends StatisticsOptions {
  clusterBy: ClusterBy | undefined;
  hasClusters: boolean;
  test: CorpusTest | undefined;
}

/** Compares the rows that have outputs in both experiments. */
export async function compareCorpora(
  evaluator: CorpusEvaluator<unknown>,
  first: readonly ExperimentRow[],
  second: readonly ExperimentRow[],
  { clusterBy, hasClusters, ...options }: CorpusComparisonOptions,
): Promise<Comparison> {
  const answered = (rows: readonly ExperimentRow[]) =>
    new Map(
      rows.flatMap((row) =>
        row.run.error == null && row.run.outputs !== undefined ? [[identityOf(row), row] as const] : [],
      ),
    );
  const [ours, theirs] = [answered(first), answered(second)];
  const pairs = [...ours].flatMap(([identity, from]) => {
    const to = theirs.get(identity);
    return to ? [{ from, to }] : [];
  });
  for (const { from, to } of pairs) {
    if (JSON.stringify(from.example.outputs) !== JSON.stringify(to.example.outputs)) {
      throw invalidInput(
        `${evaluator.name} needs the same reference outputs in both experiments; those of the example ` +
          `${JSON.stringify(from.example.id)} differ`,
      );
    }
  }
  const examples = pairs.map(({ from }) => ({ id: unitOf(from, clusterBy) }));
  const compared = (level = options.level) =>
    evaluator.compare({
      first: pairs.map(({ from }) => from.run.outputs),
      second: pairs.map(({ to }) => to.run.outputs),
      referenceOutputs: pairs.map(({ from }) => from.example.outputs),
      examples,
      ...options,
      level,
    });
  const found = await compared();
  const { difference, interval, pValue, count } = found;
  const comparison: Comparison = {
    difference,
    interval,
    standardError: null,
    pValue,
    adjustedPValue: null,
    test: found.test,
    count,
    ...(hasClusters && { clusters: new Set(examples.map(({ id }) => id)).size }),
    means: { first: found.first, second: found.second },
    unpaired: { first: ours.size - count, second: theirs.size - count },
    errors: { first: first.length - ours.size, second: second.length - theirs.size },
    bounds: null,
    flipped: [],
  };
  return withTest(comparison, { intervalAt: async (level) => (await compared(level)).interval });
}
