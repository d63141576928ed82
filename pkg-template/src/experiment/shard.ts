/** A part of the data, for experiments that are spread over several machines. */

import { type Check, check } from "../input/checks.js";
import type { OpenData } from "./data/data.js";
import type { ReadRow } from "./data/types.js";
import type { Shard } from "./types.js";

const isWhole = (number: unknown): boolean => Number.isInteger(number) && Number(number) > 0;

export const aShard: Check = check(
  "{ index, count }, of which index is a whole number from 1 to count",
  ({ index, count }: Partial<Shard>) => isWhole(index) && isWhole(count) && Number(index) <= Number(count),
);

/** The rows of one part, which have the ids that they have among all rows. */
export function ofShard(data: OpenData, shard: Shard | undefined): OpenData {
  if (!shard) return data;
  const { index, count } = shard;
  const { total } = data;
  return {
    ...data,
    rows: everyNth(data.rows, index - 1, count),
    total: total === undefined ? undefined : Math.ceil(Math.max(0, total - index + 1) / count),
  };
}

async function* everyNth(
  parts: OpenData["rows"],
  first: number,
  count: number,
): AsyncGenerator<Iterable<ReadRow>> {
  const next = { place: 0 };
  for await (const rows of parts) yield nthOf(rows, next, first, count);
}

function* nthOf(
  rows: Iterable<ReadRow>,
  next: { place: number },
  first: number,
  count: number,
): Generator<ReadRow> {
  for (const row of rows) if (next.place++ % count === first) yield row;
}
