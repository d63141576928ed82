/** Formats numbers, the same way everywhere: in messages, in the terminal and in reports. */

import { grouped } from "./input/counts.js";

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

/** Prevents a fraction from being rounded to a whole number, so that one row in thousands stays visible. */
function roundedAwayFromWhole(value: number, digits: number): number {
  const rounded = Number(value.toFixed(digits));
  // 1 - 0.8 is slightly less than 0.2.
  const isWhole = Math.abs(value - rounded) < 1e-9;
  if (!Number.isInteger(rounded) || isWhole || digits === 0) return value;
  return rounded + Math.sign(value - rounded) * 10 ** -digits;
}
