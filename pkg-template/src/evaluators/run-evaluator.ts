/** Calls scorers and converts their return values to results. */

import { invalidInput, typedReading } from "../core/errors.js";
import { aFunction, aString, checkValue, required, show } from "../core/input/checks.js";
import { traced } from "../core/tracing/hook.js";
import type {
  EvaluatorResult,
  MultiResultScorerReturnType,
  SingleResultScorerReturnType,
} from "../core/types.js";

/** The return type of an evaluator, given the return type of its scorer. */
export type EvaluationResultType<Scored> = Scored extends
  | MultiResultScorerReturnType
  | Promise<MultiResultScorerReturnType>
  ? EvaluatorResult[]
  : EvaluatorResult;

type ScorerReturn = SingleResultScorerReturnType | MultiResultScorerReturnType;

/**
 * Calls a scorer and converts its return value to results. Packages built on `openevals`, such as `agentevals`, run
 * their evaluators with it.
 *
 * @param runName The name of the run in LangSmith's traces.
 * @param scorer Returns a score, `[score, comment, metadata]`, or an object with a score for each key.
 * @param feedbackKey The `key` of the result, unless the scorer returns an object of scores.
 * @param params The argument of the scorer.
 * @returns `{ key, score, comment, metadata }`, or a list of these for an object of scores.
 * @throws {@link OpenEvalsError} `invalid_input` if a score is neither a number nor a boolean.
 *
 * @example
 * ```ts
 * import { _runEvaluator } from "openevals-wasm/utils";
 *
 * const scorer = ({ outputs }: { outputs: string }) => outputs.length < 80;
 * console.log(await _runEvaluator("short", scorer, "short", { outputs: "Yes." })); // { key: "short", score: true }
 * ```
 */
export async function _runEvaluator<
  Params extends Record<string, unknown>,
  Returned extends ScorerReturn | Promise<ScorerReturn>,
>(
  runName: string,
  scorer: (params: Params) => Returned,
  feedbackKey: string,
  params?: Params,
  framework?: string,
): Promise<EvaluationResultType<Returned>> {
  return _runEvaluatorUntyped(runName, scorer, feedbackKey, params, framework, false);
}

/** Does the same as {@link _runEvaluator}; with `returnRawOutputs`, returns the scorer's value unchanged. */
export async function _runEvaluatorUntyped<
  Params extends Record<string, unknown>,
  Returned extends ScorerReturn | Promise<ScorerReturn>,
>(
  runName: string,
  scorer: (params: Params) => Returned,
  feedbackKey: string,
  params?: Params,
  framework?: string,
  returnRawOutputs?: boolean,
): Promise<any> {
  checkValue("runName", runName, required(aString));
  checkValue("scorer", scorer, required(aFunction));
  const run = async (params: Params) => {
    const scored = await scorer(params);
    return returnRawOutputs ? scored : resultsOf(feedbackKey, scored as ScorerReturn);
  };
  return traced(runName, run, { framework })(params ?? ({} as Params));
}

/** Splits the value of one key, as a scorer returns it, into score, reasoning, metadata and the id of the run. */
export function processScore(
  _key: string,
  value: boolean | number | ({ score: boolean | number } & Record<string, any>),
):
  | readonly [number | boolean, string | undefined, Record<string, unknown> | undefined, string | undefined]
  | readonly [number | boolean] {
  if (typeof value !== "object") return [value];
  return typedReading("processScore", () => {
    if (!value || !("score" in value)) throw invalidInput(`${show(value)} has no "score"`);
    const { score, reasoning, metadata, sourceRunId } = value;
    return [score, typeof reasoning === "string" ? reasoning : undefined, metadata, sourceRunId];
  });
}

function resultsOf(feedbackKey: string, scored: ScorerReturn): EvaluatorResult | EvaluatorResult[] {
  if (typeof scored !== "object" || Array.isArray(scored)) {
    const [score, comment, metadata] = Array.isArray(scored) ? scored : [scored];
    return result(feedbackKey, { score, comment, metadata });
  }
  return Object.entries(scored ?? {}).map(([key, value]) => {
    if (typeof value !== "object" || value === null) return result(key, { score: value });
    const { reasoning, ...rest } = value;
    return result(key, { ...rest, comment: reasoning });
  });
}

/** Makes a result, without the fields that are `undefined`. */
function result(key: string, fields: { [field in keyof EvaluatorResult]?: unknown }): EvaluatorResult {
  const { score, comment, metadata, sourceRunId } = fields;
  if (typeof score !== "number" && typeof score !== "boolean") {
    throw invalidInput(
      `The scorer of "${key}" returned ${score === null ? "null" : `a score of type ${typeof score}`}; a score is a number, true or false`,
    );
  }
  const optional = Object.entries({ comment, metadata, sourceRunId }).filter(
    ([, value]) => value !== undefined,
  );
  return { key, score, ...Object.fromEntries(optional) };
}
