/** Evaluators that are parts of others: of combinations, guards and JSON match. */

import { inPlace, invalidInput } from "../../core/errors.js";
import { checkedParams } from "../../core/input/checked-params.js";
import { sumOfUsage } from "../../core/records/usage.js";
import type { EvaluatorResult, ScoreScale } from "../../core/types.js";
import { readResults } from "./read-results.js";

/** The return value of a part: a result, a list of one result, or a bare score. */
export type PartReturn = EvaluatorResult | readonly EvaluatorResult[] | number | boolean;

/** An evaluator as part of another: any evaluator of this package that takes a row, judges included, or a function. */
export type PartEvaluator = (params: any) => PartReturn | Promise<PartReturn>;

/** The name of a part, as far as it is known before the first result; otherwise an empty string. */
export function partName(evaluator: PartEvaluator): string {
  const { key, feedbackKey, name } = evaluator as { key?: unknown; feedbackKey?: unknown; name?: unknown };
  const found = key ?? feedbackKey ?? name;
  return typeof found === "string" ? found : "";
}

/**
 * Calls a part.
 *
 * @param place The place of the part in errors.
 * @throws {@link OpenEvalsError} The part's error, with its place in the message; a failure is never a score.
 */
export async function partResult(
  evaluator: PartEvaluator,
  params: unknown,
  place: string,
): Promise<EvaluatorResult> {
  try {
    const input = typeof params === "object" && params ? checkedParams(params) : params;
    return onlyResult(await evaluator(input), evaluator);
  } catch (thrown) {
    throw inPlace(place, thrown);
  }
}

/** Reads the only result of a part. */
export function onlyResult(returned: unknown, evaluator: PartEvaluator): EvaluatorResult {
  const label = partName(evaluator) || "score";
  const [result, ...more] = readResults(returned, label, (evaluator as { scale?: ScoreScale }).scale);
  if (!result || more.length) {
    throw invalidInput(
      `${label} returned ${result ? more.length + 1 : "no"} results; a part needs exactly one. Combine several with an aggregator`,
    );
  }
  if (result.score == null)
    throw invalidInput(`${label} does not apply, or has only a value; a part needs a score`);
  return result as EvaluatorResult;
}

/** The metadata of a combined result: its own, its parts and their total usage. */
export function metadataOfParts(
  parts: readonly EvaluatorResult[],
  metadata?: Record<string, unknown>,
): Record<string, unknown> {
  const usage = sumOfUsage([metadata, ...parts.map((part) => part.metadata)]);
  return { ...metadata, ...(usage && { usage }), parts };
}
