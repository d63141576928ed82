/** Where an experiment is better or worse than elsewhere. */

import { statisticsEngine } from "../../core/engine/statistics.js";
import { invalidConfig, typedWork } from "../../core/errors.js";
import {
  type Checks,
  check,
  checkOptions,
  isListOf,
  oneOf,
  required,
  show,
} from "../../core/input/checks.js";
import { nearest } from "../../core/input/near.js";
import { scoreOf } from "../../core/records/score.js";
import type { Aggregate, Example, Experiment, ExperimentRow, Interval } from "../../core/records/types.js";
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
import { aClusterBy, type ClusterBy, fieldOf, unitOf } from "../statistics/clusters.js";
import { ScoreColumns } from "../statistics/columns.js";
import { checkRows } from "../stored/check.js";

/** What rows are sliced by: a field of their `metadata` or `inputs`, or a function of the example. */
export type SliceBy = string | ((example: Example) => unknown);

/** The options of {@link sliceExperiment}. */
export interface SliceOptions extends StatisticsOptions {
  /**
   * What makes a slice: a field of the `metadata` or else of the `inputs`, such as `language`, or a function of the
   * example; or a list of them. A row whose value is a list, such as `tags`, is in a slice for each element.
   */
  by: SliceBy | readonly SliceBy[];
  /**
   * How p-values are adjusted for the number of slices, fields and keys. `westfall-young` (the default): if no slice
   * differs, any p-value is below 0.05 in at most 5% of experiments. It adjusts the slices of a field together, by the permutations that test them, and
   * multiplies by the number of fields and keys. `holm`, `benjamini-hochberg` and `none` are those of
   * {@link compareExperiments}.
   */
  correction?: "westfall-young" | Correction | undefined;
  /** What rows have in common that are not independent of each other. */
  clusterBy?: ClusterBy | undefined;
}

/** The scores of one key in a part of the rows, beside the rest. */
export interface Slice {
  /** What it is sliced by: the field, or the name of the function. */
  by: string;
  /** What its rows have there, as text. */
  value: string;
  key: string;
  /** The scores of the slice. */
  aggregate: Aggregate;
  /** How many examples with a score the slice has, however often each was run; with `clusterBy`, how many clusters. */
  units: number;
  /** The mean of the slice minus that of all other rows; `null` if one has no scores. */
  difference: number | null;
  /** Where the difference may well be. Not adjusted: it agrees with `pValue`. `null` without a p-value, and if no score varies. */
  interval: Interval | null;
  /** The probability of a difference at least as large, in either direction, if the scores do not depend on the slice. */
  pValue: number | null;
  /** The same, adjusted for the number of slices: decide by this. */
  adjustedPValue: number | null;
  /** The p-value of all slices of this field and key together: whether any of them differs. */
  omnibusPValue: number | null;
  /** Why there is no p-value, or why no `adjustedPValue` can be below one minus the level. */
  comment?: string;
}

const isSliceBy = (by: unknown) => typeof by === "function" || (typeof by === "string" && by !== "");

const OPTIONS: Checks<SliceOptions> = {
  ...STATISTICS_OPTIONS,
  by: required(
    check("the name of a field, a function, or a list of these", (by) => {
      return isSliceBy(by) || (isListOf(by, isSliceBy) && by.length > 0);
    }),
  ),
  correction: oneOf(["westfall-young", "holm", "benjamini-hochberg", "none"]),
  clusterBy: aClusterBy,
};

/**
 * The scores of an experiment slice by slice: by language, by tag, by whatever rows have. Each slice is compared with all
 * other rows, and since of many slices some differ by chance alone, its p-value is adjusted for how many looks there are.
 *
 * The p-value is that of a permutation test: scores are exchanged between examples, at random and up to ten thousand times,
 * and it is the share of arrangements in which the slice differs from the rest at least as much, in standard errors. It is exact if
 * the slice has the distribution of the rest, whatever that is, and close to it if only their spread differs.
 * With `clusterBy`, whole clusters are exchanged; where the examples of a cluster are in different slices, they are exchanged
 * within the cluster. Slices with fewer than 5 examples (or clusters), or with fewer outside, get no p-value.
 *
 * Where every score is 0 or 1, the interval is Newcombe's (method 10 of *Interval estimation for the difference between
 * independent proportions*, 1998); otherwise Welch's, in which neither side varies less than all rows together. It
 * includes 0 exactly if the p-value is not below one minus the level.
 *
 * @returns The slices, those with the smallest `adjustedPValue` first.
 * @throws {@link OpenEvalsError} `invalid_config` for options that cannot work, `invalid_input` for what is no experiment.
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
  experiment: Pick<Experiment, "rows">,
  options: SliceOptions,
): Promise<Slice[]> {
  const read = checkOptions("sliceExperiment", options, OPTIONS);
  return typedWork("sliceExperiment", async () => {
    checkRows(experiment, "experiment");
    // What was written by hand may do without errors.
    const rows = experiment.rows.map((row) => ({ ...row, errors: row.errors ?? [] }));
    const keys = new Set(rows.flatMap(({ evaluationResults }) => evaluationResults.map(({ key }) => key)));
    const scored = new Map([...keys].map((key) => [key, scoresOf(rows, key, read.clusterBy)]));
    const slices: Slice[] = [];
    const leastPValues = new Map<Slice, number>();
    let families = 0;
    for (const by of [read.by].flat() as SliceBy[]) {
      const name = typeof by === "function" ? by.name : by;
      const members = slicesBy(rows, by);
      if (typeof by === "string" && members.size === 0) checkField(rows, by);
      const aggregates: Record<string, Aggregate>[] = [];
      for (const inside of members.values()) {
        const own = rows.filter((row) => inside.has(row));
        aggregates.push(await aggregatesOf([...keys], own, read));
      }
      for (const [key, scores] of scored) {
        const found = await compare(scores, [...members.values()], read);
        const omnibusPValue = smallest(found.map(({ steppedPValue }) => steppedPValue));
        if (omnibusPValue !== null) families++;
        for (const [index, value] of [...members.keys()].entries()) {
          const { steppedPValue, ...figures } = found[index]!;
          const comment = figures.pValue === null ? commentOn(figures, scores) : undefined;
          const slice: Slice = {
            by: name,
            value,
            key,
            aggregate: aggregates[index]![key]!,
            ...figures,
            adjustedPValue: steppedPValue,
            omnibusPValue,
            ...(comment && { comment }),
          };
          slices.push(slice);
          // With clusters that are in several slices, there are other arrangements.
          if (figures.pValue !== null && read.clusterBy === undefined)
            leastPValues.set(slice, leastPValue(figures.units, new Set(scores.clusters).size));
        }
      }
    }
    return adjusted(slices, families, leastPValues, read);
  });
}

const smallest = (pValues: readonly (number | null)[]): number | null =>
  pValues.reduce(
    (least, pValue) => (least === null || (pValue !== null && pValue < least) ? pValue : least),
    null,
  );

/** The rows of each value, in the order in which values come. */
function slicesBy(rows: readonly ExperimentRow[], by: SliceBy): Map<string, Set<ExperimentRow>> {
  const slices = new Map<string, Set<ExperimentRow>>();
  for (const row of rows) {
    const found = typeof by === "function" ? by(row.example) : fieldOf(row.example, by);
    for (const value of [found].flat()) {
      if (value === undefined || value === null) continue;
      const name = typeof value === "object" ? JSON.stringify(value) : String(value);
      slices.set(name, (slices.get(name) ?? new Set()).add(row));
    }
  }
  return slices;
}

/** Refuses a field that no row has; one that is `null` everywhere makes no slices. */
function checkField(rows: readonly ExperimentRow[], by: string): void {
  const fields = new Set(
    rows.flatMap(({ example: { metadata, inputs } }) =>
      [metadata, inputs].flatMap((part) =>
        typeof part === "object" && part !== null && !Array.isArray(part) ? Object.keys(part) : [],
      ),
    ),
  );
  if (!rows.length || fields.has(by)) return;
  const meant = nearest(by, [...fields]);
  const there = [...fields].slice(0, 20).map(show).join(", ") || "none";
  throw invalidConfig(
    `by is ${show(by)}, a field that no row has in its metadata or inputs; ` +
      (meant === undefined ? `there are ${there}` : `did you mean ${show(meant)}?`),
  );
}

/** How each slice differs from the rest. */
function compare(
  { rows, scores, examples, clusters }: SlicedScores,
  slices: readonly ReadonlySet<ExperimentRow>[],
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
      settingsOf(options),
    ),
  );
}

/** The smallest slice, and the smallest rest, that the engine compares. */
const LEAST_UNITS = 5;

function commentOn(
  { units, difference }: Pick<Slice, "units" | "difference">,
  { clusters }: SlicedScores,
): string {
  const rest = new Set(clusters).size - units;
  if (units >= LEAST_UNITS && rest >= LEAST_UNITS && difference === null)
    return "The scores are too large to be added up.";
  const [where, count] = units < LEAST_UNITS ? ["the slice", units] : ["the rest", rest];
  return `Too few examples or clusters with a score for a comparison: ${where} has ${count}, and needs ${LEAST_UNITS}.`;
}

/** One of all ways to choose the slice, or of the permutations that are tried. */
function leastPValue(units: number, all: number): number {
  let ways = 1;
  for (let chosen = 1; chosen <= Math.min(units, all - units) && ways < 10_000; chosen++)
    ways *= (all - chosen + 1) / chosen;
  return 1 / Math.min(ways, 10_000);
}

/** The scores of each key in these rows. */
function aggregatesOf(
  keys: readonly string[],
  rows: readonly ExperimentRow[],
  { clusterBy, ...options }: SliceOptions,
): Promise<Record<string, Aggregate>> {
  const columns = new ScoreColumns();
  const errors = new Map(keys.map((key) => [key, 0]));
  const examples = numbered(rows.map(({ example }) => example.id));
  for (const [position, row] of rows.entries()) {
    // Only a row with a score needs one.
    const isScored = row.evaluationResults.some((result) => scoreOf(result) !== undefined);
    const cluster = clusterBy === undefined || !isScored ? undefined : unitOf(row.example, clusterBy);
    columns.add(position, examples[position] as number, cluster, row.evaluationResults);
    for (const { key } of row.errors) if (errors.has(key)) errors.set(key, errors.get(key)! + 1);
  }
  return columns.aggregates(errors, settingsOf(options));
}

/** The scores of one key. */
interface SlicedScores {
  /** The row of each. */
  rows: ExperimentRow[];
  scores: Float64Array;
  /** The numbers of their examples and clusters. */
  examples: Uint32Array;
  clusters: Uint32Array;
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
    examples: numbered(found.map(({ row }) => row.example.id)),
    clusters: numbered(found.map(({ row }) => unitOf(row.example, clusterBy))),
  };
}

/** Adjusts for fields and keys what is adjusted for the slices of each; or all of it by another method. */
async function adjusted(
  slices: Slice[],
  families: number,
  leastPValues: ReadonlyMap<Slice, number>,
  { correction = "westfall-young", level = LEVEL }: SliceOptions,
): Promise<Slice[]> {
  const tested = slices.filter(({ pValue }) => pValue !== null);
  if (correction === "westfall-young") {
    for (const slice of tested) {
      slice.adjustedPValue = Math.min(1, slice.adjustedPValue! * families);
      const least = families * (leastPValues.get(slice) ?? 0);
      if (least >= 1 - level)
        slice.comment =
          `Nothing can be found here: for ${families} pairs of field and key, no adjusted p-value of so few examples is ` +
          `below ${least.toPrecision(2)}. Ask for fewer fields or keys, or add rows.`;
    }
  } else {
    const pValues = Float64Array.from(tested, ({ pValue }) => pValue as number);
    const found = await statisticsEngine.run("sliceExperiment", pValues.length, () =>
      bindings.adjusted(pValues, correction),
    );
    for (const [index, slice] of tested.entries()) slice.adjustedPValue = found[index] as number;
  }
  return slices.sort((one, other) => (one.adjustedPValue ?? 2) - (other.adjustedPValue ?? 2));
}
