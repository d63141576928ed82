/** The margins of `--margin`, whose keys may be in any of the experiments. */

import type { Comparison, Experiment } from "../../../core/records/types.js";
import { usageError } from "../cli-error.js";

/** The margins of the keys that one of the experiments has. */
export function marginsOf(
  margins: ReadonlyMap<string, number>,
  ...experiments: readonly Experiment[]
): Record<string, number> {
  const keys = experiments.flatMap(({ aggregates }) => Object.keys(aggregates));
  return Object.fromEntries([...margins].filter(([key]) => keys.includes(key)));
}

/**
 * Rejects a margin of a key that none of the comparisons has.
 *
 * @param who What has the keys, in messages.
 */
export function checkMargins(
  margins: ReadonlyMap<string, number>,
  all: readonly Readonly<Record<string, Pick<Comparison, "isSummary">>>[],
  who = "experiment",
): void {
  const compared = all.flatMap((comparisons) => Object.entries(comparisons));
  const keys = [...new Set(compared.flatMap(([key, { isSummary }]) => (isSummary ? [] : [key])))];
  const unknown = [...margins.keys()].find((key) => !keys.includes(key));
  if (unknown === undefined) return;
  if (compared.some(([key]) => key === unknown))
    throw usageError(
      `--margin names "${unknown}", a summary score, whose difference has no test; name a key of rows`,
    );
  throw usageError(
    `--margin names the key "${unknown}", which no ${who} has; the keys are ${keys.join(", ")}`,
  );
}
