/** The Pareto front of the candidates: those that are best at some row and key. */

import { type Candidate, scoreOfAll } from "./candidate.js";

/**
 * Draws the prompt to improve next, as GEPA does (Agrawal et al., *GEPA: Reflective Prompt Evolution Can Outperform Reinforcement
 * Learning*, 2025, algorithm 2). Each pair of a row and a key has the candidates with its best score. A candidate is left out if
 * others are as good at all of its pairs. The rest are drawn in proportion to their numbers of pairs, so that a prompt that solves
 * a few hard rows is also improved.
 *
 * @param random Returns numbers from 0 to below 1.
 */
export function drawParent(candidates: readonly Candidate[], random: () => number): Candidate {
  const holders = bestAt(candidates);
  const front = new Set(candidates);
  const pairsOf = (candidate: Candidate) => holders.filter((best) => best.has(candidate));
  for (const candidate of [...candidates].sort((a, b) => scoreOfAll(a) - scoreOfAll(b))) {
    const isCovered = pairsOf(candidate).every((best) =>
      [...best].some((other) => other !== candidate && front.has(other)),
    );
    if (isCovered && front.size > 1) front.delete(candidate);
  }
  const weighted = [...front].map((candidate) => ({ candidate, weight: pairsOf(candidate).length }));
  let left = random() * weighted.reduce((sum, { weight }) => sum + weight, 0);
  for (const { candidate, weight } of weighted) {
    left -= weight;
    if (left < 0) return candidate;
  }
  return weighted.at(-1)?.candidate as Candidate;
}

/** The candidates with the best score, for each pair of a row and a key. */
function bestAt(candidates: readonly Candidate[]): Set<Candidate>[] {
  const best = new Map<string, { score: number; holders: Set<Candidate> }>();
  for (const candidate of candidates) {
    for (const [id, { scores, isFailed }] of candidate.rows) {
      for (const [key, score] of isFailed ? [] : scores) {
        const pair = JSON.stringify([id, key]);
        const found = best.get(pair);
        if (!found || score > found.score) best.set(pair, { score, holders: new Set([candidate]) });
        else if (score === found.score) found.holders.add(candidate);
      }
    }
  }
  return Array.from(best.values(), ({ holders }) => holders);
}
