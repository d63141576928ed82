/** The verdict of a comparative experiment as a sentence: the title and the heading of its report. */

import { counted } from "../../core/input/counted.js";
import { whole } from "../../core/input/counts.js";
import type { ComparativeExperiment, ComparedPair } from "../../core/records/comparative.js";
import { isSignificant } from "../../core/records/significance.js";

/** `few-shot is best on 1 of 2 keys, by more than chance; 3 calls failed`. */
export function comparativeHeadline({ experiments, aggregates }: ComparativeExperiment): string {
  const keys = Object.keys(aggregates);
  const all = Object.values(aggregates);
  const errors = all.reduce((sum, one) => sum + one.errors, 0);
  const failed = errors ? `${counted(errors, "call")} failed` : undefined;
  if (!all.some(({ pairs }) => pairs.some(({ count }) => count)))
    return ["No answers were compared", failed].filter(Boolean).join(": ");
  const names = experiments.map(({ experimentName }) => experimentName);
  const isPair = names.length === 2;
  const [best, ...others] = names.flatMap((name) => {
    const count = all.filter(({ pairs }) => beatsAll(name, names.length - 1, pairs)).length;
    return count ? [{ name, count }] : [];
  });
  const verdict = best
    ? `${best.name} is ${isPair ? "better" : "best"} on ` +
      (keys.length === 1 ? keys[0] : `${whole(best.count)} of ${counted(keys.length, "key")}`) +
      others.map(({ name, count }) => `, ${name} on ${whole(count)}`).join("") +
      ", by more than chance"
    : `${isPair ? "Neither experiment is better" : "No experiment is best"} by more than chance`;
  return [verdict, failed].filter(Boolean).join("; ");
}

/** Whether an experiment wins against each of the others by more than chance. */
function beatsAll(name: string, others: number, pairs: readonly ComparedPair[]): boolean {
  const beaten = pairs.filter((pair) => {
    const { first, second, winRate } = pair;
    if (winRate == null || !isSignificant(pair)) return false;
    return (winRate > 0.5 ? first : second) === name;
  });
  return beaten.length === others;
}
