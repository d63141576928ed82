/** Aggregates the comparisons of all examples. */

import { statisticsEngine } from "../../../core/engine/statistics.js";
import { ownValue } from "../../../core/input/objects.js";
import type {
  ComparativeAggregate,
  ComparativeResult,
  ComparativeRow,
  ComparedPair,
  PairwiseScore,
} from "../../../core/records/comparative.js";
import { type StatisticsOptions, settingsOf } from "../../../evaluators/summary/settings.js";
import * as bindings from "../../../openevals-statistics.js";
import type { Correction } from "../../../openevals-statistics.types.js";
import { type ClusterBy, groupsOf, unitOf } from "../../statistics/clusters.js";
import { rank } from "../../statistics/rank.js";

interface ComparativeAggregateOptions extends StatisticsOptions {
  clusterBy?: ClusterBy | undefined;
  correction?: Correction | undefined;
}

/** The aggregates by key. P-values are adjusted over all keys and pairs. */
export async function comparativeAggregates(
  keys: readonly string[],
  rows: readonly ComparativeRow[],
  names: readonly string[],
  { clusterBy, correction = "holm", ...statistics }: ComparativeAggregateOptions,
): Promise<Record<string, ComparativeAggregate>> {
  const found: [string, ComparativeAggregate][] = [];
  const hasClusters = clusterBy !== undefined || rows.some(({ cluster }) => cluster !== undefined);
  // An example that only experiments without clusters have is its own cluster.
  const originOf: OriginOf = (row) => ({
    exampleId: row.example.id,
    cluster: hasClusters ? unitOf(row, clusterBy) : undefined,
  });
  for (const key of keys) {
    const duels = rows.flatMap((row) => duelsOf(row, key, names, originOf));
    found.push([
      key,
      {
        pairs: await pairsOf(duels, uncountedOf(rows, key, names), names, statistics),
        ranking: await rank(duels, statistics),
        positionBias: await positionBiasOf(rows, key, originOf, statistics),
        errors: rows.flatMap(({ errors }) => errors.filter((error) => error.key === key)).length,
      },
    ]);
  }
  const tested = found.flatMap(([, { pairs }]) => pairs.filter(({ pValue }) => pValue !== null));
  const pValues = Float64Array.from(tested, ({ pValue }) => pValue as number);
  const adjusted = await statisticsEngine.run("evaluateComparative", pValues.length, () =>
    bindings.adjusted(pValues, correction),
  );
  for (const [index, pair] of tested.entries()) pair.adjustedPValue = adjusted[index] as number;
  return Object.fromEntries(found);
}

/** The example of a row, and its cluster if there are clusters. */
type OriginOf = (row: ComparativeRow) => { exampleId: string; cluster: string | undefined };

type Duel = PairwiseScore & { score: number } & ReturnType<OriginOf>;

/** The comparisons of each pair of runs with scores; the larger score wins. */
function duelsOf(row: ComparativeRow, key: string, names: readonly string[], originOf: OriginOf): Duel[] {
  const { runs, evaluationResults } = row;
  const origin = originOf(row);
  return evaluationResults
    .filter((result) => result.key === key)
    .flatMap((result) => {
      const scored = runs.flatMap((run, index) => {
        const score = run && scoreIn(result, run.id);
        return score === null ? [] : [{ name: names[index] as string, score: Number(score) }];
      });
      return scored.flatMap((one, index) =>
        scored.slice(index + 1).map((other) => ({
          first: one.name,
          second: other.name,
          score: one.score === other.score ? 0.5 : Number(one.score > other.score),
          ...origin,
        })),
      );
    });
}

/** A pair of runs that was compared and is not counted. */
interface Uncounted {
  first: string;
  second: string;
  why: "error" | "unscored";
}

/** The pairs of failed calls, and of results without a score for one of the two runs. */
function uncountedOf(rows: readonly ComparativeRow[], key: string, names: readonly string[]): Uncounted[] {
  const pairsIn = (
    { runs }: ComparativeRow,
    ids: readonly string[],
    why: Uncounted["why"],
    isMeant: (one: string, other: string) => boolean = () => true,
  ) => {
    const own = names.flatMap((name, index) => {
      const id = runs[index]?.id;
      return id !== undefined && ids.includes(id) ? [{ name, id }] : [];
    });
    return own.flatMap((one, index) =>
      own
        .slice(index + 1)
        .flatMap((other) =>
          isMeant(one.id, other.id) ? [{ first: one.name, second: other.name, why }] : [],
        ),
    );
  };
  return rows.flatMap((row) => [
    ...row.errors.flatMap((error) => (error.key === key ? pairsIn(row, error.runs, "error") : [])),
    ...row.evaluationResults.flatMap((result) => {
      const lacks = (id: string) => scoreIn(result, id) === null;
      return result.key === key
        ? pairsIn(row, result.runs, "unscored", (one, other) => lacks(one) || lacks(other))
        : [];
    }),
  ]);
}

const scoreIn = ({ scores }: ComparativeResult, id: string): number | boolean | null =>
  ownValue(scores, id) ?? null;

async function pairsOf(
  duels: readonly Duel[],
  uncounted: readonly Uncounted[],
  names: readonly string[],
  statistics: StatisticsOptions,
): Promise<ComparedPair[]> {
  const pairs: ComparedPair[] = [];
  for (const [index, first] of names.entries()) {
    for (const second of names.slice(index + 1)) {
      const own = duels.filter((duel) => duel.first === first && duel.second === second);
      const scores = Float64Array.from(own, ({ score }) => score);
      const { examples, clusters } = groupsOf(own);
      const notCounted = uncounted.filter((one) => one.first === first && one.second === second);
      const unscored = notCounted.filter(({ why }) => why === "unscored").length;
      const counted = (score: number) => own.filter((duel) => duel.score === score).length;
      const found = await statisticsEngine.run("evaluateComparative", own.length, () =>
        bindings.winsOf(scores, examples, clusters, settingsOf(statistics)),
      );
      pairs.push({
        first,
        second,
        wins: counted(1),
        ties: counted(0.5),
        losses: counted(0),
        count: own.length,
        ...(clusters && { clusters: new Set(clusters).size }),
        ...found,
        adjustedPValue: null,
        errors: notCounted.length - unscored,
        ...(unscored && { unscored }),
      });
    }
  }
  return pairs;
}

async function positionBiasOf(
  rows: readonly ComparativeRow[],
  key: string,
  originOf: OriginOf,
  statistics: StatisticsOptions,
): Promise<ComparativeAggregate["positionBias"]> {
  const found = rows.flatMap((row) =>
    row.evaluationResults.flatMap((result) => {
      const bias = result.key === key && biasOf(result);
      return typeof bias === "number" && Math.abs(bias) <= 1 ? [{ bias, ...originOf(row) }] : [];
    }),
  );
  if (!found.length) return null;
  const { examples, clusters } = groupsOf(found);
  // Estimated as a share, which has an interval even if all values are equal. Without any bias, it is the share of biased results.
  const neverLeans = found.every(({ bias }) => bias === 0);
  const shares = Float64Array.from(found, ({ bias }) => (neverLeans ? 0 : (bias + 1) / 2));
  const { value, interval } = await statisticsEngine.run("evaluateComparative", shares.length, () =>
    bindings.meanShare(shares, examples, clusters, settingsOf(statistics).level),
  );
  if (value === null) return null;
  const biasAt = (share: number) => 2 * share - 1;
  if (!interval) return { value: neverLeans ? 0 : biasAt(value), interval };
  const { low, high, level } = interval;
  return neverLeans
    ? { value: 0, interval: { low: -high, high, level } }
    : { value: biasAt(value), interval: { low: biasAt(low), high: biasAt(high), level } };
}

const biasOf = ({ metadata }: ComparativeResult): unknown => metadata?.positionBias;
