import { measure } from "../engine/statistics.js";
import { OpenEvalsError, typedReading } from "../errors.js";
import { checkRows } from "../experiment/check.js";
import { scoreOf } from "../experiment/score.js";
import type { Comparison, Experiment, ExperimentRow } from "../experiment/types.js";
import { type Checks, check, checkOptions, isListOf, oneOf } from "../input/checks.js";
import type { CorpusTest } from "../openevals-metrics.types.js";
import type { Correction, Settings } from "../openevals-statistics.types.js";
import type { CorpusEvaluator } from "../text/corpus.js";
import { numbered, numberOf, STATISTICS_OPTIONS, type StatisticsOptions, settingsOf } from "./settings.js";

/** A score, and where it stands. */
interface Scored {
  exampleId: string;
  repetition: number;
  score: number | boolean;
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
}

const OPTIONS: Checks<ComparisonOptions> = {
  ...STATISTICS_OPTIONS,
  correction: oneOf(["holm", "benjamini-hochberg", "none"]),
  summaryEvaluators: check("a list of corpusBleu(), corpusChrf(), corpusTer() or corpusWer()", (list) => {
    return isListOf(list, (one) => typeof (one as CorpusEvaluator<unknown> | null)?.compare === "function");
  }),
  corpusTest: oneOf(["paired_permutation", "paired_bootstrap"]),
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
  const {
    correction = "holm",
    summaryEvaluators = [],
    corpusTest,
    ...statistics
  } = checkOptions("compareExperiments", options, OPTIONS);
  const settings = settingsOf(statistics);
  const [first, second] = typedReading("compareExperiments", () => [
    readKeys(a, "first"),
    readKeys(b, "second"),
  ]);
  const comparisons = new Map<string, Comparison>();
  for (const key of new Set([...first.keys(), ...second.keys()])) {
    comparisons.set(key, await compareKey(first.get(key) ?? NONE, second.get(key) ?? NONE, settings));
  }
  for (const evaluator of summaryEvaluators) {
    if (comparisons.has(evaluator.name)) {
      throw new OpenEvalsError(
        "invalid_config",
        `Rows have results of ${JSON.stringify(evaluator.name)}; give the summary evaluator a feedbackKey of its own.`,
      );
    }
    comparisons.set(evaluator.name, await compareCorpora(evaluator, a.rows, b.rows, statistics, corpusTest));
  }
  const tested = [...comparisons.values()].filter(({ pValue }) => pValue !== null);
  const pValues = Float64Array.from(tested, ({ pValue }) => pValue as number);
  const adjusted = await measure("compareExperiments", pValues.length, (engine) =>
    engine.adjusted(pValues, correction),
  );
  for (const [index, comparison] of tested.entries()) comparison.adjustedPValue = adjusted[index] as number;
  return Object.fromEntries(comparisons);
}

const NONE: OfKey = { scores: new Map(), errors: 0 };

async function compareKey(first: OfKey, second: OfKey, settings: Settings): Promise<Comparison> {
  const pairs = [...first.scores].flatMap(([place, { exampleId, repetition, score: from }]) => {
    const to = second.scores.get(place)?.score;
    return to === undefined ? [] : [{ exampleId, repetition, from, to }];
  });
  const from = Float64Array.from(pairs, ({ from }) => Number(from));
  const to = Float64Array.from(pairs, ({ to }) => Number(to));
  const examples = numbered(pairs.map(({ exampleId }) => exampleId));
  const without = ({ scores }: OfKey, other: OfKey) =>
    Float64Array.from(
      [...scores].filter(([place]) => !other.scores.has(place)),
      ([, { score }]) => Number(score),
    );
  const [lost, added] = [without(first, second), without(second, first)];
  const { difference, means, bounds } = await measure("compareExperiments", from.length, (engine) => ({
    difference: pairs.length ? engine.differenceOf(from, to, examples, settings) : undefined,
    means: pairs.length
      ? { first: engine.mean(from), second: engine.mean(to) }
      : { first: null, second: null },
    bounds: engine.boundsOf(from, to, lost, added) ?? null,
  }));
  const change = ({ from, to }: (typeof pairs)[number]) => Math.abs(Number(to) - Number(from));
  return {
    difference: difference?.difference ?? null,
    interval: difference?.interval ?? null,
    pValue: difference?.pValue ?? null,
    adjustedPValue: null,
    test: difference?.test ?? null,
    count: pairs.length,
    means,
    unpaired: { first: lost.length, second: added.length },
    errors: { first: first.errors, second: second.errors },
    bounds,
    flipped: pairs.filter(change).sort((one, other) => change(other) - change(one)),
  };
}

/** What a metric of the corpus makes of the rows that both have answered. */
async function compareCorpora(
  evaluator: CorpusEvaluator<unknown>,
  first: readonly ExperimentRow[],
  second: readonly ExperimentRow[],
  statistics: StatisticsOptions,
  test: CorpusTest | undefined,
): Promise<Comparison> {
  const answered = (rows: readonly ExperimentRow[]) =>
    new Map(
      rows.flatMap((row) =>
        row.run.error == null && row.run.outputs !== undefined
          ? [[JSON.stringify([row.example.id, row.run.repetition ?? 0]), row] as const]
          : [],
      ),
    );
  const [ours, theirs] = [answered(first), answered(second)];
  const pairs = [...ours].flatMap(([place, from]) => {
    const to = theirs.get(place);
    return to ? [{ from, to }] : [];
  });
  for (const { from, to } of pairs) {
    if (JSON.stringify(from.example.outputs) !== JSON.stringify(to.example.outputs)) {
      throw new OpenEvalsError(
        "invalid_input",
        `${evaluator.name} compares answers to the same reference, and that of the example ` +
          `${JSON.stringify(from.example.id)} is not the same in both experiments.`,
      );
    }
  }
  const found = await evaluator.compare({
    first: pairs.map(({ from }) => from.run.outputs),
    second: pairs.map(({ to }) => to.run.outputs),
    referenceOutputs: pairs.map(({ from }) => from.example.outputs),
    examples: pairs.map(({ from }) => from.example),
    test,
    ...statistics,
  });
  const { difference, interval, pValue, count } = found;
  return {
    difference,
    interval,
    pValue,
    adjustedPValue: null,
    test: found.test,
    count,
    means: { first: found.first, second: found.second },
    unpaired: { first: ours.size - count, second: theirs.size - count },
    errors: { first: first.length - ours.size, second: second.length - theirs.size },
    bounds: null,
    flipped: [],
  };
}

/** The scores and errors of each key in one experiment. */
function readKeys(experiment: Pick<Experiment, "rows">, name: string): Map<string, OfKey> {
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
    for (const result of evaluationResults) {
      const { key } = result;
      const { scores } = of(key);
      const score = scoreOf(result);
      if (score === undefined) continue;
      numberOf(score, `The score of ${key} in the ${name} experiment, example ${JSON.stringify(exampleId)},`);
      scores.set(row, { exampleId, repetition, score });
    }
  }
  return byKey;
}
