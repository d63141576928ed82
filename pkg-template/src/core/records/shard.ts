import { check, type OptionCheck } from "../input/checks.js";
import type { Shard } from "./types.js";

const isWhole = (number: unknown): boolean => Number.isInteger(number) && Number(number) > 0;

/** The most shards of an experiment. Those that are missing are listed. */
export const MAX_SHARDS = 1_000_000;

export const aShard: OptionCheck = check(
  "{ index, count }, of which index is a whole number from 1 to count, which is at most 1,000,000",
  ({ index, count }: Partial<Shard>) =>
    isWhole(index) && isWhole(count) && Number(index) <= Number(count) && Number(count) <= MAX_SHARDS,
);
