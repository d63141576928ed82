/** Evaluators as parts of others: of combinations, of guards, of a JSON match. */

import { inPlace, invalidInput } from "../../core/errors.js";
import { sumOfUsage } from "../../core/records/usage.js";
import type { EvaluatorResult } from "../../core/types.js";
import { readResults } from "./results.js";

/** What a part may return: a result, a list of one, or a bare score. */
export type PartReturn = EvaluatorResult | readonly EvaluatorResult[] | number | boolean;

/** An evaluator that others are made of: any of this package that is called with a row, judges included, or a function. */
export type PartEvaluator = (params: any) => PartReturn | Promise<PartReturn>;

/** What a part is called, as far as that is known before it has scored anything. */
export function partName(evaluator: PartEvaluator): string {
  const {
    key,
    feedbackKey = key,
    name,
  } = evaluator as { key?: unknown; feedbackKey?: unknown; name?: unknown };
  const found = key ?? feedbackKey ?? name;
  return typeof found === "string" ? found : "";
}

/**
 * Calls a part.
 *
 * @param place Where the part stands, for errors.
 * @throws {@link OpenEvalsError} What it failed with, said of its place; a failure is never a score.
 */
export async function partResult(
  evaluator: PartEvaluator,
  params: unknown,
  place: string,
): Promise<EvaluatorResult> {
  try {
    return onlyResult(await evaluator(params), evaluator);
  } catch (thrown) {
    throw inPlace(place, thrown);
  }
}

/** The result in what a part returned. */
export function onlyResult(returned: unknown, evaluator: PartEvaluator): EvaluatorResult {
  const label = partName(evaluator) || "score";
  const [result, ...more] = readResults(returned, label);
  if (!result || more.length) {
    throw invalidInput(
      `${label} returned ${result ? more.length + 1 : "no"} results, and a part has one: an aggregator makes one of several`,
    );
  }
  if (result.score == null) throw invalidInput(`${label} returned a result without a score`);
  return result as EvaluatorResult;
}

/** The metadata of what is made of parts: the parts, and what they used together, so that it is counted. */
export function metadataOfParts(
  parts: readonly EvaluatorResult[],
  own?: Record<string, unknown>,
): Record<string, unknown> {
  const usage = sumOfUsage([own, ...parts.map((part) => part.metadata)]);
  return { ...own, ...(usage && { usage }), parts };
}
