/** The table of a matrix: a line for each combination, the best first. */

import { ownValue } from "../../core/input/objects.js";
import { hasError } from "../../core/records/row-error.js";
import type { Experiment, Interval, MatrixPair } from "../../core/records/types.js";
import type { Bill } from "../../experiments/stored/account.js";
import { isMeanOfBooleans } from "../figures.js";
import type { ReadingOptions } from "../options.js";
import { Pricing } from "../prices.js";
import { scalesIn } from "../reading.js";
import { statusCounts } from "../story/row-status.js";
import { axesOf, combinationOf } from "./axes.js";
import { type Standing, standingsOf } from "./standing.js";

/** The mean of a key, and its standing among all combinations. */
export interface MatrixCell {
  mean: number | null;
  interval: Interval | null;
  standing: Standing;
}

/** A combination. */
export interface MatrixLine {
  /** The name of its experiment. */
  experimentName: string;
  /** The value of each axis. */
  labels: string[];
  /** A cell for each key. */
  cells: MatrixCell[];
  rows: number;
  /** The number of rows with a failing score. */
  failing: number;
  /** The number of rows with an error; these may also fail. */
  errors: number;
  /** The median time of a run, in milliseconds. */
  time: number;
  /** The tokens and cost of its judges. */
  bill: Bill | undefined;
}

/** Plain data, which reports embed. */
export interface MatrixTable {
  axes: string[];
  keys: { key: string; isRate: boolean }[];
  lines: MatrixLine[];
  /** The number of comparisons that p-values are adjusted for. */
  tested: number;
  headline: string;
}

/** The table of experiments in the order of their pairs. Prices default to those that the experiments record. */
export function matrixTable(
  experiments: readonly Experiment[],
  pairs: readonly MatrixPair[],
  { lowerIsBetter = [], prices }: ReadingOptions & { prices?: Experiment["prices"] } = {},
): MatrixTable {
  const axes = axesOf(experiments) ?? ["Experiment"];
  const keys = [...new Set(experiments.flatMap(({ aggregates }) => Object.keys(aggregates)))];
  const scales = Object.assign({}, ...experiments.map((one) => one.scales));
  const scaleOf = scalesIn(
    { scales: experiments.some((one) => one.scales) ? scales : undefined },
    { lowerIsBetter },
  );
  const standings = keys.map((key) => standingsOf(key, experiments.length, pairs, scaleOf));
  const lines = experiments.map((experiment, index): MatrixLine => {
    const { experimentName, rows } = experiment;
    const combination = combinationOf(experiment);
    const { fails } = statusCounts(rows, scalesIn(experiment, { lowerIsBetter }));
    return {
      experimentName,
      labels: combination ? axes.map((axis) => combination[axis] ?? "") : [experimentName],
      cells: keys.map((key, at) => ({ ...meanOf(experiment, key), standing: standings[at]?.[index] })),
      rows: rows.length,
      failing: fails,
      errors: rows.filter(hasError).length,
      time: medianTime(experiment),
      bill: new Pricing(prices ?? experiment.prices).billOfRows(rows),
    };
  });
  const compared = pairs.flatMap(({ comparisons }) => Object.values(comparisons));
  return {
    axes,
    keys: keys.map((key) => ({
      key,
      isRate: experiments.some((one) => isMeanOfBooleans(ownValue(one.aggregates, key))),
    })),
    lines: bestFirst(lines, keys, (key) => scaleOf(key).direction),
    tested: compared.filter((one) => one.pValue !== null).length,
    headline: headlineOf(lines, keys),
  };
}

function meanOf({ aggregates }: Experiment, key: string): Omit<MatrixCell, "standing"> {
  const { mean = null, interval = null } = ownValue(aggregates, key) ?? {};
  return { mean, interval };
}

/** By the mean of the first key that has a better direction. */
function bestFirst(
  lines: readonly MatrixLine[],
  keys: readonly string[],
  directionOf: (key: string) => "higher" | "lower" | undefined,
): MatrixLine[] {
  const first = keys.findIndex(directionOf);
  if (first < 0) return [...lines];
  const sign = directionOf(keys[first] as string) === "lower" ? 1 : -1;
  const rank = ({ cells }: MatrixLine) => {
    const mean = cells[first]?.mean;
    return mean == null ? Infinity : sign * mean;
  };
  return [...lines].sort((one, other) => (rank(one) === rank(other) ? 0 : rank(one) - rank(other)));
}

function headlineOf(lines: readonly MatrixLine[], keys: readonly string[]): string {
  const winners = keys.flatMap((key, at) => {
    const best = lines.find(({ cells }) => cells[at]?.standing === "best");
    return best ? [{ key, name: best.labels.join(" · ") }] : [];
  });
  const [first, ...others] = winners;
  if (!first) return "No combination is best by more than chance";
  const where = keys.length === 1 ? first.key : `${winners.length} of ${keys.length} keys`;
  return others.every(({ name }) => name === first.name)
    ? `${first.name} is best on ${where}, by more than chance`
    : `${winners.length} of ${keys.length} keys have a best combination, by more than chance`;
}

/** The median time of a run, in milliseconds. */
export function medianTime({ rows }: Pick<Experiment, "rows">): number {
  const times = rows.map(({ run }) => run.durationMs).sort((a, b) => a - b);
  const middle = times.length >> 1;
  return (times.length % 2 ? times[middle] : ((times[middle - 1] ?? 0) + (times[middle] ?? 0)) / 2) ?? 0;
}
