/** The verdict of a comparison on a key. */

import { counted, countedAre } from "../core/input/counted.js";
import { decimal, pEquation } from "../core/number-text.js";
import { isSignificant } from "../core/records/significance.js";
import type { Comparison, HypothesisTest, MarginComparison } from "../core/records/types.js";
import { change, type ScaleOf } from "./reading.js";

/** The result of the test for a difference. */
type ChangeVerdict =
  | "worse"
  | "better"
  | "differs"
  | "may be chance"
  | "changed"
  | "unchanged"
  | "nothing to compare";

/** The result of the test of a margin. */
type MarginVerdict =
  | "no worse, within the margin"
  | "worse, but within the margin"
  | "may be worse by the margin"
  | "within the margin"
  | "differs, but within the margin"
  | "may differ by the margin";

export type ComparisonVerdict = ChangeVerdict | MarginVerdict;

/** The verdict by which to decide: with a margin, that of the margin. */
export function verdictOf(key: string, comparison: Comparison, scaleOf: ScaleOf): ComparisonVerdict {
  const verdict = changeVerdict(key, comparison, scaleOf);
  const { count, margin } = comparison;
  if (!count || !margin) return verdict;
  const { direction } = scaleOf(key);
  if (!isWithin(key, margin, scaleOf))
    return direction ? "may be worse by the margin" : "may differ by the margin";
  if (verdict === "worse" || verdict === "differs") return `${verdict}, but within the margin`;
  return direction ? "no worse, within the margin" : "within the margin";
}

/** Whether the scores differ by more than chance, whatever the margin. */
export function changeVerdict(key: string, comparison: Comparison, scaleOf: ScaleOf): ChangeVerdict {
  const { isSummary, count, difference } = comparison;
  if (!count) return "nothing to compare";
  if (isSummary) return difference ? "changed" : "unchanged";
  if (!difference && !comparison.flipped.length) return "unchanged";
  const found = change(key, comparison, scaleOf);
  if (found) return found;
  return difference && isSignificant(comparison) ? "differs" : "may be chance";
}

/** Whether a key is shown to be worse by less than its margin. */
export const isWithin = (key: string, margin: MarginComparison, scaleOf: ScaleOf): boolean =>
  marginTest(key, margin, scaleOf).isShown;

/** The test that a key is worse by less than its margin; without a better direction, that it differs by less. */
function marginTest(key: string, margin: MarginComparison, scaleOf: ScaleOf): HypothesisTest {
  const { direction } = scaleOf(key);
  if (!direction) return margin.equivalent;
  return direction === "lower" ? margin.notHigher : margin.notLower;
}

/**
 * The result of the test of a margin in sentences, with its assumption: `correct is at most 5 pp worse (p = 0.014).`
 *
 * @param isRate Whether the margin is one of rates.
 * @returns `undefined` without a margin.
 */
export function marginText(
  key: string,
  comparison: Comparison,
  scaleOf: ScaleOf,
  isRate: boolean,
): string | undefined {
  const { margin, count, clusters } = comparison;
  if (!margin) return undefined;
  const { isShown, adjustedPValue } = marginTest(key, margin, scaleOf);
  const size = isRate ? `${Number((margin.margin * 100).toFixed(3))} pp` : decimal(margin.margin);
  const claim = scaleOf(key).direction
    ? `${key} is at most ${size} worse`
    : `${key} differs by at most ${size}`;
  const p = adjustedPValue === null ? "the test is not possible" : pEquation(adjustedPValue);
  const sentences = [`${isShown ? "" : "Could not show that "}${claim} (${p}).`];
  if (!isShown && changeVerdict(key, comparison, scaleOf) === "worse") sentences.push("It became worse.");
  const units = clusters ?? count;
  const fewest = margin.fewestExamples ?? 0;
  if (!isShown && units < fewest)
    sentences.push(
      `${counted(units, clusters === undefined ? "row" : "cluster")} ${units === 1 ? "is" : "are"} too few, ` +
        `at least ${countedAre(fewest)} needed.`,
    );
  return [...sentences, ...(margin.comment ? [margin.comment] : [])].join(" ");
}
