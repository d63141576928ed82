/** Compares two prompts on the same rows. */

import { statisticsEngine } from "../../core/engine/statistics.js";
import { numbered } from "../../evaluators/summary/settings.js";
import * as bindings from "../../openevals-statistics.js";
import type { HeldOutComparison, RowCounts } from "./types.js";

/** How far a result is from the best one. */
export interface Loss {
  exampleId: string;
  /** From 0 to 1, where 0 is best. */
  loss: number;
}

/** The losses with one prompt, by example and repetition. A run that failed or has no score has none. */
export type Losses = ReadonlyMap<string, Loss>;

/** One minus the loss on the same runs, with both prompts. */
interface Paired {
  from: number[];
  to: number[];
  units: string[];
  /** The units with a run on which only the second prompt failed. */
  failed: Set<string>;
}

/**
 * Pairs the runs of both prompts. A row on which only the second failed counts as wrong: a prompt must not improve by failing on
 * hard rows. A row on which the first failed is left out.
 */
function pair(from: Losses, to: Losses, unitOf: ReadonlyMap<string, string>): Paired {
  const paired: Paired = { from: [], to: [], units: [], failed: new Set() };
  for (const [run, { exampleId, loss }] of from) {
    const other = to.get(run);
    paired.from.push(1 - loss);
    paired.to.push(1 - (other?.loss ?? 1));
    const unit = unitOf.get(exampleId) ?? exampleId;
    paired.units.push(unit);
    if (!other) paired.failed.add(unit);
  }
  return paired;
}

/** The numbers of rows on which the second prompt is better and worse. */
export function countRows(from: Losses, to: Losses, unitOf: ReadonlyMap<string, string>): RowCounts {
  return counted(pair(from, to, unitOf));
}

function counted({ from, to, units, failed }: Paired): RowCounts {
  const gains = new Map<string, number>();
  for (const [index, unit] of units.entries())
    gains.set(unit, (gains.get(unit) ?? 0) + (to[index] as number) - (from[index] as number));
  const all = [...gains.values()];
  const better = all.filter(isGain).length;
  const worse = all.filter((gain) => isGain(-gain)).length;
  return { count: gains.size, better, worse, failed: failed.size };
}

/** Whether losses fell by more than rounding errors. */
export const isGain = (gain: number): boolean => gain > 1e-9;

/** The counts in words. */
export const wordsOf = ({ better, worse, count, failed }: RowCounts): string =>
  `better on ${better} and worse on ${worse} of ${count}${failed ? ` (on ${failed} of these, it failed or a score is missing)` : ""}`;

/** The total loss of the first prompt minus that of the second. */
export function gainOf(from: Losses, to: Losses, unitOf: ReadonlyMap<string, string>): number {
  const paired = pair(from, to, unitOf);
  return paired.to.reduce((sum, value, index) => sum + value - (paired.from[index] as number), 0);
}

/**
 * Tests whether the losses of the prompts differ: McNemar's exact test if all are 0 or 1, the paired permutation test otherwise.
 *
 * @param task The public function, for errors of the engine.
 * @param looks The number of such tests in the search. The p-value and the interval have Bonferroni's correction for it.
 */
export async function compareLosses(
  task: string,
  from: Losses,
  to: Losses,
  unitOf: ReadonlyMap<string, string>,
  { seed, level, looks }: { seed: number; level: number; looks: number },
): Promise<HeldOutComparison> {
  const paired = pair(from, to, unitOf);
  const { differing, ...difference } = await statisticsEngine.run(task, paired.from.length, () =>
    bindings.differenceOf(
      Float64Array.from(paired.from),
      Float64Array.from(paired.to),
      undefined,
      numbered(paired.units),
      undefined,
      { seed, level: 1 - (1 - level) / looks },
    ),
  );
  return {
    ...counted(paired),
    ...difference,
    adjustedPValue: Math.min(1, (difference.pValue ?? 1) * looks),
  };
}
