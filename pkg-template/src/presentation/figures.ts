/** Formats the figures of experiments and comparisons, the same way in the terminal and in reports. */

import { counted } from "../core/input/counted.js";
import { whole } from "../core/input/counts.js";
import { difference, duration, figure, money, shortDecimal } from "../core/number-text.js";
import { rowCountOf } from "../core/records/row-count.js";
import type { Aggregate, Comparison, Cost, Experiment, Interval } from "../core/records/types.js";

/** The mean of a key. */
export const meanText = (
  mean: number | null | undefined,
  aggregate: Parameters<typeof isMeanOfBooleans>[0],
): string => (mean == null ? "–" : figure(mean, isMeanOfBooleans(aggregate)));

/** The bounds of an interval. */
export const rangeText = ({ low, high }: Pick<Interval, "low" | "high">, isRate: boolean): string =>
  `${figure(low, isRate)} to ${figure(high, isRate)}`;

/** The estimated rate that people would find, with its interval. */
export function trueRateText(corrected: Aggregate["corrected"]): string {
  if (corrected?.value == null) return corrected ? "–" : "";
  const { value, interval } = corrected;
  return figure(value, true) + (interval ? ` (${rangeText(interval, true)})` : "");
}

/** The estimated difference that people would find, with its interval. */
export function trueDifferenceText(corrected: Comparison["corrected"]): string {
  if (corrected?.value == null) return corrected ? "–" : "";
  const { value, interval } = corrected;
  return difference(value, true) + (interval ? ` (${differenceRange(interval, true)})` : "");
}

/** The bounds of an interval of differences, without the unit, which the difference beside it has. */
export function differenceRange({ low, high }: Pick<Interval, "low" | "high">, isRate: boolean): string {
  const text = (bound: number) => difference(bound, isRate).replace(" pp", "");
  return `${text(low)} to ${text(high)}`;
}

/**
 * The interval beside an adjusted p-value. If it would contradict that p-value, the adjusted interval with its own level.
 *
 * @param isMixed Gives the level of the other intervals, too.
 */
export function comparedRange(
  { interval, adjustedInterval }: Pick<Comparison, "interval" | "adjustedInterval">,
  isRate: boolean,
  isMixed = false,
): string {
  if (adjustedInterval)
    return `${differenceRange(adjustedInterval, isRate)} (${levelText(adjustedInterval)} adj.)`;
  return interval ? `${differenceRange(interval, isRate)}${isMixed ? ` (${levelText(interval)})` : ""}` : "";
}

const levelText = ({ level }: Interval): string => `${shortDecimal(level * 100)}%`;

/** `95% interval`; the level is the same for all keys. */
export function intervalTitle(intervals: readonly (Interval | null | undefined)[]): string {
  const known = intervals.find((one) => one);
  return known ? `${levelText(known)} interval` : "Interval";
}

/** A test result with its raw and adjusted p-value. */
interface WithPValue {
  pValue: number | null;
  adjustedPValue: number | null;
  interval?: Interval | null;
  adjustedInterval?: Interval;
}

/**
 * Whether p-values are adjusted for each other. Most intervals are not, so the titles have to say which figures are.
 */
export const areAdjusted = (tested: readonly WithPValue[]): boolean =>
  tested.filter(({ pValue }) => pValue !== null).length > 1 ||
  tested.some(({ pValue, adjustedPValue }) => pValue !== adjustedPValue);

/** The titles of the columns of intervals and p-values, and whether only some intervals are adjusted, so that each gives its level. */
export function columnTitles(tested: readonly WithPValue[]) {
  const title = intervalTitle(tested.map(({ interval }) => interval));
  const isMixed = tested.some(({ adjustedInterval }) => adjustedInterval);
  return areAdjusted(tested)
    ? { interval: isMixed ? "Interval" : `${title}, unadj.`, p: "p adj.", isMixed }
    : { interval: title, p: "p", isMixed };
}

/** The cost of judges: `$0.42`; with `+ ?` if some usage has no price, and with the part of answers from a cache. */
export function costText({ total, recorded, unpriced }: Cost): string {
  if (unpriced && !total) return "no price";
  const cached = recorded ? ` (${recorded < total ? money(recorded) : "all"} from a cache)` : "";
  return `${money(total)}${unpriced ? " + ?" : ""}${cached}`;
}

/** The duration of an experiment; `undefined` for a file without its last line, which is read as stopped after 0 ms. */
export const timeTaken = ({
  durationMs,
  stopped,
  resumed,
}: {
  durationMs: number;
  stopped?: unknown;
  resumed?: boolean | undefined;
}) =>
  stopped && durationMs === 0
    ? undefined
    : `${duration(durationMs)}${resumed ? " since it was resumed" : ""}`;

/** An experiment in a few figures: rows, time, tokens and cost, if known. */
export function factsOf(
  experiment: Pick<
    Experiment,
    "rows" | "rowCount" | "durationMs" | "resumed" | "resumedRows" | "stopped" | "usage" | "cost"
  >,
): string[] {
  const { usage, cost, resumedRows } = experiment;
  const resumed = resumedRows === undefined ? "" : ` (${whole(resumedRows)} of an earlier run)`;
  const facts = [
    counted(rowCountOf(experiment), "row") + resumed,
    timeTaken(experiment),
    usage && `${whole(usage.inputTokens)} + ${whole(usage.outputTokens)} tokens`,
    usage && cost && costText(cost),
  ];
  return facts.filter((fact) => fact !== null && fact !== undefined && fact !== "") as string[];
}

/** Whether a mean is the rate of `true`, and a difference of means one of rates. */
export const isMeanOfBooleans = (aggregate: Pick<Aggregate, "distribution"> | undefined): boolean =>
  aggregate?.distribution?.kind === "boolean";
