/** The evaluators of texts: what they compare crosses as text, and comes back as a score with its parts. */

import { metricsEngine } from "../../core/engine/metrics.js";
import { readArguments, readOutputArguments } from "../../core/input/params.js";
import { readOutputRows, readRows } from "../../core/input/rows.js";
import { type ScoreScale, withPassMark } from "../../core/scale.js";
import { SHARE } from "../../core/scales.js";
import { tracedEvaluator } from "../../core/tracing/hook.js";
import type { Evaluator, EvaluatorParams } from "../../core/types.js";
import * as bindings from "../../openevals-metrics.js";
import type { SimilarityConfig, TextMetric, TextScore } from "../../openevals-metrics.types.js";
import {
  type CrossingTexts,
  crossing,
  inCase,
  type ListedTexts,
  listed,
  listedAtOnce,
  type OutputOptions,
  type Prepare,
  readOutputs,
  readTexts,
  type TextOptions,
} from "./texts.js";

/** The result of a metric of texts: the parts of the score stand in the metadata. */
export type TextResult<Score> = {
  /** The name of the metric. */
  key: string;
  score: number;
  /** The parts of the score, and the `signature` of the variant that it is. */
  metadata: Omit<Score, "score"> & { signature: string };
};

/** An evaluator of outputs, which are compared with nothing. */
export interface OutputEvaluator<Result> extends Evaluator<Result> {
  (outputs: unknown): Promise<Result>;
  (params: Pick<EvaluatorParams, "outputs">): Promise<Result>;
}

/** A metric with its options, all of them known. */
export interface TextMetricSpec<Metric = TextMetric> {
  /** What messages call it. */
  name: string;
  /** The key of its results, where nothing else is wanted. */
  key: string;
  metric: Metric;
  /** What its scores mean; by default they are from 0 to 1, which is best. */
  scale?: ScoreScale;
  /** Whether case does not count. */
  lowercase: boolean;
  /** The variant as `name:value` pairs. */
  variant: string;
}

/** The variant, after the number of references. */
export const signatureOf = ({ variant }: TextMetricSpec<unknown>, references: number | "var"): string =>
  `nrefs:${references}|${variant}`;

/** The score without its parts, and these with the signature. */
export function resultOf<Score>(
  key: string,
  found: { score: number } | number,
  signature: string,
): TextResult<Score> {
  if (typeof found === "number") return { key, score: found, metadata: { signature } } as TextResult<Score>;
  const { score, ...parts } = found;
  return { key, score, metadata: { signature, ...parts } } as unknown as TextResult<Score>;
}

/** What the engine makes of texts: a metric, a similarity, or a metric that depends on them. */
type MetricConfig =
  | TextMetric
  | { similarity: SimilarityConfig }
  | ((texts: CrossingTexts) => Promise<TextMetric>);

/** The scores of texts. */
async function scoresOf(
  { name, metric: given }: TextMetricSpec<MetricConfig>,
  crossed: CrossingTexts,
): Promise<readonly { score: number }[] | Float64Array> {
  const { texts, lengths, references } = crossed;
  const metric = typeof given === "function" ? await given(crossed) : given;
  return metricsEngine.run(name, texts.length, () =>
    typeof metric === "object" && "similarity" in metric
      ? bindings.similarities(metric.similarity, texts, lengths, references)
      : bindings.textScores(metric, texts, lengths, references),
  );
}

/** The results of rows. */
function results<Score>(
  key: string,
  scores: readonly { score: number }[] | Float64Array,
  signature: (index: number) => string,
): TextResult<Score>[] {
  const all: TextResult<Score>[] = [];
  for (let index = 0; index < scores.length; index++)
    all.push(resultOf(key, scores[index] as number | { score: number }, signature(index)));
  return all;
}

/** Makes the evaluator of a metric, with options that have been checked. */
export function textEvaluator<Score extends TextScore | { score: number }>(
  spec: TextMetricSpec<MetricConfig>,
  options: TextOptions,
  prepare: Prepare = inCase(spec.lowercase),
): Evaluator<TextResult<Score>> {
  const { name } = spec;
  const key = options.feedbackKey ?? spec.key;
  const scale = withPassMark(spec.scale ?? SHARE, options);
  const score = async (texts: ListedTexts): Promise<TextResult<Score>[]> => {
    const { references } = texts;
    const signatures: string[] = [];
    return results(key, await scoresOf(spec, crossing(texts, prepare)), (index) => {
      const count = references[index] as number;
      signatures[count] ??= signatureOf(spec, count);
      return signatures[count];
    });
  };
  const evaluator = tracedEvaluator(
    key,
    async (...args: unknown[]) => {
      const { outputs, referenceOutputs } = readArguments(name, args);
      const [result] = await score(listed([readTexts(outputs, referenceOutputs, options, (side) => side)]));
      return result as TextResult<Score>;
    },
    async (rows: readonly unknown[]) => {
      const read = () =>
        readRows(name, rows).map(({ outputs, referenceOutputs }, index) =>
          readTexts(outputs, referenceOutputs, options, (side) => `rows[${index}].${side}`),
        );
      return score(listedAtOnce(rows, true, options) ?? listed(read()));
    },
  );
  return Object.assign(evaluator, { scale });
}

/**
 * Makes the evaluator of a metric that compares with nothing, with options that have been checked.
 *
 * @param isOfSeveral Whether outputs may be a list of texts, which have one score together.
 */
export function outputEvaluator<Score extends TextScore>(
  spec: TextMetricSpec<MetricConfig>,
  options: OutputOptions,
  isOfSeveral: boolean,
  prepare: Prepare = inCase(spec.lowercase),
): OutputEvaluator<TextResult<Score>> {
  const { name, variant } = spec;
  const key = options.feedbackKey ?? spec.key;
  const scale = withPassMark(spec.scale ?? SHARE, options);
  const score = async (texts: ListedTexts): Promise<TextResult<Score>[]> =>
    results(key, await scoresOf(spec, crossing(texts, prepare)), () => variant);
  const evaluator = tracedEvaluator(
    key,
    async (...args: unknown[]) => {
      const outputs = readOutputArguments(name, args);
      const [result] = await score(listed([readOutputs(outputs, options, "outputs", isOfSeveral)]));
      return result as TextResult<Score>;
    },
    async (rows: readonly unknown[]) => {
      const read = () =>
        readOutputRows(name, rows).map((outputs, index) =>
          readOutputs(outputs, options, `rows[${index}].outputs`, isOfSeveral),
        );
      return score(listedAtOnce(rows, false, options) ?? listed(read()));
    },
  );
  return Object.assign(evaluator, { scale }) as OutputEvaluator<TextResult<Score>>;
}
