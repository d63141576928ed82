/** Counts in sentences. Apart from `counts.ts`, which the smallest bundles have. */

import { whole } from "./counts.js";

/** A count with its noun: `1 row`, `2 rows`. */
export const counted = (count: number, noun: string): string =>
  `${whole(count)} ${noun}${count === 1 ? "" : "s"}`;

/** A count with its verb: `1 is`, `2 are`. */
export const countedAre = (count: number): string => `${whole(count)} ${count === 1 ? "is" : "are"}`;
