/** The same metrics over all rows, as summary evaluators. */

import { measure } from "../engine/metrics.js";
import { OpenEvalsError } from "../errors.js";
import type { Interval, TextScore } from "../openevals-metrics.types.js";
import type { ClassificationParams } from "../statistics/labels.js";
import { type MetricMetadata, named } from "../statistics/metric.js";
import { numbered, type StatisticsOptions, settingsOf } from "../statistics/settings.js";
import { resultOf, signatureOf, type TextMetricSpec } from "./evaluator.js";
import { crossing, inCase, readTexts, type TextOptions } from "./texts.js";

/** The result of a metric of a corpus. */
export type CorpusResult<Score> = {
  /** The name of the metric. */
  key: string;
  /** `null` where there are no rows. */
  score: number | null;
  /** Where the score may well be, given so many rows; missing where that cannot be told. */
  interval?: Interval;
  /** Why there is no score. */
  comment?: string;
  /** The parts of the score, the `signature` of the variant, and how many rows there are and are left out. */
  metadata: MetricMetadata & Partial<Omit<Score, "score"> & { signature: string }>;
};

/** What a summary evaluator over texts is called with: by `evaluate()` of this package or of LangSmith, or by hand. */
export type CorpusParams = ClassificationParams;

/** A summary evaluator over texts. */
export type CorpusEvaluator<Score> = (params: CorpusParams) => Promise<CorpusResult<Score>>;

/** Makes the summary evaluator of a metric, with options that have been checked. */
export function corpusEvaluator<Score extends TextScore>(
  spec: TextMetricSpec,
  options: TextOptions & StatisticsOptions,
): CorpusEvaluator<Score> {
  const { name, metric, lowercase } = spec;
  const key = options.feedbackKey ?? spec.key;
  return named(key, async (params: CorpusParams) => {
    const { rows, examples, errors } = readCorpus(name, params, options);
    const metadata: MetricMetadata = { count: rows.length, errors };
    if (!rows.length)
      return {
        key,
        score: null,
        comment: "Not defined: there are no rows.",
        metadata,
      } as CorpusResult<Score>;
    const { texts, lengths, references } = crossing(rows, inCase(lowercase));
    const { score, interval } = await measure(name, texts.length, (engine) =>
      engine.corpusScore(metric, texts, lengths, references, examples, settingsOf(options)),
    );
    const [first, ...others] = new Set(references);
    const result = resultOf<Score>(key, score, signatureOf(spec, others.length ? "var" : (first as number)));
    return {
      ...result,
      ...(interval && { interval }),
      metadata: { ...metadata, ...result.metadata },
    };
  });
}

/** Reads all rows but those that failed. The repetitions of an example follow each other. */
function readCorpus(name: string, params: CorpusParams, options: TextOptions) {
  const { outputs, referenceOutputs, reference_outputs, runs, examples } = params ?? {};
  const references = referenceOutputs ?? reference_outputs;
  if (!Array.isArray(outputs) || !Array.isArray(references) || outputs.length !== references.length) {
    throw new OpenEvalsError(
      "invalid_input",
      `${name} needs outputs and referenceOutputs, a list of each with one entry for every run.`,
    );
  }
  const isFailed = (row: number) => runs?.[row]?.error != null || outputs[row] === undefined;
  const answered = outputs.map((_, row) => row).filter((row) => !isFailed(row));
  const numbers = numbered(answered.map((row) => String(examples ? examples[row]?.id : row)));
  const found = answered
    .map((row, index) => ({
      example: numbers[index] as number,
      texts: readTexts(outputs[row], references[row], options, (side) => `${side}[${row}]`),
    }))
    .sort((one, other) => one.example - other.example);
  return {
    rows: found.map(({ texts }) => texts),
    examples: Uint32Array.from(found, ({ example }) => example),
    errors: (params.errors ?? 0) + outputs.length - answered.length,
  };
}
