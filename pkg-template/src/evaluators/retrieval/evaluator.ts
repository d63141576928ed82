/** Makes the evaluators of ranking metrics. */

import { metricsEngine } from "../../core/engine/metrics.js";
import {
  aFlag,
  aString,
  check,
  checkOptions,
  MAX_U32,
  type OptionChecks,
  oneOf,
  wholeFrom,
} from "../../core/input/checks.js";
import { aPlace, type FieldSource } from "../../core/input/field.js";
import { readArguments } from "../../core/input/params.js";
import { readRows } from "../../core/input/rows.js";
import { PASS_OPTIONS, type PassOptions, withPassMark } from "../../core/passing.js";
import { SHARE } from "../../core/scales.js";
import { tracedEvaluator } from "../../core/tracing/hook.js";
import type { Evaluator } from "../../core/types.js";
import * as bindings from "../../openevals-metrics.js";
import type {
  NdcgGain,
  RetrievalColumns,
  RetrievalMeasure,
  RetrievalScore,
} from "../../openevals-metrics.types.js";
import { CrossingRows } from "./crossing.js";
import { readRetrieval } from "./documents.js";

/** The options of all ranking metrics. */
export interface RetrievalOptions extends PassOptions {
  /**
   * Where to find the ranking in outputs that are an object: a key, or a function of the outputs. By default, their
   * only key.
   */
  output?: FieldSource | undefined;
  /**
   * Where to find the relevance in the reference outputs. By default, an object with only numbers is the relevance by
   * id; otherwise, it is under the key in `output`, or their only key.
   */
  reference?: FieldSource | undefined;
  /** The lowest relevance that counts as relevant. By default, any relevance above 0. */
  relevanceLevel?: number | undefined;
  /**
   * How a duplicate document is handled, such as the source of two passages: `error` (the default) throws, `first`
   * counts only its first occurrence.
   */
  duplicates?: "error" | "first" | undefined;
  /**
   * Whether scores are compared as 32-bit numbers, as in trec_eval before version 10 and pytrec_eval, so that close
   * scores are ties. `false` by default, as in trec_eval 10 and ranx.
   */
  singlePrecision?: boolean | undefined;
  /** The `key` of the result, instead of the metric's own. */
  feedbackKey?: string | undefined;
}

/** The options of ranking metrics with a cutoff. */
export interface CutoffOptions extends RetrievalOptions {
  /** The number of documents that count, from the top of the ranking. */
  k?: number | undefined;
}

export const RETRIEVAL_OPTIONS: OptionChecks<RetrievalOptions> = {
  output: aPlace,
  reference: aPlace,
  relevanceLevel: check("a number above 0", (value) => Number.isFinite(value) && value > 0),
  duplicates: oneOf(["error", "first"]),
  singlePrecision: aFlag,
  feedbackKey: aString,
  ...PASS_OPTIONS,
};

export const CUTOFF_OPTIONS: OptionChecks<CutoffOptions> = { ...RETRIEVAL_OPTIONS, k: wholeFrom(1, MAX_U32) };

/** The parts of all ranking metrics' scores. */
export type RetrievalParts = Pick<RetrievalScore, "retrieved" | "relevant" | "hits" | "judged"> & {
  /** The variant as `name:value` pairs. */
  signature: string;
};

/** The result of a ranking metric. A type and not an interface, so that it is also a `Record<string, unknown>`. */
export type RetrievalResult<Part extends keyof RetrievalScore = never> = {
  /** The name of the metric. */
  key: string;
  /** From 0 to 1 (best); `null` if no document is relevant, since there is then nothing to find. */
  score: number | null;
  /** `false` if no document is relevant. */
  applicable?: false;
  /** Where the relevant documents are, for a score below 1; or why there is no score. */
  comment?: string;
  /** The parts of the score. */
  metadata: RetrievalParts & Pick<RetrievalScore, Part>;
};

/** The definition of a metric. `parts` are those that its results have besides the common ones. */
interface RetrievalSpec<Part> {
  /** Its name in errors. */
  name: string;
  key: string;
  measure: RetrievalMeasure;
  parts: readonly Part[];
  gain?: NdcgGain | undefined;
}

/** Makes the evaluator of a metric. */
export function retrievalEvaluator<Options extends CutoffOptions, Part extends keyof RetrievalScore = never>(
  maker: string,
  options: Options,
  checks: OptionChecks<Options>,
  specOf: (read: Options) => RetrievalSpec<Part>,
  defaultK?: number,
): Evaluator<RetrievalResult<Part>> {
  const read = checkOptions(maker, options, checks);
  const { name, key: metricKey, measure, parts, gain } = specOf(read);
  const { k = defaultK, relevanceLevel, duplicates = "error", singlePrecision = false, feedbackKey } = read;
  const key = feedbackKey ?? (k === undefined ? metricKey : `${metricKey}_at_${k}`);
  const signature = [
    `k:${k ?? "all"}`,
    `rel:${relevanceLevel ?? ">0"}`,
    ...(gain ? [`gain:${gain}`] : []),
    `dup:${duplicates}`,
    `scores:${singlePrecision ? "single" : "double"}`,
  ].join("|");
  const config = { measure, k, relevanceLevel, gain: gain ?? "linear", singlePrecision, duplicates };
  const score = async (rows: CrossingRows): Promise<RetrievalResult<Part>[]> => {
    const { ids, retrieved, judged, scores, relevance } = rows;
    const found = await metricsEngine.run(name, ids.size, () =>
      bindings.retrievalScores(
        config,
        ids.bytes,
        new Uint32Array(ids.lengths),
        new Uint32Array(retrieved),
        new Uint32Array(judged),
        new Float64Array(scores),
        new Float64Array(relevance),
      ),
    );
    return retrieved.map((_, row) => resultOf(key, found, row, parts, signature));
  };
  const evaluator = tracedEvaluator(
    key,
    async (...args: unknown[]) => {
      const { outputs, referenceOutputs } = readArguments(name, args);
      const crossing = new CrossingRows();
      readRetrieval(outputs, referenceOutputs, read, (side) => side, crossing);
      const [result] = await score(crossing);
      return result as RetrievalResult<Part>;
    },
    async (rows: readonly unknown[]) => {
      const crossing = new CrossingRows();
      for (const [index, { outputs, referenceOutputs }] of readRows(name, rows).entries())
        readRetrieval(outputs, referenceOutputs, read, (side) => `rows[${index}].${side}`, crossing);
      return score(crossing);
    },
  );
  return Object.assign(evaluator, { scale: withPassMark(SHARE, read) });
}

/** The result of a row, from the engine's columns. */
function resultOf<Part extends keyof RetrievalScore>(
  key: string,
  found: RetrievalColumns,
  row: number,
  parts: readonly Part[],
  signature: string,
): RetrievalResult<Part> {
  const figure = (name: keyof RetrievalScore) => {
    const value = found[name][row] as number;
    return Number.isNaN(value) ? null : value;
  };
  const all: Record<string, unknown> = { signature };
  for (const part of ["retrieved", "relevant", "hits", "judged", ...parts] as const) all[part] = figure(part);
  const metadata = all as RetrievalResult<Part>["metadata"];
  const score = figure("score");
  const comment = found.comment[row];
  return { key, score, ...(score === null && { applicable: false }), ...(comment && { comment }), metadata };
}
