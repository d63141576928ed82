/** Slices of an experiment, each compared with the other rows. */

import { statisticsEngine } from "../../core/engine/statistics.js";
import { typedWork } from "../../core/errors.js";
import { checkOptions, type OptionChecks, oneOf, required } from "../../core/input/checks.js";
import { ownValue } from "../../core/input/objects.js";
import { pValueInText } from "../../core/number-text.js";
import { checkRows } from "../../core/records/check-rows.js";
import { scoreOf } from "../../core/records/score.js";
import type { Aggregate, Experiment, ExperimentRow, Interval } from "../../core/records/types.js";
import type { ScoreScale } from "../../core/types.js";
import {
  LEVEL,
  numbered,
  numberOf,
  STATISTICS_OPTIONS,
  type StatisticsOptions,
  settingsOf,
} from "../../evaluators/summary/settings.js";
import * as bindings from "../../openevals-statistics.js";
import type { Correction, SliceDifference } from "../../openevals-statistics.types.js";
import { aClusterBy, type ClusterBy, clusterOf, type Groups, groupsOf } from "../statistics/clusters.js";
import { ScoreColumns } from "../statistics/columns.js";
import { widthOf } from "./scale-width.js";
import { aSliceBy, checkField, nameOf, type SliceBy, sliceNames } from "./slice-by.js";

/** The options of {@link sliceExperiment}. */
export interface SliceOptions extends StatisticsOptions {
  /**
   * The fields that define the slices: a field of the `metadata` (or, if it is missing there, of the `inputs`), such as
   * `language`; a function of the example; or a list of these. A row whose value is a list, such as `tags`, is in a
   * slice for each element.
   */
  by: SliceBy | readonly SliceBy[];
  /**
   * How p-values are adjusted for the number of slices, fields and keys. `westfall-young` (the default) controls the
   * family-wise error rate: if no slice differs, an adjusted p-value is below 0.05 in at most 5% of experiments. It adjusts the
   * slices of a field together, with the permutations of their test, and multiplies by the number of pairs of field and key.
   * `holm`, `benjamini-hochberg` and `none` are as in {@link compareExperiments}.
   */
  correction?: "westfall-young" | Correction | undefined;
  /**
   * The common property of the rows of a cluster, if rows are not independent. Default: the clusters that the experiment records.
   */
  clusterBy?: ClusterBy | undefined;
}

/** The scores of one key in a slice, compared with all other rows. */
export interface Slice {
  /** The field that defines the slice, or the name of the function. */
  by: string;
  /** The value that its rows share, as text. */
  value: string;
  key: string;
  /** The scores of the slice. */
  aggregate: Aggregate;
  /** The number of examples with a score, however often each was run; with clusters, their number. */
  units: number;
  /** The mean of the slice minus the mean of all other rows; `null` if one of them has no scores. */
  difference: number | null;
  /** The confidence interval of the difference. It is not adjusted, so it agrees with `pValue`. `null` without a p-value, and if no score varies. */
  interval: Interval | null;
  /** The two-sided p-value: the probability of a difference at least as large if the scores do not depend on the slice. */
  pValue: number | null;
  /** The p-value, adjusted for the number of slices. Base decisions on this one. */
  adjustedPValue: number | null;
  /** The p-value for all slices of this field and key together: does any of them differ? */
  omnibusPValue: number | null;
  /** Why there is no p-value, or why no `adjustedPValue` can be significant. */
  comment?: string;
}

const OPTIONS: OptionChecks<SliceOptions> = {
  ...STATISTICS_OPTIONS,
  by: required(aSliceBy),
  correction: oneOf(["westfall-young", "holm", "benjamini-hochberg", "none"]),
  clusterBy: aClusterBy,
};

/**
 * Compares each slice of an experiment, such as each language or tag, with all other rows. Some slices differ by chance if
 * there are many, so p-values are adjusted for their number.
 *
 * The p-value comes from a studentized permutation test with up to 10,000 permutations of the scores between examples. It is
 * exact if the slice has the same distribution as the other rows, and approximate if only the spread differs. With clusters,
 * whole clusters are permuted; if the examples of a cluster are in different slices, they are permuted within the cluster.
 * A slice with fewer than 5 examples (or clusters), or with fewer than 5 outside it, has no p-value.
 *
 * If every score is 0 or 1, the interval is Newcombe's (method 10 of *Interval estimation for the difference between
 * independent proportions*, 1998). Otherwise it is Welch's, with at least the variance of all rows on each side. It includes 0
 * exactly if the p-value is not below one minus the level. If a recorded scale has `min` and `max`, it ends at their distance.
 * Scores that differ by up to 1e-12 of the largest score are ties.
 *
 * @returns The slices, in ascending order of `adjustedPValue`.
 * @throws {@link OpenEvalsError} `invalid_config` for invalid options, `invalid_input` for an invalid experiment.
 *
 * @example
 * ```ts
 * import { type Experiment, sliceExperiment } from "openevals-wasm/evaluation";
 *
 * export async function weakSpots(experiment: Experiment) {
 *   const slices = await sliceExperiment(experiment, { by: ["language", "tags"] });
 *   return slices.filter(({ difference, adjustedPValue }) => (difference ?? 0) < 0 && (adjustedPValue ?? 1) < 0.05);
 * }
 * ```
 */
export async function sliceExperiment(
  experiment: Pick<Experiment, "rows" | "scales">,
  options: SliceOptions,
): Promise<Slice[]> {
  const read = checkOptions("sliceExperiment", options, OPTIONS);
  return typedWork("sliceExperiment", async () => {
    checkRows(experiment, "experiment");
    // Experiments written by hand may lack errors.
    const rows = experiment.rows.map((row) => ({ ...row, errors: row.errors ?? [] }));
    const keys = new Set(rows.flatMap(({ evaluationResults }) => evaluationResults.map(({ key }) => key)));
    const scored = new Map([...keys].map((key) => [key, scoresOf(rows, key, read.clusterBy)]));
    const families: TestedSlice[][] = [];
    for (const by of [read.by].flat() as SliceBy[]) {
      const members = slicesBy(rows, by);
      if (members.size === 0) checkField(rows, by, "by");
      const aggregates = new Map<string, Record<string, Aggregate>>();
      for (const [value, inside] of members) {
        const own = rows.filter((row) => inside.has(row));
        aggregates.set(value, await aggregatesOf([...keys], own, read, experiment.scales));
      }
      for (const [key, scores] of scored) {
        const scale = ownValue(experiment.scales ?? {}, key);
        const differences = await compare(scores, [...members.values()], scale, read);
        families.push(testedSlices(nameOf(by), key, aggregates, differences, scores));
      }
    }
    return adjusted(families, read);
  });
}

interface TestedSlice {
  slice: Slice;
  /** The smallest p-value that its test can have; 0 if that is unknown. */
  leastPValue: number;
}

/** The slices by one field, for one key. */
function testedSlices(
  by: string,
  key: string,
  aggregates: ReadonlyMap<string, Record<string, Aggregate>>,
  differences: readonly SliceDifference[],
  scores: SlicedScores,
): TestedSlice[] {
  const omnibusPValue = smallest(differences.map(({ steppedPValue }) => steppedPValue));
  const { examples, clusters } = scores.groups;
  const units = new Set(clusters ?? examples).size;
  return Array.from(aggregates, ([value, byKey], index) => {
    const { steppedPValue, ...figures } = differences[index] as SliceDifference;
    const slice: Slice = {
      by,
      value,
      key,
      aggregate: byKey[key] as Aggregate,
      ...figures,
      adjustedPValue: steppedPValue,
      omnibusPValue,
      ...(figures.pValue === null && { comment: commentOn(figures, scores) }),
    };
    // Permutations within clusters have another number of arrangements.
    return { slice, leastPValue: clusters ? 0 : leastPValue(figures.units, units) };
  });
}

const smallest = (pValues: readonly (number | null)[]): number | null =>
  pValues.reduce(
    (least, pValue) => (least === null || (pValue !== null && pValue < least) ? pValue : least),
    null,
  );

/** The rows of each value, in order of appearance. */
function slicesBy(rows: readonly ExperimentRow[], by: SliceBy): Map<string, Set<ExperimentRow>> {
  const slices = new Map<string, Set<ExperimentRow>>();
  for (const row of rows)
    for (const name of sliceNames(row.example, by, "by"))
      slices.set(name, (slices.get(name) ?? new Set()).add(row));
  return slices;
}

/** Tests the difference of each slice from the other rows. */
function compare(
  { rows, scores, groups: { examples, clusters } }: SlicedScores,
  slices: readonly ReadonlySet<ExperimentRow>[],
  scale: ScoreScale | undefined,
  options: SliceOptions,
): Promise<SliceDifference[]> {
  const starts: number[] = [];
  const members: number[] = [];
  for (const slice of slices) {
    starts.push(members.length);
    for (const [index, row] of rows.entries()) if (slice.has(row)) members.push(index);
  }
  return statisticsEngine.run("sliceExperiment", scores.length + members.length, () =>
    bindings.sliceDifferences(
      scores,
      examples,
      clusters,
      Uint32Array.from(starts),
      Uint32Array.from(members),
      widthOf(scale),
      settingsOf(options),
    ),
  );
}

/** The engine compares slices from this size on, and only if as many units are outside. */
const MIN_UNITS = 5;

function commentOn(
  { units, difference }: Pick<Slice, "units" | "difference">,
  { groups: { examples, clusters } }: SlicedScores,
): string {
  const rest = new Set(clusters ?? examples).size - units;
  if (units >= MIN_UNITS && rest >= MIN_UNITS && difference === null)
    return "The sum of the scores overflows.";
  const [where, count] = units < MIN_UNITS ? ["the slice has", units] : ["the other rows have", rest];
  return `Too few examples or clusters with a score for a comparison: ${where} ${count} of the ${MIN_UNITS} needed.`;
}

/** The smallest p-value that the permutation test can have: one over the number of arrangements, or of permutations. */
function leastPValue(units: number, all: number): number {
  let arrangements = 1;
  for (let chosen = 1; chosen <= Math.min(units, all - units) && arrangements < 10_000; chosen++)
    arrangements *= (all - chosen + 1) / chosen;
  return 1 / Math.min(arrangements, 10_000);
}

/** The scores of each key in these rows. */
function aggregatesOf(
  keys: readonly string[],
  rows: readonly ExperimentRow[],
  { clusterBy, ...options }: SliceOptions,
  scales: Experiment["scales"],
): Promise<Record<string, Aggregate>> {
  const columns = new ScoreColumns();
  const errors = new Map(keys.map((key) => [key, 0]));
  const examples = numbered(rows.map(({ example }) => example.id));
  for (const [position, row] of rows.entries()) {
    // Only rows with a score need a cluster.
    const isScored = row.evaluationResults.some((result) => scoreOf(result) !== undefined);
    const cluster = isScored ? clusterOf(row, clusterBy) : undefined;
    columns.add(position, examples[position] as number, cluster, row.evaluationResults);
    for (const { key } of row.errors) if (errors.has(key)) errors.set(key, errors.get(key)! + 1);
  }
  return columns.aggregates(errors, { ...settingsOf(options), scales });
}

/** The scores of one key. */
interface SlicedScores {
  /** The row of each score. */
  rows: ExperimentRow[];
  scores: Float64Array;
  groups: Groups;
}

function scoresOf(
  rows: readonly ExperimentRow[],
  key: string,
  clusterBy: ClusterBy | undefined,
): SlicedScores {
  const found = rows.flatMap((row) =>
    row.evaluationResults.flatMap((result) => {
      const score = result.key === key ? scoreOf(result) : undefined;
      if (score === undefined) return [];
      const place = `The score of ${key}, example ${JSON.stringify(row.example.id)},`;
      return [{ row, score: numberOf(score, place) }];
    }),
  );
  return {
    rows: found.map(({ row }) => row),
    scores: Float64Array.from(found, ({ score }) => score),
    groups: groupsOf(
      found.map(({ row }) => ({ exampleId: row.example.id, cluster: clusterOf(row, clusterBy) })),
    ),
  };
}

/** The engine adjusts the Westfall–Young p-values for the slices of one field and key. This adjusts for all of these pairs. */
async function adjusted(
  families: readonly TestedSlice[][],
  { correction = "westfall-young", level = LEVEL }: SliceOptions,
): Promise<Slice[]> {
  const all = families.flat();
  const tested = all.filter(({ slice }) => slice.pValue !== null);
  if (correction === "westfall-young") {
    const pairs = families.filter(([first]) => first && first.slice.omnibusPValue !== null).length;
    for (const { slice, leastPValue } of tested) {
      slice.adjustedPValue = Math.min(1, (slice.adjustedPValue as number) * pairs);
      const least = pairs * leastPValue;
      if (least >= 1 - level)
        slice.comment =
          `No difference can be significant: with so few examples and ${pairs} pairs of field and key, the smallest ` +
          `possible adjusted p-value is ${pValueInText(least)}. Slice by fewer fields, or add rows.`;
    }
  } else {
    const pValues = Float64Array.from(tested, ({ slice }) => slice.pValue as number);
    const found = await statisticsEngine.run("sliceExperiment", pValues.length, () =>
      bindings.adjusted(pValues, correction),
    );
    for (const [index, { slice }] of tested.entries()) slice.adjustedPValue = found[index] as number;
  }
  return all
    .map(({ slice }) => slice)
    .sort((one, other) => (one.adjustedPValue ?? 2) - (other.adjustedPValue ?? 2));
}
