/** Compares two experiments by the scores of one key. */

import { statisticsEngine } from "../../core/engine/statistics.js";
import type { Figure, JudgeErrors } from "../../core/records/calibration.js";
import type { Comparison, PerExperiment } from "../../core/records/types.js";
import type { ScoreScale } from "../../core/types.js";
import * as bindings from "../../openevals-statistics.js";
import type { Bounds, Settings } from "../../openevals-statistics.types.js";
import { dominanceNote, type Groups, groupsOf } from "../statistics/clusters.js";
import { reachedThreshold, verdictCountsOf } from "../statistics/correct-rate.js";
import { type MarginOption, marginResult, readMargin } from "../statistics/margin.js";
import { withTest } from "./family.js";
import { widthOf } from "./scale-width.js";

/** A score with its example, its repetition, and its cluster if there are clusters. */
export interface PairedScore {
  exampleId: string;
  repetition: number;
  score: number | boolean;
  cluster: string | undefined;
}

/** The scores and errors of one key in one experiment. */
export interface KeyResults {
  /** By the identity of the row: its example and repetition. */
  scores: Map<string, PairedScore>;
  errors: number;
}

/** The options of one key. */
export interface KeyComparisonOptions {
  scale: ScoreScale | undefined;
  margin?: MarginOption | undefined;
  calibration?: JudgeErrors | undefined;
  /** The numbers of repetitions, if they differ. */
  repetitions: PerExperiment<number> | undefined;
  hasClusters: boolean;
}

export async function compareKey(
  key: string,
  first: KeyResults,
  second: KeyResults,
  settings: Settings,
  { scale, margin, calibration, repetitions, hasClusters }: KeyComparisonOptions,
): Promise<Comparison> {
  const paired = [...first.scores].filter(([identity]) => second.scores.has(identity));
  const pairs = paired.map(([identity, { exampleId, repetition, score: from }]) => {
    return { exampleId, repetition, from, to: second.scores.get(identity)!.score };
  });
  const from = Float64Array.from(pairs, ({ from }) => Number(from));
  const to = Float64Array.from(pairs, ({ to }) => Number(to));
  const { examples, clusters } = groupsOf(paired.map(([, score]) => score));
  const unpaired = ({ scores }: KeyResults, other: KeyResults) =>
    Float64Array.from(
      [...scores].filter(([identity]) => !other.scores.has(identity)),
      ([, { score }]) => Number(score),
    );
  const areBooleans = [first, second].every(({ scores }) =>
    [...scores.values()].every(({ score }) => typeof score === "boolean"),
  );
  const most = areBooleans ? 1 : widthOf(scale);
  const [lost, added] = [unpaired(first, second), unpaired(second, first)];
  const limits = margin === undefined ? undefined : readMargin(key, margin, [...from, ...to], scale);
  const { difference, means, reach, within } = await statisticsEngine.run(
    "compareExperiments",
    from.length,
    () => ({
      difference: pairs.length
        ? bindings.differenceOf(from, to, most, examples, clusters, settings)
        : undefined,
      means: { first: finite(bindings.mean(from)), second: finite(bindings.mean(to)) },
      reach: isOpenEnded(scale)
        ? undefined
        : bindings.boundsOf(from, to, lost, added, scale?.min, scale?.max),
      within:
        limits &&
        bindings.withinMargin(
          from,
          to,
          clusters ?? examples,
          limits.margin,
          limits.low,
          limits.high,
          settings,
        ),
    }),
  );
  const pValue = difference?.pValue ?? null;
  const change = ({ from, to }: (typeof pairs)[number]) => Math.abs(Number(to) - Number(from));
  const note = pairs.length ? dominanceNote({ examples, clusters }) : undefined;
  const comparison: Comparison = {
    difference: difference?.difference ?? null,
    interval: difference?.interval ?? null,
    standardError: difference?.standardError ?? null,
    pValue,
    midPValue: difference?.midPValue ?? null,
    adjustedPValue: null,
    test: pValue === null ? null : difference!.test,
    correlation: difference?.correlation ?? null,
    count: pairs.length,
    ...(hasClusters && { clusters: new Set(clusters).size }),
    ...(note !== undefined && { note }),
    means,
    unpaired: { first: lost.length, second: added.length },
    ...(repetitions && { repetitions }),
    errors: { first: first.errors, second: second.errors },
    bounds: reach ? boundsIn(scale, reach) : null,
    ...(limits && within && { margin: marginResult(limits, within) }),
    ...(calibration && {
      corrected: await correctedDifference(key, pairs, { examples, clusters }, calibration, pValue, settings),
    }),
    flipped: [...pairs]
      .sort((one, other) => change(other) - change(one))
      .slice(0, difference?.differing ?? 0),
  };
  return withTest(comparison, {
    intervalAt: (level) =>
      statisticsEngine.run(
        "compareExperiments",
        from.length,
        () => bindings.differenceOf(from, to, most, examples, clusters, { ...settings, level }).interval,
      ),
    ...(difference && { leastPValue: difference.leastPValue }),
  });
}

/** Whether scores have no highest or no lowest value, as word counts. Scores without any range are verdicts, shares or grades. */
const isOpenEnded = ({ min, max, unit }: ScoreScale = {}): boolean =>
  (min === undefined || max === undefined) && (min ?? max ?? unit) !== undefined;

/** The same bounds as the worst and the best difference. */
const boundsIn = (scale: ScoreScale | undefined, { lowest, highest }: Bounds): Comparison["bounds"] =>
  scale?.direction === "lower" ? { worst: highest, best: lowest } : { worst: lowest, best: highest };

const finite = (value: number): number | null => (Number.isFinite(value) ? value : null);

/** Estimates the difference that people would find. */
async function correctedDifference(
  key: string,
  pairs: readonly { from: number | boolean; to: number | boolean }[],
  { examples, clusters }: Groups,
  calibration: JudgeErrors,
  pValue: number | null,
  settings: Settings,
): Promise<Figure> {
  const verdicts = verdictCountsOf(calibration, `calibration of ${JSON.stringify(key)}`);
  const from = reachedThreshold(
    pairs.map(({ from }) => from),
    calibration,
  );
  const to = reachedThreshold(
    pairs.map(({ to }) => to),
    calibration,
  );
  // Without a threshold, a score in between is neither right nor wrong.
  if (!from || !to || !pairs.length) return { value: null, interval: null };
  return statisticsEngine.run("compareExperiments", pairs.length, () => {
    // Verdicts have another p-value than the scores that the threshold was applied to.
    const pValueOfVerdicts =
      bindings.differenceOf(from, to, 1, examples, clusters, settings).pValue ?? pValue ?? 1;
    return bindings.trueDifference(from, to, examples, clusters, verdicts, pValueOfVerdicts, settings);
  });
}
