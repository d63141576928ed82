/** How one key differs between two experiments. */

import { statisticsEngine } from "../../core/engine/statistics.js";
import type { CalibrationReport, Figure } from "../../core/records/calibration.js";
import type { Comparison } from "../../core/records/types.js";
import { numbered } from "../../evaluators/summary/settings.js";
import * as bindings from "../../openevals-statistics.js";
import type { Settings } from "../../openevals-statistics.types.js";
import { passedOf, verdictsOf } from "../statistics/correct-rate.js";
import { type MarginOption, marginQuestion, marginResult } from "../statistics/margin.js";

/** A score, and where it stands. */
export interface PlacedScore {
  exampleId: string;
  repetition: number;
  score: number | boolean;
  /** Of its cluster, or else its example. */
  unit: string;
}

/** The scores and errors of one key in one experiment. */
export interface OfKey {
  /** By what they are paired by. */
  scores: Map<string, PlacedScore>;
  errors: number;
}

/** What options say of the key. */
interface KeyComparisonOptions {
  margin: MarginOption | undefined;
  calibration: Pick<CalibrationReport, "verdicts" | "threshold"> | number | undefined;
}

export async function compareKey(
  key: string,
  first: OfKey,
  second: OfKey,
  settings: Settings,
  { margin, calibration }: KeyComparisonOptions,
): Promise<Comparison> {
  const units: string[] = [];
  const pairs = [...first.scores].flatMap(([place, { exampleId, repetition, score: from, unit }]) => {
    const to = second.scores.get(place)?.score;
    if (to === undefined) return [];
    units.push(unit);
    return [{ exampleId, repetition, from, to }];
  });
  const from = Float64Array.from(pairs, ({ from }) => Number(from));
  const to = Float64Array.from(pairs, ({ to }) => Number(to));
  const examples = numbered(units);
  const without = ({ scores }: OfKey, other: OfKey) =>
    Float64Array.from(
      [...scores].filter(([place]) => !other.scores.has(place)),
      ([, { score }]) => Number(score),
    );
  const [lost, added] = [without(first, second), without(second, first)];
  const asked = margin === undefined ? undefined : marginQuestion(key, margin, from, to);
  const { difference, means, bounds, within } = await statisticsEngine.run(
    "compareExperiments",
    from.length,
    () => ({
      difference: pairs.length ? bindings.differenceOf(from, to, examples, settings) : undefined,
      means: { first: finite(bindings.mean(from)), second: finite(bindings.mean(to)) },
      bounds: bindings.boundsOf(from, to, lost, added) ?? null,
      within:
        asked && bindings.withinMargin(from, to, examples, asked.margin, asked.low, asked.high, settings),
    }),
  );
  const pValue = difference?.pValue ?? null;
  const change = ({ from, to }: (typeof pairs)[number]) => Math.abs(Number(to) - Number(from));
  return {
    difference: difference?.difference ?? null,
    interval: difference?.interval ?? null,
    standardError: difference?.standardError ?? null,
    pValue,
    midPValue: difference?.midPValue ?? null,
    adjustedPValue: null,
    // Without a p-value, nothing gave it.
    test: pValue === null ? null : difference!.test,
    correlation: difference?.correlation ?? null,
    count: pairs.length,
    means,
    unpaired: { first: lost.length, second: added.length },
    errors: { first: first.errors, second: second.errors },
    bounds,
    ...(asked && within && { margin: marginResult(asked, within, typeof margin === "object") }),
    ...(typeof calibration === "object" && {
      corrected: await correctedDifference(key, pairs, examples, calibration, pValue, settings),
    }),
    flipped: pairs.filter(change).sort((one, other) => change(other) - change(one)),
  };
}

const finite = (value: number): number | null => (Number.isFinite(value) ? value : null);

/** The difference that people would have found. */
async function correctedDifference(
  key: string,
  pairs: readonly { from: number | boolean; to: number | boolean }[],
  examples: Uint32Array,
  calibration: Pick<CalibrationReport, "verdicts" | "threshold">,
  pValue: number | null,
  settings: Settings,
): Promise<Figure> {
  const verdicts = verdictsOf(calibration, `calibration of ${JSON.stringify(key)}`);
  const from = passedOf(
    pairs.map(({ from }) => from),
    calibration.threshold,
  );
  const to = passedOf(
    pairs.map(({ to }) => to),
    calibration.threshold,
  );
  // Without a threshold, a score in between is neither right nor wrong.
  if (!from || !to || !pairs.length) return { value: null, interval: null };
  return statisticsEngine.run("compareExperiments", pairs.length, () => {
    // The p-value of numbers says nothing about the verdicts that a threshold makes of them.
    const own = bindings.differenceOf(from, to, examples, settings).pValue ?? pValue ?? 1;
    return bindings.trueDifference(from, to, examples, verdicts, own, settings);
  });
}
