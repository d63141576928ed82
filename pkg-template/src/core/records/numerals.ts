/** Formats numbers, the same way in the terminal and in reports. */

import { counted, countedAre } from "../input/counted.js";
import { grouped, whole } from "../input/counts.js";
import { rowCountOf } from "./row-count.js";
import type { Aggregate, Comparison, Cost, Experiment, Interval } from "./types.js";

// Evaluators import these directly, without the rest of this file.
export { counted, countedAre, whole };

/** A number with three decimals, fewer if it is large, two digits if it is small: `0.713`, `12.34`, `1,234`, `0.00042`. */
export function decimal(value: number): string {
  const size = Math.abs(value);
  // Smaller numbers may be the rounding error of a zero.
  if (size > 1e-9 && size < 0.001) return value.toPrecision(2);
  const digits = size < 10 ? 3 : size < 100 ? 2 : size < 1000 ? 1 : 0;
  return grouped(roundedAwayFromWhole(value, digits).toFixed(digits));
}

/** A decimal without zeros at its end: `0.7`, `1,000`. */
export const shortDecimal = (value: number): string =>
  decimal(value)
    .replace(/(\.\d*?)0+$/, "$1")
    .replace(/\.$/, "");

/** A rate as a percentage with one digit: `87.5%`. */
export const percent = (rate: number): string => `${roundedAwayFromWhole(rate * 100, 1).toFixed(1)}%`;

/** A score or a mean: rates as percentages, others as numbers. */
export const figure = (value: number, isRate: boolean): string => (isRate ? percent(value) : decimal(value));

/** A difference with its sign, in percentage points for rates. */
export function difference(value: number, isRate: boolean): string {
  const sign = value > 0 ? "+" : "";
  return sign + (isRate ? `${roundedAwayFromWhole(value * 100, 1).toFixed(1)} pp` : decimal(value));
}

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

/** A p-value: `0.042`, `< 0.001`, or `–` if there is none. */
export const pValue = (p: number | null): string => (p === null ? "–" : p < 0.001 ? "< 0.001" : p.toFixed(3));

/** A p-value with its name: `p = 0.042`, `p < 0.001`. */
export const pEquation = (p: number): string => `p ${p < 0.001 ? "" : "= "}${pValue(p)}`;

/** A p-value in a sentence: `0.042`, `0.00012`. */
export const pValueInText = (p: number): string => p.toPrecision(2);

/** A time: `0.8 ms`, `120 ms`, `4.2 s`, `3 min 20 s`, `2 h 5 min`; `–` if it is missing, as in experiments written by hand. */
export function duration(milliseconds: number | undefined): string {
  if (!Number.isFinite(milliseconds)) return "–";
  return finiteDuration(milliseconds as number);
}

function finiteDuration(milliseconds: number): string {
  if (milliseconds < 999.5) return `${milliseconds.toFixed(milliseconds < 10 ? 1 : 0)} ms`;
  if (milliseconds < 59_950) return `${(milliseconds / 1000).toFixed(1)} s`;
  const seconds = Math.round(milliseconds / 1000);
  const minutes = Math.floor(seconds / 60);
  return minutes < 60
    ? `${minutes} min ${seconds % 60} s`
    : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

/** An amount of dollars: `$12.30`; below ten cents with two significant digits, `$0.0042`. */
export function money(dollars: number): string {
  if (dollars === 0 || dollars >= 0.1) return `$${grouped(dollars.toFixed(2))}`;
  return `$${dollars.toLocaleString("en", { maximumSignificantDigits: 2, maximumFractionDigits: 20 })}`;
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
  experiment: Pick<Experiment, "rows" | "rowCount" | "durationMs" | "resumed" | "stopped" | "usage" | "cost">,
): string[] {
  const { usage, cost } = experiment;
  const facts = [
    counted(rowCountOf(experiment), "row"),
    timeTaken(experiment),
    usage && `${whole(usage.inputTokens)} + ${whole(usage.outputTokens)} tokens`,
    usage && cost && costText(cost),
  ];
  return facts.filter((fact) => fact !== null && fact !== undefined && fact !== "") as string[];
}

/** Whether a mean is the rate of `true`, and a difference of means one of rates. */
export const isMeanOfBooleans = (aggregate: Pick<Aggregate, "distribution"> | undefined): boolean =>
  aggregate?.distribution?.kind === "boolean";

/** Prevents a fraction from being rounded to a whole number, so that one row in thousands stays visible. */
function roundedAwayFromWhole(value: number, digits: number): number {
  const rounded = Number(value.toFixed(digits));
  // 1 - 0.8 is slightly less than 0.2.
  const isWhole = Math.abs(value - rounded) < 1e-9;
  if (!Number.isInteger(rounded) || isWhole || digits === 0) return value;
  return rounded + Math.sign(value - rounded) * 10 ** -digits;
}
