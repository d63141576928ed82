/** Where an experiment is better or worse than elsewhere. */

import { statisticsEngine } from "../engine/statistics.js";
import { typedWork } from "../errors.js";
import { checkRows } from "../experiment/check.js";
import { Columns } from "../experiment/rows/columns.js";
import { scoreOf } from "../experiment/score.js";
import type { Aggregate, Example, Experiment, ExperimentRow, Interval } from "../experiment/types.js";
import { type Checks, check, checkOptions, isListOf, required } from "../input/checks.js";
import { aClusterBy, type ClusterBy, fieldOf, unitOf } from "./clusters.js";
import { CORRECTION_OPTION, type ComparisonOptions } from "./compare.js";
import { numbered, numberOf, STATISTICS_OPTIONS, type StatisticsOptions, settingsOf } from "./settings.js";

/** What rows are sliced by: a field of their `metadata` or `inputs`, or a function of the example. */
export type SliceBy = string | ((example: Example) => unknown);

/** The options of {@link sliceExperiment}. */
export interface SliceOptions extends StatisticsOptions {
  /**
   * What makes a slice: a field of the `metadata` or else of the `inputs`, such as `language`, or a function of the
   * example; or a list of them. A row whose value is a list, such as `tags`, is in a slice for each element.
   */
  by: SliceBy | readonly SliceBy[];
  /** How p-values are adjusted for as many looks as there are slices and keys; as in {@link compareExperiments}. */
  correction?: ComparisonOptions["correction"];
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
  /** The mean of the slice minus that of all other rows; `null` if one has no scores. */
  difference: number | null;
  /** Where the difference may well be. */
  interval: Interval | null;
  /** How likely such a difference is by chance. */
  pValue: number | null;
  /** The same, adjusted for being one of many looks: decide by this. */
  adjustedPValue: number | null;
  /** Why there is no p-value. */
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
  correction: CORRECTION_OPTION,
  clusterBy: aClusterBy,
};

/**
 * The scores of an experiment slice by slice: by language, by tag, by whatever rows have. Each slice is compared with all
 * other rows, and since of many slices some differ by chance alone, its p-value is adjusted for how many looks there are.
 *
 * Where every score is 0 or 1, the interval is Newcombe's (method 10 of *Interval estimation for the difference between
 * independent proportions*, 1998); else that of Welch's t. The p-value is one minus the level at which it ends at 0.
 * Repetitions and clusters count for what they tell.
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
    const slices: Slice[] = [];
    for (const by of [read.by].flat() as SliceBy[]) {
      for (const [value, inside] of slicesBy(rows, by)) {
        const name = typeof by === "function" ? by.name : by;
        slices.push(...(await sliceOf(rows, inside, read, name, value)));
      }
    }
    return adjusted(slices, read);
  });
}

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

async function sliceOf(
  rows: readonly ExperimentRow[],
  inside: ReadonlySet<ExperimentRow>,
  { clusterBy, ...options }: SliceOptions,
  by: string,
  value: string,
): Promise<Slice[]> {
  const keys = new Set(rows.flatMap(({ evaluationResults }) => evaluationResults.map(({ key }) => key)));
  const { level, seed } = settingsOf(options);
  const own = rows.filter((row) => inside.has(row));
  const others = rows.filter((row) => !inside.has(row));
  const aggregates = await aggregatesOf([...keys], own, { level, seed, clusterBy });
  const slices: Slice[] = [];
  for (const key of keys) {
    const [one, rest] = [own, others].map((some) => scoresOf(some, key, clusterBy));
    const found = await statisticsEngine.run("sliceExperiment", rows.length, (engine) =>
      engine.sliceDifference(one!.scores, one!.units, rest!.scores, rest!.units, level),
    );
    const comment =
      found.pValue === null ? "It or the rest has too few scores that vary for a comparison." : undefined;
    slices.push({
      by,
      value,
      key,
      aggregate: aggregates[key] as Aggregate,
      ...found,
      adjustedPValue: null,
      ...(comment && { comment }),
    });
  }
  return slices;
}

/** The scores of each key in these rows. */
function aggregatesOf(
  keys: readonly string[],
  rows: readonly ExperimentRow[],
  { clusterBy, ...settings }: Pick<SliceOptions, "clusterBy" | "level" | "seed">,
): Promise<Record<string, Aggregate>> {
  const columns = new Columns();
  const errors = new Map(keys.map((key) => [key, 0]));
  const examples = numbered(rows.map(({ example }) => example.id));
  for (const [position, row] of rows.entries()) {
    // Only a row with a score needs one.
    const isScored = row.evaluationResults.some((result) => scoreOf(result) !== undefined);
    const cluster = clusterBy === undefined || !isScored ? undefined : unitOf(row.example, clusterBy);
    columns.add(position, examples[position] as number, cluster, row.evaluationResults);
    for (const { key } of row.errors) if (errors.has(key)) errors.set(key, errors.get(key)! + 1);
  }
  return columns.aggregates(errors, settings);
}

function scoresOf(rows: readonly ExperimentRow[], key: string, clusterBy: ClusterBy | undefined) {
  const found = rows.flatMap(({ example, evaluationResults }) =>
    evaluationResults.flatMap((result) => {
      const score = result.key === key ? scoreOf(result) : undefined;
      const place = `The score of ${key}, example ${JSON.stringify(example.id)},`;
      return score === undefined ? [] : [{ score: numberOf(score, place), unit: unitOf(example, clusterBy) }];
    }),
  );
  return {
    scores: Float64Array.from(found, ({ score }) => score),
    units: numbered(found.map(({ unit }) => unit)),
  };
}

async function adjusted(slices: Slice[], { correction = "holm" }: SliceOptions): Promise<Slice[]> {
  const tested = slices.filter(({ pValue }) => pValue !== null);
  const pValues = Float64Array.from(tested, ({ pValue }) => pValue as number);
  const found = await statisticsEngine.run("sliceExperiment", pValues.length, (engine) =>
    engine.adjusted(pValues, correction),
  );
  for (const [index, slice] of tested.entries()) slice.adjustedPValue = found[index] as number;
  return slices.sort((one, other) => (one.adjustedPValue ?? 2) - (other.adjustedPValue ?? 2));
}
