import { statisticsEngine } from "../../core/engine/statistics.js";
import { OpenEvalsError, typedReading } from "../../core/errors.js";
import { type Checks, check, checkOptions, isListOf, oneOf } from "../../core/input/checks.js";
import type { CalibrationReport } from "../../core/records/calibration.js";
import { scoreOf } from "../../core/records/score.js";
import type { Comparison, Experiment, Shown } from "../../core/records/types.js";
import {
  numberOf,
  STATISTICS_OPTIONS,
  type StatisticsOptions,
  settingsOf,
} from "../../evaluators/summary/settings.js";
import type { CorpusEvaluator } from "../../evaluators/text/corpus.js";
import type { CorpusTest } from "../../openevals-metrics.types.js";
import * as bindings from "../../openevals-statistics.js";
import type { Correction } from "../../openevals-statistics.types.js";
import { aClusterBy, type ClusterBy, unitOf } from "../statistics/clusters.js";
import { CALIBRATION_OPTION } from "../statistics/correct-rate.js";
import { aMargin, type MarginOption } from "../statistics/margin.js";
import { checkRows } from "../stored/check.js";
import { noSuchKey } from "../stored/unknown-key.js";
import { compareCorpora } from "./compare-corpora.js";
import { compareKey, type OfKey, type PlacedScore } from "./compare-key.js";

/** The options of {@link compareExperiments}. */
export interface ComparisonOptions extends StatisticsOptions {
  /**
   * How p-values are adjusted for being many: `holm` (the default), so that one of all the keys that do not differ is
   * below 0.05 in 5% of cases at most; `benjamini-hochberg`, so that of those below it 5% are wrong on average; `none`.
   */
  correction?: Correction | undefined;
  /**
   * Metrics of the corpus that are compared as well: `corpusBleu()`, `corpusChrf()`, `corpusTer()` and `corpusWer()` of
   * `openevals-wasm/text`. They read the outputs and reference outputs of the rows.
   */
  summaryEvaluators?: readonly CorpusEvaluator<any>[] | undefined;
  /**
   * What gives their p-values: `paired_permutation` (the default), as `--paired-ar` of sacrebleu, or `paired_bootstrap`, as its
   * `--paired-bs`, which comes to that of a one-sided test.
   */
  corpusTest?: CorpusTest | undefined;
  /**
   * What rows have in common that are not independent of each other, such as the passage that several questions are about:
   * a field of their `metadata` or else of their `inputs`, or a function of the example. Intervals, standard errors and
   * p-values then go by clusters.
   */
  clusterBy?: ClusterBy | undefined;
  /**
   * A difference that would not matter, above 0; for all keys, or by key of the rows' results. The `margin` of a comparison
   * then tells whether the second has been shown to be not worse by as much (non-inferiority), and neither worse nor better
   * (equivalence). The test needs the range of the scores: from 0 to 1, unless it is given, as in
   * `{ stars: { margin: 0.2, range: [1, 5] } }`.
   */
  margin?: number | Record<string, MarginOption> | undefined;
  /**
   * What `calibrate()` found about judges, by key. The `corrected` of a comparison is then the difference that people would
   * have found, if the judge is wrong equally often on the answers of both.
   */
  calibration?: Record<string, Pick<CalibrationReport, "verdicts" | "threshold">> | undefined;
}

/** How p-values may be adjusted. */
export const CORRECTION_OPTION = oneOf(["holm", "benjamini-hochberg", "none"]);

const OPTIONS: Checks<ComparisonOptions> = {
  ...STATISTICS_OPTIONS,
  summaryEvaluators: check("a list of corpusBleu(), corpusChrf(), corpusTer() or corpusWer()", (list) => {
    return isListOf(list, (one) => typeof (one as CorpusEvaluator<unknown> | null)?.compare === "function");
  }),
  corpusTest: oneOf(["paired_permutation", "paired_bootstrap"]),
  correction: CORRECTION_OPTION,
  clusterBy: aClusterBy,
  margin: aMargin,
  calibration: CALIBRATION_OPTION,
};

/**
 * Compares two experiments over the same data, key by key: how much the second is better than the first, and whether that
 * may be chance.
 *
 * Scores are paired by the `id` of the example and the repetition. If one experiment was run more often than the other, the
 * means of the examples are paired instead, so that no repetition is lost. Where one of
 * them is missing (no such row, an error, not applicable, or the whole key), there is no pair: `unpaired` says how often
 * that is, and `bounds` what the difference would be at worst and at best.
 *
 * Where every score is `true` or `false` (or 0 or 1), the interval is Newcombe's (method 10 of *Improved confidence
 * intervals for the difference between binomial proportions based on paired data*, 1998), and, if every example was run
 * once, the p-value that of McNemar's exact test. All else gets a paired permutation test of the mean (exact for up to
 * twenty examples that differ; beyond, from ten thousand random ones, of which what was observed is one, so that it is
 * never 0) and the interval of a mean: Student's for less than six examples, the bootstrap's from there on. The
 * repetitions of an example are not independent, and count for as much as they tell. An interval never contradicts its
 * test: it reaches to zero where the p-value is not below its level, and not beyond where it is.
 *
 * Metrics of the corpus, which are no means of scores, are compared where they are among the `summaryEvaluators`: with the
 * interval of the paired bootstrap, and by a permutation test that exchanges the answers of the two experiments. They have
 * neither `bounds` nor `flipped` rows.
 *
 * That a difference is not significant does not say that there is none. With a `margin`, two one-sided tests say whether it
 * is smaller than that. For rates that were run once, it is the exact unconditional test of Tango's score; for all else a
 * bet on the mean of bounded scores (Waudby-Smith and Ramdas, *Estimating means of bounded random variables by betting*, 2024).
 * Both hold for every distribution and number of rows.
 *
 * Of many keys, some differ by chance alone: with ten, any p-value is below 0.05 in a third of cases. `adjustedPValue` is
 * corrected for it, by Holm's method unless `correction` says otherwise. Decide by it.
 *
 * @param a The first experiment, such as the one before a change: the result of `evaluate()`, or what was read back with
 * `JSON.parse`.
 * @param b The second experiment.
 * @returns A {@link Comparison} for each key, in the order of the first; of its `flipped`, those with the largest change
 * come first.
 * @throws {@link OpenEvalsError} `invalid_input` for what is no experiment, and if two rows of one have the same example
 * and repetition.
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
  a: Pick<Experiment, "rows">,
  b: Pick<Experiment, "rows">,
  options: ComparisonOptions = {},
): Promise<Record<string, Comparison>> {
  const read = checkOptions("compareExperiments", options, OPTIONS);
  const { correction = "holm", clusterBy, margin, calibration = {}, ...rest } = read;
  const { summaryEvaluators = [], corpusTest, ...statistics } = rest;
  const settings = settingsOf(statistics);
  const [first, second] = typedReading("compareExperiments", () => [
    readKeys(a, "first", clusterBy),
    readKeys(b, "second", clusterBy),
  ]);
  // With other numbers of repetitions, examples are compared by their means.
  if (repetitionsOf(a) !== repetitionsOf(b)) for (const keys of [first, second]) meanOfExamples(keys);
  const comparisons = new Map<string, Comparison>();
  for (const key of new Set([...first.keys(), ...second.keys()])) {
    const pair = [first.get(key) ?? NONE, second.get(key) ?? NONE] as const;
    comparisons.set(
      key,
      await compareKey(key, ...pair, settings, {
        margin: ownOf(margin, key),
        calibration: ownOf(calibration, key),
      }),
    );
  }
  if (typeof margin === "object") checkKeys("margin", margin, comparisons);
  checkKeys("calibration", calibration, comparisons);
  for (const evaluator of summaryEvaluators) {
    if (comparisons.has(evaluator.name)) {
      throw new OpenEvalsError(
        "invalid_config",
        `Rows have results of ${JSON.stringify(evaluator.name)}; give the summary evaluator a feedbackKey of its own.`,
      );
    }
    comparisons.set(
      evaluator.name,
      await compareCorpora(evaluator, a.rows, b.rows, { clusterBy, test: corpusTest, ...statistics }),
    );
  }
  const all = [...comparisons.values()];
  const margins = all.flatMap(({ margin }) => margin ?? []);
  await adjust(all, correction);
  for (const side of ["notLower", "notHigher", "equivalent"] as const) {
    const shown = margins.map((margin) => margin[side]);
    await adjust(shown, correction);
    for (const one of shown)
      one.isShown = one.adjustedPValue !== null && one.adjustedPValue < 1 - settings.level;
  }
  return Object.fromEntries(comparisons);
}

/** What an option says of a key: that of all keys, or its own. */
const ownOf = <T>(option: number | Record<string, T> | undefined, key: string): T | number | undefined =>
  typeof option !== "object" ? option : Object.hasOwn(option, key) ? option[key] : undefined;

/** Refuses an option for a key that no row has. The key of an evaluator that failed everywhere is not known. */
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

/** Adjusts the p-values that there are for being so many. */
async function adjust(
  all: readonly Pick<Shown, "pValue" | "adjustedPValue">[],
  correction: Correction,
): Promise<void> {
  const tested = all.filter(({ pValue }) => pValue !== null);
  const pValues = Float64Array.from(tested, ({ pValue }) => pValue as number);
  const adjusted = await statisticsEngine.run("compareExperiments", pValues.length, () =>
    bindings.adjusted(pValues, correction),
  );
  for (const [index, one] of tested.entries()) one.adjustedPValue = adjusted[index] as number;
}

const NONE: OfKey = { scores: new Map(), errors: 0 };

/** How many times the rows of an experiment were run. */
const repetitionsOf = ({ rows }: Pick<Experiment, "rows">): number =>
  rows.reduce((most, { run }) => Math.max(most, (run.repetition ?? 0) + 1), 0);

/** Puts the mean of each example in the place of the scores of its repetitions. */
function meanOfExamples(keys: ReadonlyMap<string, OfKey>): void {
  for (const of of keys.values()) {
    const examples = new Map<string, PlacedScore & { score: number; count: number }>();
    for (const { score, ...rest } of of.scores.values()) {
      const found = examples.get(rest.exampleId) ?? { ...rest, repetition: 0, score: 0, count: 0 };
      found.count++;
      found.score += (Number(score) - found.score) / found.count;
      examples.set(rest.exampleId, found);
    }
    of.scores = examples;
  }
}

/** The scores and errors of each key in one experiment. */
function readKeys(
  experiment: Pick<Experiment, "rows">,
  name: string,
  clusterBy: ClusterBy | undefined,
): Map<string, OfKey> {
  checkRows(experiment, `${name} experiment`);
  const byKey = new Map<string, OfKey>();
  const of = (key: string): OfKey => {
    let found = byKey.get(key);
    if (!found) {
      found = { scores: new Map(), errors: 0 };
      byKey.set(key, found);
    }
    return found;
  };
  const seen = new Set<string>();
  for (const { example, run, evaluationResults, errors } of experiment.rows) {
    for (const { key } of errors ?? []) of(key).errors++;
    const [exampleId, repetition] = [example.id, run.repetition ?? 0];
    const row = JSON.stringify([exampleId, repetition]);
    if (seen.has(row)) {
      throw new OpenEvalsError(
        "invalid_input",
        `The ${name} experiment has the example ${JSON.stringify(exampleId)} twice in repetition ${repetition}; rows are ` +
          "paired by the id of their example, so give each an id of its own.",
      );
    }
    seen.add(row);
    const unit = unitOf(example, clusterBy);
    for (const result of evaluationResults) {
      const { key } = result;
      const { scores } = of(key);
      const score = scoreOf(result);
      if (score === undefined) continue;
      numberOf(score, `The score of ${key} in the ${name} experiment, example ${JSON.stringify(exampleId)},`);
      scores.set(row, { exampleId, repetition, score, unit });
    }
  }
  return byKey;
}
