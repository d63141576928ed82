/** Compares two prompts on the same rows. */

import { statisticsEngine } from "../../core/engine/statistics.js";
import { invalidInput } from "../../core/errors.js";
import { numbered } from "../../evaluators/summary/settings.js";
import * as bindings from "../../openevals-statistics.js";
import type { Trial } from "./trial.js";
import type { HeldOutComparison, RowCounts } from "./types.js";

/** The agreement of verdict and label on the same runs, from 0 to 1, with both prompts. */
interface Paired {
  from: number[];
  to: number[];
  units: string[];
  failed: number;
}

/**
 * Pairs the runs of both prompts. A row on which only the second failed counts as wrong: a prompt must not improve by failing on
 * hard rows. A row on which the first failed is left out.
 */
function pair(from: Trial, to: Trial, unitOf: Map<string, string>): Paired {
  if (from.observed.kind !== to.observed.kind) {
    throw invalidInput(
      `The judge returns ${to.observed.kind} with this prompt, and ${from.observed.kind} with the one before`,
    );
  }
  const paired: Paired = { from: [], to: [], units: [], failed: 0 };
  for (const [run, { exampleId, loss }] of from.losses) {
    const other = to.losses.get(run);
    paired.from.push(1 - loss);
    paired.to.push(1 - (other?.loss ?? 1));
    paired.units.push(unitOf.get(exampleId) ?? exampleId);
    if (!other) paired.failed++;
  }
  return paired;
}

/** The numbers of rows on which the second prompt is better and worse. */
export function countRows(from: Trial, to: Trial, unitOf: Map<string, string>): RowCounts {
  return counted(pair(from, to, unitOf));
}

function counted({ from, to, units, failed }: Paired): RowCounts {
  const gains = new Map<string, number>();
  for (const [index, unit] of units.entries())
    gains.set(unit, (gains.get(unit) ?? 0) + (to[index] as number) - (from[index] as number));
  const all = [...gains.values()];
  // Differences below this are rounding errors.
  const better = all.filter((gain) => gain > 1e-9).length;
  const worse = all.filter((gain) => gain < -1e-9).length;
  return { count: gains.size, better, worse, failed };
}

/** The total agreement of the second prompt minus that of the first. */
export function gainOf(from: Trial, to: Trial, unitOf: Map<string, string>): number {
  const paired = pair(from, to, unitOf);
  return paired.to.reduce((sum, agreement, index) => sum + agreement - (paired.from[index] as number), 0);
}

/**
 * Tests whether the agreement of the prompts differs: McNemar's exact test for verdicts and classes, the paired permutation test
 * for scores.
 *
 * @param looks The number of such tests in the search. The p-value and the interval have Bonferroni's correction for it.
 */
export async function compareTrials(
  from: Trial,
  to: Trial,
  unitOf: Map<string, string>,
  { seed, level, looks }: { seed: number; level: number; looks: number },
): Promise<HeldOutComparison> {
  const paired = pair(from, to, unitOf);
  const difference = await statisticsEngine.run("improve", paired.from.length, () =>
    bindings.differenceOf(
      Float64Array.from(paired.from),
      Float64Array.from(paired.to),
      numbered(paired.units),
      { seed, level: 1 - (1 - level) / looks },
    ),
  );
  return {
    ...counted(paired),
    ...difference,
    adjustedPValue: Math.min(1, (difference.pValue ?? 1) * looks),
  };
}
