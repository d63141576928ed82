/** Text metrics over all rows, as summary evaluators. */

import { metricsEngine } from "../../core/engine/metrics.js";
import { invalidInput } from "../../core/errors.js";
import { anything, checkOptions, type OptionChecks, oneOf } from "../../core/input/checks.js";
import type { PassOptions } from "../../core/passing.js";
import { SHARE } from "../../core/scales.js";
import * as bindings from "../../openevals-metrics.js";
import type { CorpusTest, Interval, TextScore } from "../../openevals-metrics.types.js";
import type { ClassificationParams } from "../summary/labels.js";
import { type MetricMetadata, named } from "../summary/metric.js";
import { numbered, STATISTICS_OPTIONS, type StatisticsOptions, settingsOf } from "../summary/settings.js";
import { resultOf, signatureOf, type TextMetricSpec } from "./evaluator.js";
import { crossing, inCase, listed, readTexts, type TextOptions } from "./texts.js";

/** The result of a corpus metric. */
export type CorpusResult<Score> = {
  /** The name of the metric. */
  key: string;
  /** The score; `null` if there are no rows. */
  score: number | null;
  /** The confidence interval; missing if it cannot be computed. */
  interval?: Interval;
  /** Why there is no score. */
  comment?: string;
  /**
   * The parts of the score, the `signature` of the variant, and the numbers of rows that count and that are left out.
   */
  metadata: MetricMetadata & Partial<Omit<Score, "score"> & { signature: string }>;
};

/** The parameters of a corpus metric, as `evaluate()` of this package and of LangSmith pass them. */
export type CorpusParams = ClassificationParams;

/** The parameters of a comparison of two systems on the same rows. */
export interface CorpusComparisonParams extends StatisticsOptions {
  /** The outputs of the first system. */
  first: readonly unknown[];
  /** The outputs of the second system. */
  second: readonly unknown[];
  /** The expected outputs. */
  referenceOutputs: readonly unknown[];
  /** The example of each row; rows with the same `id` are repetitions. Without it, no rows are. */
  examples?: readonly { id?: unknown }[] | undefined;
  /**
   * The test behind the p-value: `paired_permutation` (the default), as `--paired-ar` of sacrebleu, or
   * `paired_bootstrap`, as its `--paired-bs`.
   */
  test?: CorpusTest | undefined;
}

/** The difference of two systems on a corpus. */
export interface CorpusComparison {
  /** The name of the metric. */
  key: string;
  /** The score of the first system; `null` if there are no rows. */
  first: number | null;
  /** The score of the second system; `null` if there are no rows. */
  second: number | null;
  /** The score of the second system minus that of the first; `null` if there are no rows. */
  difference: number | null;
  /** The confidence interval of the difference, by the paired bootstrap; `null` if it cannot be computed. */
  interval: Interval | null;
  /** The probability of such a difference between equal systems; `null` if there are no rows. */
  pValue: number | null;
  /** The test behind the p-value. */
  test: CorpusTest;
  /** The number of rows. */
  count: number;
  /** The variant of the metric; missing if there are no rows. */
  signature?: string;
}

/** A summary evaluator over texts. */
export interface CorpusEvaluator<Score> {
  (params: CorpusParams): Promise<CorpusResult<Score>>;
  /** The key of its results. */
  readonly name: string;
  /**
   * Compares two systems on the same rows. The interval comes from the paired bootstrap, which resamples the examples
   * of both systems together. It never contradicts the permutation test.
   *
   * The p-value of `paired_permutation` is two-sided: how often the systems differ at least as much after their answers
   * are exchanged at random, example by example. The p-value of `paired_bootstrap` is computed as in sacrebleu, which
   * amounts to a one-sided test: more than one in ten comparisons of equal systems have a p-value below 0.05.
   *
   * `compareExperiments` calls it for its `summaryEvaluators`.
   *
   * @throws {@link OpenEvalsError} `invalid_config` for options that cannot work, `invalid_input` for rows without
   * texts.
   *
   * @example
   * ```ts
   * import { corpusChrf } from "openevals-wasm/text";
   *
   * const { difference, pValue } = await corpusChrf().compare({
   *   first: ["The cat sat on a mat.", "It rains."],
   *   second: ["The cat sat on the mat.", "It is raining."],
   *   referenceOutputs: ["The cat sat on the mat.", "It is raining."],
   * });
   * console.log((difference ?? 0) > 0, pValue); // true 0.5…
   * ```
   */
  compare(params: CorpusComparisonParams): Promise<CorpusComparison>;
}

const COMPARISON_OPTIONS: OptionChecks<CorpusComparisonParams> = {
  ...STATISTICS_OPTIONS,
  first: anything,
  second: anything,
  referenceOutputs: anything,
  examples: anything,
  test: oneOf(["paired_permutation", "paired_bootstrap"]),
};

/** The options of a metric for a corpus. A corpus has a single score, whose pass mark cannot be set. */
export type OfCorpus<Options> = Omit<Options, keyof PassOptions>;

/** The checks of the options of a metric for a corpus. */
export function corpusChecks<Options extends PassOptions>(
  checks: OptionChecks<Options>,
): OptionChecks<OfCorpus<Options> & StatisticsOptions> {
  const { passAt, lowerIsBetter, ...others } = checks as OptionChecks<PassOptions>;
  return { ...others, ...STATISTICS_OPTIONS } as OptionChecks<OfCorpus<Options> & StatisticsOptions>;
}

/** Makes the summary evaluator of a metric from checked options. */
export function corpusEvaluator<Score extends TextScore>(
  spec: TextMetricSpec,
  options: OfCorpus<TextOptions> & StatisticsOptions,
): CorpusEvaluator<Score> {
  const { name, metric, lowercase } = spec;
  const key = options.feedbackKey ?? spec.key;
  const signature = (references: Uint32Array): string => {
    const [first, ...others] = new Set(references);
    return signatureOf(spec, others.length ? "var" : (first as number));
  };
  const evaluate = named(key, async (params: CorpusParams) => {
    const { rows, examples, errors } = readCorpus(name, params, options);
    const metadata: MetricMetadata = { count: rows.length, errors };
    if (!rows.length)
      return {
        key,
        score: null,
        comment: "Not defined: there are no rows.",
        metadata,
      } as CorpusResult<Score>;
    const { texts, lengths, references } = crossing(listed(rows), inCase(lowercase));
    const { score, interval } = await metricsEngine.run(name, texts.length, () =>
      bindings.corpusScore(metric, texts, lengths, references, examples, settingsOf(options)),
    );
    const result = resultOf<Score>(key, score, signature(references));
    return {
      ...result,
      ...(interval && { interval }),
      metadata: { ...metadata, ...result.metadata },
    };
  });
  const compare = named(key, async (params: CorpusComparisonParams): Promise<CorpusComparison> => {
    const read = checkOptions(`${key}.compare`, params, COMPARISON_OPTIONS);
    const { first, second, referenceOutputs, examples, test = "paired_permutation" } = read;
    if (![second, referenceOutputs].every((list) => Array.isArray(list) && list.length === first?.length)) {
      throw invalidInput(
        `${name} needs first and second, each a list with one entry for each of referenceOutputs`,
      );
    }
    const [from, to] = [first, second].map((outputs) =>
      readCorpus(name, { outputs, referenceOutputs, examples } as CorpusParams, options),
    ) as [Corpus, Corpus];
    if (from.errors || to.errors) {
      throw invalidInput(`${name} needs outputs of both systems for every row`);
    }
    const count = first.length;
    if (!count) {
      const nothing = { first: null, second: null, difference: null, interval: null, pValue: null };
      return { key, ...nothing, test, count };
    }
    const { texts, lengths, references } = crossing(listed([...from.rows, ...to.rows]), inCase(lowercase));
    const settings = settingsOf({
      seed: read.seed ?? options.seed,
      level: read.level ?? options.level,
    });
    const found = await metricsEngine.run(name, texts.length, () =>
      bindings.corpusDifference(metric, texts, lengths, references, from.examples, test, settings),
    );
    return {
      key,
      first: found.first,
      second: found.second,
      difference: found.second - found.first,
      interval: found.interval,
      pValue: found.pValue,
      test,
      count,
      signature: signature(references),
    };
  });
  return Object.assign(evaluate, { compare, scale: spec.scale ?? SHARE });
}

type Corpus = ReturnType<typeof readCorpus>;

/** Reads all rows that have not failed, with the repetitions of an example next to each other. */
function readCorpus(name: string, params: CorpusParams, options: TextOptions) {
  const { outputs, referenceOutputs, reference_outputs, runs, examples } = params ?? {};
  const references = referenceOutputs ?? reference_outputs;
  if (!Array.isArray(outputs) || !Array.isArray(references) || outputs.length !== references.length) {
    throw invalidInput(
      `${name} needs outputs and referenceOutputs, a list of each with one entry for every run`,
    );
  }
  const isFailed = (row: number) => runs?.[row]?.error != null || outputs[row] === undefined;
  const answered = outputs.map((_, row) => row).filter((row) => !isFailed(row));
  const numbers = numbered(answered.map((row) => String(examples?.[row]?.id ?? row)));
  const found = answered
    .map((row, index) => ({
      example: numbers[index] as number,
      texts: readTexts(outputs[row], references[row], options, (side) => `${side}[${row}]`),
    }))
    .sort((a, b) => a.example - b.example);
  return {
    rows: found.map(({ texts }) => texts),
    examples: Uint32Array.from(found, ({ example }) => example),
    errors: (params.errors ?? 0) + outputs.length - answered.length,
  };
}
