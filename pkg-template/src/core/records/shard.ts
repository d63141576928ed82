import { check, type OptionCheck } from "../input/checks.js";
import type { Shard } from "./types.js";

const isWhole = (number: unknown): boolean => Number.isInteger(number) && Number(number) > 0;

export const aShard: OptionCheck = check(
  "{ index, count }, of which index is a whole number from 1 to count",
  ({ index, count }: Partial<Shard>) => isWhole(index) && isWhole(count) && Number(index) <= Number(count),
);
