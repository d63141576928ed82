/** `--margin`, which may name keys of any of the experiments. */

import type { Comparison, Experiment } from "../../core/records/types.js";
import { wrong } from "./mistake.js";

/** The margins of the keys that one of the experiments has. */
export function marginsOf(
  margins: ReadonlyMap<string, number>,
  ...experiments: readonly Experiment[]
): Record<string, number> {
  const keys = experiments.flatMap(({ aggregates }) => Object.keys(aggregates));
  return Object.fromEntries([...margins].filter(([key]) => keys.includes(key)));
}

/** Rejects a margin of a key that none of the comparisons has. */
export function checkMargins(
  margins: ReadonlyMap<string, number>,
  all: readonly Readonly<Record<string, Comparison>>[],
): void {
  const keys = [...new Set(all.flatMap((comparisons) => Object.keys(comparisons)))];
  const unknown = [...margins.keys()].find((key) => !keys.includes(key));
  if (unknown === undefined) return;
  throw wrong(
    `--margin names the key "${unknown}", which no experiment has; the keys are ${keys.join(", ")}`,
  );
}
