/** Filters and sorts rows. */

import type { Item } from "./items.js";

export interface Filter {
  /** Words that a row has to contain, all of them. */
  search: string;
  which: "all" | "failing" | "errors" | "flipped";
  /** The key for `which` and the range; any key if it is empty. */
  key: string;
  from: number;
  to: number;
  /** A field of the metadata and its value. */
  metadata: MetadataValue | undefined;
  /** The name of the human label; any label if it is empty. */
  label: string;
}

export type MetadataValue = readonly [field: string, value: unknown];

/** `pass`, `fail`, `unlabelled` or a number. */
export function labelName({ label }: Item): string {
  const given = label?.label ?? "unlabelled";
  return given === true ? "pass" : given === false ? "fail" : String(given);
}

/** The value to sort by. Items without one come last. */
export type Value = (item: Item) => string | number | undefined;

export interface Order {
  value: Value;
  descending: boolean;
}

/** The items that pass the filter, sorted. */
export function select(items: readonly Item[], filter: Filter, order: Order | undefined): Item[] {
  const words = filter.search.toLowerCase().split(/\s+/).filter(Boolean);
  const { which, key, from, to, metadata, label } = filter;
  const hasRange = key && (from > -Infinity || to < Infinity);
  const selected = items.filter((item) => {
    if (label && labelName(item) !== label) return false;
    if (metadata && item.row.example.metadata?.[metadata[0]] !== metadata[1]) return false;
    if (which !== "all" && !(key ? item[which].has(key) : item[which].size)) return false;
    if (hasRange) {
      const score = item.scores.get(key);
      if (score === undefined || score < from || score > to) return false;
    }
    return words.every((word) => item.text().includes(word));
  });
  return order ? sorted(selected, order) : selected;
}

const collator = new Intl.Collator("en", { numeric: true });

function sorted(items: Item[], { value, descending }: Order): Item[] {
  const sign = descending ? -1 : 1;
  const values = new Map(items.map((item) => [item, value(item)]));
  return items.sort((one, other) => {
    const [a, b] = [values.get(one), values.get(other)];
    if (a === undefined || b === undefined) return Number(a === undefined) - Number(b === undefined);
    return (
      sign * (typeof a === "number" && typeof b === "number" ? a - b : collator.compare(String(a), String(b)))
    );
  });
}
