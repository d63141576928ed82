/** Which experiments of a matrix are best, and which are worse, by more than chance. */

import { ownValue } from "../../core/input/objects.js";
import type { MatrixPair } from "../../core/records/types.js";
import { change, type ScaleOf } from "../reading.js";

/**
 * `best`: better than all others by more than chance, without lacking scores that they have. `worse`: another experiment is better
 * by more than chance.
 */
export type Standing = "best" | "worse" | undefined;

/** The standing of each experiment on a key. */
export function standingsOf(
  key: string,
  count: number,
  pairs: readonly MatrixPair[],
  scaleOf: ScaleOf,
): Standing[] {
  const wins = Array.from({ length: count }, () => 0);
  const losses = Array.from({ length: count }, () => 0);
  for (const { first, second, comparisons } of pairs) {
    const comparison = ownValue(comparisons, key);
    const found = comparison && change(key, comparison, scaleOf);
    if (!comparison || !found) continue;
    const [winner, loser] = found === "better" ? [second, first] : [first, second];
    losses[loser]!++;
    // A score that only the loser has may be on a row that was too hard for the winner.
    const lacking = winner === second ? comparison.unpaired.first : comparison.unpaired.second;
    if (!lacking) wins[winner]!++;
  }
  return wins.map((won, index) => (won === count - 1 ? "best" : losses[index] ? "worse" : undefined));
}
