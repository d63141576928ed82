/** JSON match where evaluators compare the values of some keys. */

import { parsed } from "../../core/engine/crossing.js";
import { invalidInput } from "../../core/errors.js";
import type { JsonPair } from "../../core/input/json.js";
import { memberPath } from "../../core/input/writer.js";
import type { EvaluatorResult } from "../../core/types.js";
import type { Aggregator, JsonOf, Leaf, ListMatchMode } from "../../openevals.types.js";
import { metadataOfParts, type PartEvaluator, partResult } from "../results/parts.js";
import type { JudgedMatch } from "./judged.js";

/** What a JSON match with evaluators consists of. */
export interface EvaluatedMatch {
  /** The values that evaluators have to compare. */
  leaves(json: Uint8Array, second: number): Promise<JsonOf<Leaf[]>>;
  /** The results, with the scores of these values. */
  results(json: Uint8Array, second: number, leaves: Float64Array): Promise<EvaluatorResult[]>;
  evaluators: Record<string, PartEvaluator>;
  aggregator: Aggregator | undefined;
  listMatchMode: ListMatchMode;
  /** What judges the keys of the rubric, if there is one. */
  judged: JudgedMatch | undefined;
}

/** A leaf with what its evaluator found. */
interface ScoredLeaf {
  leaf: Leaf;
  result: EvaluatorResult & { path: string };
}

/** Scores a row: first the leaves, then, where none has failed, the judge is asked about the rubric. */
export async function evaluatedMatch(match: EvaluatedMatch, row: JsonPair): Promise<EvaluatorResult[]> {
  const { evaluators, aggregator, judged } = match;
  const bytes = row.json.take().slice();
  const pair = { json: { length: bytes.length, take: () => bytes }, second: row.second };
  const leaves = parsed(await match.leaves(bytes, row.second));
  const scored = await Promise.all(
    leaves.map(async (leaf): Promise<ScoredLeaf> => {
      const path = pathOf(leaf, match.listMatchMode);
      const params = { outputs: JSON.parse(leaf.output), referenceOutputs: JSON.parse(leaf.reference) };
      const result = await partResult(evaluators[leaf.key] as PartEvaluator, params, path);
      if (!(Number(result.score) >= 0 && Number(result.score) <= 1))
        throw invalidInput(
          `${path}: ${result.key} scored ${result.score}; the score of a value runs from 0 to 1`,
        );
      return { leaf, result: { path, ...result } };
    }),
  );
  const scores = Float64Array.from(scored, ({ result }) => Number(result.score));
  return (await (judged?.(pair, scores) ?? match.results(bytes, row.second, scores))).map((result) => {
    const own = scored.filter(({ leaf }) => aggregator || result.key === `json_match:${leaf.key}`);
    return own.length ? withLeaves(result, own, aggregator === undefined && own.length === 1) : result;
  });
}

/** Adds what evaluators found to a result: their comments, a line each, and themselves to the metadata. */
function withLeaves(
  { comment, metadata, ...result }: EvaluatorResult,
  leaves: readonly ScoredLeaf[],
  isAlone: boolean,
): EvaluatorResult {
  const lines = leaves.flatMap(({ leaf, result }) => {
    const isFull = Number(result.score) === 1;
    const said = result.comment ?? (isFull ? undefined : `scored ${result.score}`);
    return said === undefined ? [] : [isAlone ? said : `${nameOf(leaf)}: ${said}`];
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

/** What comments call a value, as those of a rubric do. */
const nameOf = ({ key, element }: Leaf): string => (element === undefined ? key : `${key}_${element}`);

/** Where a value stands. Pairs of elements are listed by the side whose elements all have to find a partner. */
function pathOf({ key, element }: Leaf, mode: ListMatchMode): string {
  if (element === undefined) return memberPath("outputs", key);
  return memberPath(`${mode === "superset" ? "referenceOutputs" : "outputs"}[${element}]`, key);
}
