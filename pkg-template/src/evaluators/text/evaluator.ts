/** Makes the evaluators of text metrics. */

import { metricsEngine } from "../../core/engine/metrics.js";
import { readArguments, readOutputArguments } from "../../core/input/params.js";
import { readOutputRows, readRows } from "../../core/input/rows.js";
import { withPassMark } from "../../core/passing.js";
import { SHARE } from "../../core/scales.js";
import { tracedEvaluator } from "../../core/tracing/hook.js";
import type { Evaluator, EvaluatorParams, ScoreScale } from "../../core/types.js";
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

/** The result of a text metric. The parts of the score are in the metadata. */
export type TextResult<Score> = {
  /** The name of the metric. */
  key: string;
  score: number;
  /** Why the score is 0, if the metric finds nothing to compare in a text that is not empty. */
  comment?: string;
  /** The parts of the score, and the `signature` of the metric's variant. */
  metadata: Omit<Score, "score"> & { signature: string };
};

/** An evaluator of outputs without a reference. */
export interface OutputEvaluator<Result> extends Evaluator<Result> {
  (outputs: unknown): Promise<Result>;
  (params: Pick<EvaluatorParams, "outputs">): Promise<Result>;
}

/** A metric with all its options. */
export interface TextMetricSpec<Metric = TextMetric> {
  /** Its name in errors. */
  name: string;
  /** The default key of its results. */
  key: string;
  metric: Metric;
  /** The meaning of its scores; by default, they are from 0 to 1 (best). */
  scale?: ScoreScale;
  /** Whether case is ignored. */
  lowercase: boolean;
  /** The variant as `name:value` pairs. */
  variant: string;
  /** Says why a score is 0, if the metric finds nothing to compare in these texts. */
  explainZero?: (output: string, references: readonly string[]) => string | undefined;
}

/** The signature: the number of references and the variant. */
export const signatureOf = ({ variant }: TextMetricSpec<unknown>, references: number | "var"): string =>
  `nrefs:${references}|${variant}`;

/** Makes a result: the score, and its other parts and the signature as metadata. */
export function resultOf<Score>(
  key: string,
  found: { score: number } | number,
  signature: string,
): TextResult<Score> {
  if (typeof found === "number") return { key, score: found, metadata: { signature } } as TextResult<Score>;
  const { score, ...parts } = found;
  return { key, score, metadata: { signature, ...parts } } as unknown as TextResult<Score>;
}

/** The engine's configuration: a metric, a similarity, or a metric that depends on the texts. */
type MetricConfig =
  | TextMetric
  | { similarity: SimilarityConfig }
  | ((texts: CrossingTexts) => Promise<TextMetric>);

/** The scores of texts. */
async function scoresOf(
  { name, metric: config }: TextMetricSpec<MetricConfig>,
  crossed: CrossingTexts,
): Promise<readonly { score: number }[] | Float64Array> {
  const { texts, lengths, references } = crossed;
  const metric = typeof config === "function" ? await config(crossed) : config;
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

function explainZeros(
  results: TextResult<unknown>[],
  { texts, references }: ListedTexts,
  explain: NonNullable<TextMetricSpec["explainZero"]>,
): void {
  let start = 0;
  for (const [index, result] of results.entries()) {
    const end = start + 1 + (references[index] as number);
    const comment =
      result.score === 0 ? explain(texts[start] as string, texts.slice(start + 1, end)) : undefined;
    if (comment !== undefined) result.comment = comment;
    start = end;
  }
}

/** Makes the evaluator of a metric from checked options. */
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
    const scored = results<Score>(key, await scoresOf(spec, crossing(texts, prepare)), (index) => {
      const count = references[index] as number;
      signatures[count] ??= signatureOf(spec, count);
      return signatures[count];
    });
    if (spec.explainZero) explainZeros(scored, texts, spec.explainZero);
    return scored;
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
 * Makes the evaluator of a metric without a reference from checked options.
 *
 * @param allowsList Whether outputs may be a list of texts with a common score.
 */
export function outputEvaluator<Score extends TextScore>(
  spec: TextMetricSpec<MetricConfig>,
  options: OutputOptions,
  allowsList: boolean,
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
      const [result] = await score(listed([readOutputs(outputs, options, "outputs", allowsList)]));
      return result as TextResult<Score>;
    },
    async (rows: readonly unknown[]) => {
      const read = () =>
        readOutputRows(name, rows).map((outputs, index) =>
          readOutputs(outputs, options, `rows[${index}].outputs`, allowsList),
        );
      return score(listedAtOnce(rows, false, options) ?? listed(read()));
    },
  );
  return Object.assign(evaluator, { scale }) as OutputEvaluator<TextResult<Score>>;
}
