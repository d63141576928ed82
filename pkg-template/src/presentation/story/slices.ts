/** The slices of a comparison, in the order in which tables list them. */

import { counted } from "../../core/input/counted.js";
import { whole } from "../../core/input/counts.js";
import { joined } from "../../core/input/joined.js";
import type { Comparison, SliceComparison } from "../../core/records/types.js";
import { truncate } from "../../core/terminal-text.js";
import { isLowerBetter, type ScaleOf } from "../reading.js";
import { changeVerdict } from "../verdict.js";

/** A key in a slice. */
export interface ComparedSlice extends SliceComparison {
  key: string;
}

/** The number of slices shown, and the number of small ones that are named. */
const MAX_SLICES = 20;
const MAX_NAMES = 10;

/** The most characters of a slice in a sentence. */
const LONGEST = 60;

/** The slices to show. */
interface SliceTable {
  /** The worst first: those that became worse, then by their difference. */
  lines: ComparedSlice[];
  /** The common field of all slices; `undefined` if there are several. */
  by: string | undefined;
  /** The slices that are left out, and those with too few rows, as sentences. */
  notes: string[];
}

export function sliceTable(
  comparisons: Readonly<Record<string, Comparison>>,
  scaleOf: ScaleOf,
): SliceTable | undefined {
  const all = slicesIn(comparisons);
  const [first] = all;
  if (!first) return undefined;
  const by = all.every((slice) => slice.by === first.by) ? first.by : undefined;
  const rank = (slice: ComparedSlice) => RANKS[changeVerdict(slice.key, slice, scaleOf)] ?? 1;
  const loss = ({ key, difference }: ComparedSlice) =>
    (difference ?? 0) * (isLowerBetter(key, scaleOf) ? -1 : 1);
  const sorted = all
    .filter(({ comment }) => comment === undefined)
    .sort((one, other) => rank(one) - rank(other) || loss(one) - loss(other));
  const more = sorted.length - MAX_SLICES;
  const small = new Map(
    all.flatMap((slice) => (slice.comment === undefined ? [] : [[sliceName(slice, by), slice.units]])),
  );
  const names = Array.from(small, ([name, units]) => `${name} (${whole(units)})`);
  return {
    lines: sorted.slice(0, MAX_SLICES),
    by,
    notes: [
      ...(more > 0 ? [`${counted(more, "other line")} of slices left out.`] : []),
      ...(names.length
        ? [
            `Too few rows to find a difference: ${joined(names.slice(0, MAX_NAMES), "and", names.length - MAX_NAMES)}.`,
          ]
        : []),
    ],
  };
}

const RANKS: Partial<Record<ReturnType<typeof changeVerdict>, number>> = { worse: 0, better: 2 };

const slicesIn = (comparisons: Readonly<Record<string, Comparison>>): ComparedSlice[] =>
  Object.entries(comparisons).flatMap(([key, { slices = [] }]) => slices.map((slice) => ({ ...slice, key })));

/** The slices that became worse, by more than chance. */
export const worseSlices = (
  comparisons: Readonly<Record<string, Comparison>>,
  scaleOf: ScaleOf,
): ComparedSlice[] =>
  slicesIn(comparisons).filter((slice) => changeVerdict(slice.key, slice, scaleOf) === "worse");

/** `language: de`; without the field if that is known. */
export function sliceName({ by, value }: Pick<SliceComparison, "by" | "value">, known?: string): string {
  const name = value === "" ? '""' : truncate(value, LONGEST);
  return by === "" || by === known ? name : `${by}: ${name}`;
}
