/** JSON match with evaluators for the values of some keys. */

import { parsed } from "../../core/engine/crossing.js";
import { invalidInput } from "../../core/errors.js";
import { memberPath } from "../../core/input/json/flaw.js";
import type { JsonPair } from "../../core/input/json/json.js";
import type { EvaluatorResult } from "../../core/types.js";
import type { Aggregator, JsonOf, Leaf, ListMatchMode } from "../../openevals.types.js";
import { allAsked, withUsageOf } from "../calls/failed-parts.js";
import { metadataOfParts, type PartEvaluator, partResult } from "../calls/parts.js";
import type { JudgedMatch } from "./judged.js";

/** The definition of a JSON match with evaluators. */
export interface EvaluatedMatch {
  /** The values for the evaluators. */
  leaves(json: Uint8Array, second: number): Promise<JsonOf<Leaf[]>>;
  /** The results, given the scores of these values. */
  results(json: Uint8Array, second: number, leaves: Float64Array): Promise<EvaluatorResult[]>;
  evaluators: Record<string, PartEvaluator>;
  aggregator: Aggregator | undefined;
  listMatchMode: ListMatchMode;
  /** The judge of the keys in the rubric, if there is one. */
  judged: JudgedMatch | undefined;
}

/** A leaf and the result of its evaluator. */
interface ScoredLeaf {
  leaf: Leaf;
  result: EvaluatorResult & { path: string };
}

/** Scores a row: first the values for evaluators and, if none of these throws, the rubric. */
export async function evaluatedMatch(match: EvaluatedMatch, row: JsonPair): Promise<EvaluatorResult[]> {
  const { evaluators, aggregator, judged } = match;
  const bytes = row.json.take().slice();
  const pair = { json: { length: bytes.length, take: () => bytes }, second: row.second };
  const leaves = parsed(await match.leaves(bytes, row.second));
  const results = await allAsked(
    leaves.map(async (leaf): Promise<ScoredLeaf["result"]> => {
      const path = pathOf(leaf, match.listMatchMode);
      const params = { outputs: JSON.parse(leaf.output), referenceOutputs: JSON.parse(leaf.reference) };
      const result = await partResult(evaluators[leaf.key] as PartEvaluator, params, path);
      if (!(Number(result.score) >= 0 && Number(result.score) <= 1))
        throw invalidInput(
          `${path}: ${result.key} scored ${result.score}; the score of a value has to be from 0 to 1`,
        );
      return { path, ...result };
    }),
  );
  const scored = results.map((result, index): ScoredLeaf => ({ leaf: leaves[index] as Leaf, result }));
  const scores = Float64Array.from(results, ({ score }) => Number(score));
  const judging = judged?.(pair, scores).catch((thrown) => {
    throw withUsageOf(thrown, [thrown, ...results]);
  });
  return (await (judging ?? match.results(bytes, row.second, scores))).map((result) => {
    const combined = scored.filter(({ leaf }) => aggregator || result.key === `json_match:${leaf.key}`);
    const isAlone = aggregator === undefined && combined.length === 1;
    return combined.length ? withLeaves(result, combined, isAlone) : result;
  });
}

/** Adds the results of evaluators to a result: their comments, one line each, and the results as metadata. */
function withLeaves(
  { comment, metadata, ...result }: EvaluatorResult,
  leaves: readonly ScoredLeaf[],
  isAlone: boolean,
): EvaluatorResult {
  const lines = leaves.flatMap(({ leaf, result }) => {
    const isFull = Number(result.score) === 1;
    const text = result.comment ?? (isFull ? undefined : `scored ${result.score}`);
    const place = leaf.element === undefined ? leaf.key : result.path;
    return text === undefined ? [] : [isAlone ? text : `${place}: ${text}`];
  });
  const comments = [comment, ...lines].filter((line) => line !== undefined);
  return {
    ...result,
    ...(comments.length && { comment: comments.join("\n") }),
    metadata: metadataOfParts(
      leaves.map(({ result }) => result),
      metadata,
    ),
  };
}

/** The path of a value. Pairs of elements are named by the side whose elements must all have a partner. */
function pathOf({ key, element }: Leaf, mode: ListMatchMode): string {
  if (element === undefined) return memberPath("outputs", key);
  return memberPath(`${mode === "superset" ? "referenceOutputs" : "outputs"}[${element}]`, key);
}
