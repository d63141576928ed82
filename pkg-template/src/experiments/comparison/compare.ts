import { invalidConfig, invalidInput, typedReading } from "../../core/errors.js";
import { check, checkOptions, isListOf, type OptionChecks, oneOf } from "../../core/input/checks.js";
import { ownValue } from "../../core/input/objects.js";
import type { JudgeErrors } from "../../core/records/calibration.js";
import { checkRows, checkSummaries } from "../../core/records/check-rows.js";
import { differentInputs } from "../../core/records/different-inputs.js";
import { notComparable } from "../../core/records/not-comparable.js";
import { onlyKeys } from "../../core/records/only-keys.js";
import { isBelow } from "../../core/records/significance.js";
import type { Comparison, Experiment, ExperimentRow, PerExperiment } from "../../core/records/types.js";
import { noSuchKey } from "../../core/records/unknown-key.js";
import { STATISTICS_OPTIONS, type StatisticsOptions, settingsOf } from "../../evaluators/summary/settings.js";
import type { CorpusEvaluator } from "../../evaluators/text/corpus.js";
import type { CorpusTest } from "../../openevals-metrics.types.js";
import type { Correction } from "../../openevals-statistics.types.js";
import { CalibratedJudges } from "../statistics/calibrated-judges.js";
import { CALIBRATION_OPTION } from "../statistics/calibration-option.js";
import { aClusterBy, type ClusterBy } from "../statistics/clusters.js";
import { aMargin, type MarginOption } from "../statistics/margin.js";
import { commonCluster } from "../stored/common-cluster.js";
import { compareCorpora } from "./compare-corpora.js";
import { compareKeys, readResults } from "./compare-rows.js";
import { compareSlices, slicesOf } from "./compare-slices.js";
import { compareSummaries } from "./compare-summaries.js";
import { adjust, adjustFamily } from "./family.js";
import { aSliceBy, type SliceBy } from "./slice-by.js";

/** The options of {@link compareExperiments}. */
export interface ComparisonOptions extends StatisticsOptions {
  /**
   * The keys to compare, of rows and of recorded summary scores; all by default. Name those that decide before you see the
   * results: p-values are adjusted for fewer keys then.
   */
  keys?: readonly string[] | undefined;
  /**
   * How p-values are adjusted for the number of keys. `holm` (the default) controls the family-wise error rate: if no key
   * differs, an adjusted p-value is below 0.05 in at most 5% of cases. `benjamini-hochberg` controls the false discovery rate:
   * of the keys below 0.05, at most 5% are wrong on average. `none` does not adjust.
   */
  correction?: Correction | undefined;
  /**
   * Corpus metrics to compare as well: `corpusBleu()`, `corpusChrf()`, `corpusTer()` and `corpusWer()` of
   * `openevals-wasm/text`. They read the outputs and reference outputs of the rows.
   */
  summaryEvaluators?: readonly CorpusEvaluator<any>[] | undefined;
  /**
   * The test of corpus metrics: `paired_permutation` (the default), approximate randomization as sacrebleu's `--paired-ar`; or
   * `paired_bootstrap`, as its `--paired-bs`, whose p-value is one-sided.
   */
  corpusTest?: CorpusTest | undefined;
  /**
   * The common property of the rows of a cluster, such as the passage that several questions are about: a field of the
   * example's `metadata` or `inputs`, or a function of the example. Intervals, standard errors and p-values then allow
   * for the clusters. Default: the clusters that the experiments record.
   */
  clusterBy?: ClusterBy | undefined;
  /**
   * The fields that define the slices to compare as well, as `by` of {@link sliceExperiment}: the name of a field of the example's
   * `metadata` or `inputs`, such as `language`; a function of the example; or a list of these. The `slices` of a comparison have
   * the same figures for each slice. Their p-values are adjusted together, for all slices and keys.
   */
  sliceBy?: SliceBy | readonly SliceBy[] | undefined;
  /**
   * The smallest difference that matters, above 0, for all keys or by key. The `margin` of a comparison then says whether the
   * second experiment is shown to be not worse by that much (non-inferiority), and neither worse nor better (equivalence). If
   * scores are not from 0 to 1, and their evaluator has no scale with two ends, give their range: `{ stars: { margin: 0.2, range:
   * [1, 5] } }`. Slices have no `margin`.
   */
  margin?: number | Record<string, MarginOption> | undefined;
  /**
   * Reports of `calibrate()`, by key. The `corrected` of a comparison then estimates the difference that people would find. It
   * assumes that the judge is wrong equally often in both experiments.
   */
  calibration?: Record<string, JudgeErrors> | undefined;
}

export const CORRECTION_OPTION = oneOf(["holm", "benjamini-hochberg", "none"]);

const OPTIONS: OptionChecks<ComparisonOptions> = {
  ...STATISTICS_OPTIONS,
  keys: check(
    "a list of keys",
    (list) => isListOf(list, (key) => typeof key === "string") && list.length > 0,
  ),
  summaryEvaluators: check("a list of corpusBleu(), corpusChrf(), corpusTer() or corpusWer()", (list) => {
    return isListOf(list, (one) => typeof (one as CorpusEvaluator<unknown> | null)?.compare === "function");
  }),
  corpusTest: oneOf(["paired_permutation", "paired_bootstrap"]),
  correction: CORRECTION_OPTION,
  clusterBy: aClusterBy,
  sliceBy: aSliceBy,
  margin: aMargin,
  calibration: CALIBRATION_OPTION,
};

/** The parts of an experiment that are compared. */
export type ExperimentToCompare = Pick<Experiment, "rows" | "scales"> &
  Partial<Pick<Experiment, "summaryResults">>;

/**
 * Compares two experiments over the same data, key by key: the paired difference of the means (second minus first), its
 * confidence interval and its p-value. Base decisions on `adjustedPValue`, which allows for the number of keys: with ten keys
 * that do not differ, some unadjusted p-value is below 0.05 in up to 40% of cases.
 *
 * Scores are paired by the `id` of the example and the repetition. A score without a partner (no such row, an error, not
 * applicable) is not compared: `unpaired` counts these, and `bounds` has the difference that they could lead to at worst and at
 * best. If one experiment has more repetitions than the other, those beyond the other's are left out, and `repetitions` has both
 * numbers. (The mean of several runs varies less than one run, so that differences of such means are skewed, and a test of them
 * finds differences by chance.)
 *
 * - If all scores are `true` or `false` (or 0 or 1): Newcombe's interval (method 10 of *Improved confidence intervals for the
 *   difference between binomial proportions based on paired data*, 1998). If every example was run once, McNemar's exact test.
 * - Otherwise: a paired permutation test of the mean, exact for up to 20 examples that differ, with 10,000 random permutations
 *   beyond that; and Student's t interval for fewer than 20 examples, the bootstrap's from there on.
 * - Repetitions of an example are not treated as independent. An interval never contradicts its test: it includes zero exactly
 *   if the p-value is not significant at its level. `adjustedInterval` does the same for the adjusted p-value.
 * - Differences up to 1e-12 of the largest score are rounding errors and count as ties. If a `scale` has `min` and `max`, intervals
 *   end at their distance.
 * - Corpus metrics among `summaryEvaluators`: the paired bootstrap interval, and a permutation test that swaps the answers of the
 *   two experiments. They have neither `bounds` nor `flipped` rows.
 *
 * With `sliceBy`, each comparison has its `slices`. Their p-values are adjusted together, apart from those of the keys, by Holm's
 * method for discrete tests (Westfall and Wolfinger, *Multiple tests with discrete distributions*, 1997): a slice counts only
 * beside p-values that it could have. Where few rows changed, these are not small, so that such slices hardly count.
 *
 * A difference that is not significant may still exist. With `margin`, two one-sided tests show whether it is smaller than that:
 * for rates with one run per example, the exact unconditional test with Tango's score; otherwise a betting test for bounded means
 * (Waudby-Smith and Ramdas, *Estimating means of bounded random variables by betting*, 2024). Both are valid for every
 * distribution and sample size.
 *
 * @param first The first experiment, such as the one before a change: the result of `evaluate()`, or its JSON, parsed.
 * @param second The second experiment.
 * @returns A {@link Comparison} for each key, in the order of the first experiment, then for each recorded summary score with
 * another key (`isSummary`). The largest changes come first in `flipped`.
 * @throws {@link OpenEvalsError} `invalid_config` for invalid options and unknown keys; `invalid_input` for an invalid experiment, if two rows of
 * one experiment have the same example and repetition, if most pairs have different inputs, if the recorded `scales` give a key
 * different ranges or directions, if a key is `true` or `false` in one and has scores outside of 0 to 1 in the other, and if the
 * recorded clusters or the slices of an example differ.
 *
 * @example
 * ```ts
 * import { readFile } from "node:fs/promises";
 * import { compareExperiments } from "openevals-wasm/evaluation";
 *
 * export async function isBetter(before: string, after: string) {
 *   const read = async (file: string) => JSON.parse(await readFile(file, "utf8"));
 *   const { exact_match } = await compareExperiments(await read(before), await read(after));
 *   if (!exact_match || exact_match.unpaired.first > 0) return false;
 *   return (exact_match.difference ?? 0) > 0 && (exact_match.adjustedPValue ?? 1) < 0.05;
 * }
 * ```
 */
export async function compareExperiments(
  first: ExperimentToCompare,
  second: ExperimentToCompare,
  options: ComparisonOptions = {},
): Promise<Record<string, Comparison>> {
  const read = checkOptions("compareExperiments", options, OPTIONS);
  const { correction = "holm", clusterBy, sliceBy, margin, calibration = {}, ...rest } = read;
  const { keys, summaryEvaluators = [], corpusTest, ...statistics } = rest;
  const settings = settingsOf(statistics);
  const { a, b, rows, repetitions, results } = typedReading("compareExperiments", () => {
    checkCompared(first, "first");
    checkCompared(second, "second");
    const [a, b] = keys ? onlyKeys([first, second], keys, "keys") : [first, second];
    const { repetitions, rows } = commonRepetitions(a.rows, b.rows);
    // Pairs have the cluster of their first row.
    if (clusterBy === undefined) rows.first = withClustersOf(rows.second, rows.first);
    return { a, b, rows, repetitions, results: readResults(rows, clusterBy) };
  });
  const hasClusters = clusterBy !== undefined || rows.first.some(({ cluster }) => cluster !== undefined);
  const mismatch = typedReading("compareExperiments", () => notComparable(a, b, differentInputs(a, b)));
  if (mismatch !== undefined) throw invalidInput(mismatch);
  const slices = typedReading("compareExperiments", () =>
    ([sliceBy].flat() as (SliceBy | undefined)[]).flatMap((by) =>
      by === undefined ? [] : slicesOf(rows, by),
    ),
  );
  const ofKey = (key: string) => ({
    scale: ownValue(a.scales ?? {}, key) ?? ownValue(b.scales ?? {}, key),
    repetitions,
    hasClusters,
  });
  const comparisons = await compareKeys(results, settings, (key) => ({
    ...ofKey(key),
    margin: typeof margin === "object" ? ownValue(margin, key) : margin,
    calibration: ownValue(calibration, key),
  }));
  if (sliceBy !== undefined) {
    const compared = await compareSlices(slices, clusterBy, settings, ofKey);
    for (const [key, comparison] of comparisons) comparison.slices = compared.get(key) ?? [];
  }
  if (typeof margin === "object") checkKeys("margin", margin, comparisons);
  checkKeys("calibration", calibration, comparisons);
  for (const side of [a, b]) {
    const problem = new CalibratedJudges(calibration, side.rows).problem();
    if (problem) throw problem;
  }
  for (const evaluator of summaryEvaluators) {
    if (comparisons.has(evaluator.name)) {
      throw invalidConfig(
        `Rows already have results of ${JSON.stringify(evaluator.name)}; give the summary evaluator another feedbackKey`,
      );
    }
    comparisons.set(
      evaluator.name,
      await compareCorpora(evaluator, rows.first, rows.second, {
        clusterBy,
        hasClusters,
        test: corpusTest,
        ...statistics,
      }),
    );
  }
  for (const [key, comparison] of compareSummaries(a, b))
    if (!comparisons.has(key)) comparisons.set(key, comparison);
  const all = [...comparisons.values()];
  const margins = all.flatMap(({ margin }) => margin ?? []);
  await adjustFamily("compareExperiments", all, correction);
  for (const { slices } of all)
    slices?.sort((one, other) => (one.adjustedPValue ?? 2) - (other.adjustedPValue ?? 2));
  for (const side of ["notLower", "notHigher", "equivalent"] as const) {
    const shown = margins.map((margin) => margin[side]);
    await adjust("compareExperiments", shown, correction);
    for (const one of shown) one.isShown = isBelow(one.adjustedPValue, settings.level);
  }
  return Object.fromEntries(comparisons);
}

/** Rejects an option for a key that no row has, unless an evaluator failed on all rows: its key is unknown. */
function checkKeys(
  option: string,
  byKey: Readonly<Record<string, unknown>>,
  comparisons: ReadonlyMap<string, Comparison>,
): void {
  const areKnown = [...comparisons.values()].every(({ count, unpaired, errors }) => {
    return count + unpaired.first + unpaired.second > 0 || errors.first + errors.second === 0;
  });
  const problem = areKnown ? noSuchKey(option, Object.keys(byKey), [...comparisons.keys()]) : undefined;
  if (problem) throw problem;
}

function checkCompared(experiment: ExperimentToCompare, name: string): void {
  checkRows(experiment, `${name} experiment`);
  if (experiment.summaryResults !== undefined)
    checkSummaries(experiment.summaryResults, `${name} experiment`);
}

interface CommonRepetitions {
  rows: PerExperiment<readonly ExperimentRow[]>;
  /** The numbers of repetitions, if they differ. */
  repetitions: PerExperiment<number> | undefined;
}

/** The rows of the repetitions that both experiments have. */
function commonRepetitions(
  first: readonly ExperimentRow[],
  second: readonly ExperimentRow[],
): CommonRepetitions {
  const repetitionOf = ({ run }: ExperimentRow) => run.repetition ?? 0;
  const [one, other] = [first, second].map((rows) =>
    rows.reduce((most, row) => Math.max(most, repetitionOf(row) + 1), 1),
  ) as [number, number];
  const cut = (rows: readonly ExperimentRow[]) =>
    rows.filter((row) => repetitionOf(row) < Math.min(one, other));
  return one === other
    ? { rows: { first, second }, repetitions: undefined }
    : { rows: { first: cut(first), second: cut(second) }, repetitions: { first: one, second: other } };
}

/** The rows with the clusters that they or the other rows have recorded. */
function withClustersOf(
  others: readonly ExperimentRow[],
  rows: readonly ExperimentRow[],
): readonly ExperimentRow[] {
  const byId = new Map(others.map((row) => [row.example.id, row]));
  return rows.map((row) => {
    const cluster = commonCluster([row, byId.get(row.example.id)]);
    return cluster === row.cluster ? row : { ...row, cluster: cluster as string };
  });
}
