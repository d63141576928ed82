import { statisticsEngine } from "../engine/statistics.js";
import { OpenEvalsError, typedReading } from "../errors.js";
import { checkRows } from "../experiment/check.js";
import { scoreOf } from "../experiment/score.js";
import type { Comparison, Experiment, MarginComparison, Shown } from "../experiment/types.js";
import { noSuchKey } from "../experiment/unknown-key.js";
import { type Checks, check, checkOptions, isListOf, oneOf } from "../input/checks.js";
import type { CorpusTest } from "../openevals-metrics.types.js";
import type { Correction, Settings } from "../openevals-statistics.types.js";
import type { CorpusEvaluator } from "../text/corpus.js";
import { aClusterBy, type ClusterBy, unitOf } from "./clusters.js";
import { compareCorpora } from "./compare-corpora.js";
import { numbered, numberOf, STATISTICS_OPTIONS, type StatisticsOptions, settingsOf } from "./settings.js";

/** A score, and where it stands. */
interface Scored {
  exampleId: string;
  repetition: number;
  score: number | boolean;
  /** Of its cluster, or else its example. */
  unit: string;
}

/** The scores and errors of one key in one experiment. */
interface OfKey {
  /** By what they are paired by. */
  scores: Map<string, Scored>;
  errors: number;
}

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
   * A difference that would not matter, above 0; for all keys, or by key of the rows' results. The `margin` of a comparison then tells whether
   * the second has been shown to be not worse by as much (non-inferiority), and neither worse nor better (equivalence).
   */
  margin?: number | Record<string, number> | undefined;
}

/** How p-values may be adjusted. */
export const CORRECTION_OPTION = oneOf(["holm", "benjamini-hochberg", "none"]);

const isMargin = (margin: unknown) => typeof margin === "number" && margin > 0 && Number.isFinite(margin);

const OPTIONS: Checks<ComparisonOptions> = {
  ...STATISTICS_OPTIONS,
  summaryEvaluators: check("a list of corpusBleu(), corpusChrf(), corpusTer() or corpusWer()", (list) => {
    return isListOf(list, (one) => typeof (one as CorpusEvaluator<unknown> | null)?.compare === "function");
  }),
  corpusTest: oneOf(["paired_permutation", "paired_bootstrap"]),
  correction: CORRECTION_OPTION,
  clusterBy: aClusterBy,
  margin: check("a number above 0, or an object with one for each key", (margin) => {
    return isMargin(margin) || (typeof margin === "object" && Object.values(margin).every(isMargin));
  }),
};

/**
 * Compares two experiments over the same data, key by key: how much the second is better than the first, and whether that
 * may be chance.
 *
 * Scores are paired by the `id` of the example and the repetition. Where one of
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
 * is smaller than that: by Newcombe's interval for rates, by Student's t for all else.
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
  const { correction = "holm", clusterBy, margin, summaryEvaluators = [], corpusTest, ...statistics } = read;
  const settings = settingsOf(statistics);
  const [first, second] = typedReading("compareExperiments", () => [
    readKeys(a, "first", clusterBy),
    readKeys(b, "second", clusterBy),
  ]);
  const comparisons = new Map<string, Comparison>();
  for (const key of new Set([...first.keys(), ...second.keys()])) {
    const own = typeof margin === "object" ? (Object.hasOwn(margin, key) ? margin[key] : undefined) : margin;
    comparisons.set(key, await compareKey(first.get(key) ?? NONE, second.get(key) ?? NONE, settings, own));
  }
  if (typeof margin === "object") checkMargins(margin, comparisons);
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

/** Refuses a margin for a key that no row has. An evaluator that has failed everywhere has not told its key. */
function checkMargins(
  margins: Readonly<Record<string, number>>,
  comparisons: ReadonlyMap<string, Comparison>,
): void {
  const areKnown = [...comparisons.values()].every(({ count, unpaired, errors }) => {
    return count + unpaired.first + unpaired.second > 0 || errors.first + errors.second === 0;
  });
  const problem = areKnown ? noSuchKey("margin", Object.keys(margins), [...comparisons.keys()]) : undefined;
  if (problem) throw problem;
}

/** Adjusts the p-values that there are for being so many. */
async function adjust(
  all: readonly Pick<Shown, "pValue" | "adjustedPValue">[],
  correction: Correction,
): Promise<void> {
  const tested = all.filter(({ pValue }) => pValue !== null);
  const pValues = Float64Array.from(tested, ({ pValue }) => pValue as number);
  const adjusted = await statisticsEngine.run("compareExperiments", pValues.length, (engine) =>
    engine.adjusted(pValues, correction),
  );
  for (const [index, one] of tested.entries()) one.adjustedPValue = adjusted[index] as number;
}

const NONE: OfKey = { scores: new Map(), errors: 0 };

async function compareKey(
  first: OfKey,
  second: OfKey,
  settings: Settings,
  margin: number | undefined,
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
  const { difference, means, bounds, within } = await statisticsEngine.run(
    "compareExperiments",
    from.length,
    (engine) => ({
      difference: pairs.length ? engine.differenceOf(from, to, examples, settings) : undefined,
      means: pairs.length
        ? { first: engine.mean(from), second: engine.mean(to) }
        : { first: null, second: null },
      bounds: engine.boundsOf(from, to, lost, added) ?? null,
      within: margin === undefined ? undefined : engine.withinMargin(from, to, examples, margin),
    }),
  );
  const change = ({ from, to }: (typeof pairs)[number]) => Math.abs(Number(to) - Number(from));
  return {
    difference: difference?.difference ?? null,
    interval: difference?.interval ?? null,
    standardError: difference?.standardError ?? null,
    pValue: difference?.pValue ?? null,
    adjustedPValue: null,
    test: difference?.test ?? null,
    count: pairs.length,
    means,
    unpaired: { first: lost.length, second: added.length },
    errors: { first: first.errors, second: second.errors },
    bounds,
    ...(margin !== undefined && { margin: marginOf(margin, within?.notLower, within?.notHigher) }),
    flipped: pairs.filter(change).sort((one, other) => change(other) - change(one)),
  };
}

function marginOf(
  margin: number,
  notLower = null as number | null,
  notHigher = null as number | null,
): MarginComparison {
  const shown = (pValue: number | null): Shown => ({ pValue, adjustedPValue: null, isShown: false });
  const both = notLower === null || notHigher === null ? null : Math.max(notLower, notHigher);
  return { margin, notLower: shown(notLower), notHigher: shown(notHigher), equivalent: shown(both) };
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
