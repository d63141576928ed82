/** Which rows are scored. */

import { fnv1a, mixed } from "../../../core/input/hash.js";

/** A share of all rows, or whoever decides. */
export type Sample<Row> = number | ((row: Row) => boolean);

/** The same id is always in the sample, or never: wherever it is asked for, and in every larger sample. */
export function isSampled(share: number, id: string | undefined): boolean {
  if (share >= 1) return true;
  return (id === undefined ? Math.random() : fractionOf(id)) < share;
}

/** A number from 0 to below 1 that follows from the text. */
const fractionOf = (text: string): number => mixed(fnv1a(text)) / 2 ** 32;
