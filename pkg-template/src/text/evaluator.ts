/** The evaluators of texts: what they compare crosses as text, and comes back as a score with its parts. */

import { measure } from "../engine/metrics.js";
import { readArguments } from "../input/params.js";
import { readRows } from "../input/rows.js";
import type { SimilarityConfig, TextMetric, TextScore } from "../openevals-metrics.types.js";
import { tracedEvaluator } from "../tracing/hook.js";
import type { Evaluator } from "../types.js";
import { crossing, inCase, type Prepare, readTexts, type TextOptions, type TextRow } from "./texts.js";

/** The result of a metric of texts: the parts of the score stand in the metadata. */
export type TextResult<Score> = {
  /** The name of the metric. */
  key: string;
  score: number;
  /** The parts of the score, and the `signature` of the variant that it is. */
  metadata: Omit<Score, "score"> & { signature: string };
};

/** A metric with its options, all of them known. */
export interface TextMetricSpec<Metric = TextMetric> {
  /** What messages call it. */
  name: string;
  /** The key of its results, where nothing else is wanted. */
  key: string;
  metric: Metric;
  /** Whether case does not count. */
  lowercase: boolean;
  /** The variant as `name:value` pairs. */
  variant: string;
}

/** The variant, after the number of references. */
export const signatureOf = ({ variant }: TextMetricSpec<unknown>, references: number | "var"): string =>
  `nrefs:${references}|${variant}`;

/** The score without its parts, and these with the signature. */
export function resultOf<Score>(key: string, found: { score: number }, signature: string): TextResult<Score> {
  const { score, ...parts } = found;
  return { key, score, metadata: { signature, ...parts } } as unknown as TextResult<Score>;
}

/** Makes the evaluator of a metric, with options that have been checked. */
export function textEvaluator<Score extends TextScore | { score: number }>(
  spec: TextMetricSpec<TextMetric | { similarity: SimilarityConfig }>,
  options: TextOptions,
  prepare?: Prepare,
): Evaluator<TextResult<Score>> {
  const { name, metric, lowercase } = spec;
  const key = options.feedbackKey ?? spec.key;
  const score = async (rows: readonly TextRow[]): Promise<TextResult<Score>[]> => {
    const { texts, lengths, references } = crossing(rows, prepare ?? inCase(lowercase));
    const scores = await measure(name, texts.length, (engine): readonly { score: number }[] =>
      "similarity" in metric
        ? Array.from(engine.similarities(metric.similarity, texts, lengths, references), (score) => ({
            score,
          }))
        : engine.textScores(metric, texts, lengths, references),
    );
    return scores.map((found, index) => resultOf(key, found, signatureOf(spec, references[index] as number)));
  };
  return tracedEvaluator(
    key,
    async (...args: unknown[]) => {
      const { outputs, referenceOutputs } = readArguments(name, args);
      const [result] = await score([readTexts(outputs, referenceOutputs, options, (side) => side)]);
      return result as TextResult<Score>;
    },
    async (rows: readonly unknown[]) =>
      score(
        readRows(name, rows).map(({ outputs, referenceOutputs }, index) =>
          readTexts(outputs, referenceOutputs, options, (side) => `rows[${index}].${side}`),
        ),
      ),
  );
}
