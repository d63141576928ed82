/** Decides which rows are scored. */

import { fnv1a } from "../../../core/input/hash.js";
import { mixed } from "../../../core/input/mixed.js";

/** A share of all rows, or a function that decides. */
export type Sample<Row> = number | ((row: Row) => boolean);

/** The decision for an id is the same in every process, and an id in a sample is in every larger sample. */
export function isSampled(share: number, id: string | undefined): boolean {
  if (share >= 1) return true;
  return (id === undefined ? Math.random() : fractionOf(id)) < share;
}

/** A hash of the text, at least 0 and below 1. */
const fractionOf = (text: string): number => mixed(fnv1a(text)) / 2 ** 32;
