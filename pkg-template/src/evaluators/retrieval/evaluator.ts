/** The evaluators of rankings: ids and numbers cross, and come back as a score with its parts. */

import { metricsEngine } from "../../core/engine/metrics.js";
import {
  aFlag,
  aString,
  type Checks,
  check,
  checkOptions,
  MOST,
  oneOf,
  wholeFrom,
} from "../../core/input/checks.js";
import { aPlace, type FieldSource } from "../../core/input/field.js";
import { readArguments } from "../../core/input/params.js";
import { readRows } from "../../core/input/rows.js";
import { PASS_OPTIONS, type PassOptions, withPassMark } from "../../core/scale.js";
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

/** The options that all metrics of rankings have. */
export interface RetrievalOptions extends PassOptions {
  /**
   * Where the ranking stands in outputs that are an object: their key, or a function of them. By default their only key.
   */
  output?: FieldSource | undefined;
  /**
   * The same for the reference outputs; by default they are the relevance of each id themselves if all their values are
   * numbers, else it stands under the key that `output` names, or their only key.
   */
  reference?: FieldSource | undefined;
  /** The least relevance of a document that is relevant. By default any above 0 is. */
  relevanceLevel?: number | undefined;
  /**
   * What becomes of a document that stands twice, as the source of two passages does: `error` (the default), or `first`,
   * so that it counts once, where it stands first.
   */
  duplicates?: "error" | "first" | undefined;
  /**
   * Whether scores are compared as numbers of 32 bits, so that those that differ by less are ties: trec_eval before
   * version 10, and pytrec_eval, do so. `false` by default, as in trec_eval 10 and ranx.
   */
  singlePrecision?: boolean | undefined;
  /** The `key` of the result, instead of the metric's own. */
  feedbackKey?: string | undefined;
}

/** The options of metrics of the first documents of a ranking. */
export interface CutoffOptions extends RetrievalOptions {
  /** How many documents of the ranking count. */
  k?: number | undefined;
}

export const RETRIEVAL_OPTIONS: Checks<RetrievalOptions> = {
  output: aPlace,
  reference: aPlace,
  relevanceLevel: check("a number above 0", (value) => Number.isFinite(value) && value > 0),
  duplicates: oneOf(["error", "first"]),
  singlePrecision: aFlag,
  feedbackKey: aString,
  ...PASS_OPTIONS,
};

export const CUTOFF_OPTIONS: Checks<CutoffOptions> = { ...RETRIEVAL_OPTIONS, k: wholeFrom(1, MOST) };

/** What every score of a ranking was made of. */
export type RetrievalParts = Pick<RetrievalScore, "retrieved" | "relevant" | "hits" | "judged"> & {
  /** The variant as `name:value` pairs. */
  signature: string;
};

/** The result of a metric of rankings. A type and not an interface, so that it is also a `Record<string, unknown>`. */
export type RetrievalResult<Part extends keyof RetrievalScore = never> = {
  /** The name of the metric. */
  key: string;
  /** From 0 to 1, which is best; `null` if no document is relevant: then there is nothing to find, and nothing to score. */
  score: number | null;
  /** `false` if no document is relevant. */
  applicable?: false;
  /** Why there is no score. */
  comment?: string;
  /** The parts of the score. */
  metadata: RetrievalParts & Pick<RetrievalScore, Part>;
};

/** A metric, with what its results have besides what all have. */
interface RetrievalSpec<Part> {
  /** What messages call it. */
  name: string;
  key: string;
  measure: RetrievalMeasure;
  parts: readonly Part[];
  gain?: NdcgGain | undefined;
}

/** Makes the evaluator of a metric. `most` documents count where the option `k` says nothing. */
export function retrievalEvaluator<Options extends CutoffOptions, Part extends keyof RetrievalScore = never>(
  maker: string,
  options: Options,
  checks: Checks<Options>,
  specOf: (read: Options) => RetrievalSpec<Part>,
  most?: number,
): Evaluator<RetrievalResult<Part>> {
  const read = checkOptions(maker, options, checks);
  const { name, key: ownKey, measure: what, parts, gain } = specOf(read);
  const { k = most, relevanceLevel, duplicates = "error", singlePrecision = false, feedbackKey } = read;
  const key = feedbackKey ?? (k === undefined ? ownKey : `${ownKey}_at_${k}`);
  const signature = [
    `k:${k ?? "all"}`,
    `rel:${relevanceLevel ?? ">0"}`,
    ...(gain ? [`gain:${gain}`] : []),
    `dup:${duplicates}`,
    `scores:${singlePrecision ? "single" : "double"}`,
  ].join("|");
  const config = { measure: what, k, relevanceLevel, gain: gain ?? "linear", singlePrecision, duplicates };
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

/** The result of a row, of what all rows come to. */
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
  const [retrieved, relevant] = [found.retrieved[row] as number, found.relevant[row] as number];
  const [hits, judged] = [found.hits[row] as number, found.judged[row] as number];
  const all: Record<string, unknown> = { signature, retrieved, relevant, hits, judged };
  for (const part of parts) all[part] = figure(part);
  const metadata = all as RetrievalResult<Part>["metadata"];
  const score = figure("score");
  if (score !== null) return { key, score, metadata };
  return { key, score, applicable: false, comment: "Not defined: no document is relevant.", metadata };
}
