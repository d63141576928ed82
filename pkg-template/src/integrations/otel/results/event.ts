/** Results as events of OpenTelemetry's GenAI conventions. */

import { invalidInput, isOurs, typedReading } from "../../../core/errors.js";
import { show } from "../../../core/input/checks.js";
import { isPassing } from "../../../core/passing.js";
import { isScore, scoreOf } from "../../../core/records/score.js";
import type { EvaluationResult } from "../../../core/records/types.js";
import type { ScoreScale } from "../../../core/types.js";

/** The name of the event. */
export const EVENT = "gen_ai.evaluation.result";

/** Without a scale, only boolean scores pass or fail. */
const NO_MARK: ScoreScale = { direction: "higher" };

/** A result of an evaluator, or its error. */
export interface RecordedResult {
  key: string;
  /** `null` if the evaluator does not apply. */
  score?: number | boolean | null | undefined;
  /** `false` if the evaluator does not apply. */
  applicable?: boolean | undefined;
  /** A value that is not a score. It is not exported. */
  value?: unknown;
  comment?: string | undefined;
  /** The scale of the score, such as `scale` of its evaluator. With a pass mark, numbers get a label, too. */
  scale?: ScoreScale | undefined;
  /** The error of a failed evaluator; `error.type` is its code or the name of its class. */
  error?: unknown;
}

/** The attributes of an event. */
export type EventAttributes = Record<string, string | number>;

/** The attributes of an event for each result. */
export function eventsOf(
  caller: string,
  results: RecordedResult | readonly RecordedResult[],
  responseId: string | undefined,
): EventAttributes[] {
  return typedReading(caller, () =>
    [results].flat().map((result, index) => attributesOf(result, index, responseId)),
  );
}

/**
 * Booleans, and numbers with a pass mark, also get a label. The conventions require a value and a label only if they apply, so an
 * evaluation that failed or does not apply has neither.
 */
function attributesOf(
  result: RecordedResult,
  index: number,
  responseId: string | undefined,
): EventAttributes {
  const { key, score, applicable, value, comment, error, scale = NO_MARK } = Object(result) as RecordedResult;
  const invalid = (problem: string) => invalidInput(`results[${index}]${problem}`);
  if (typeof key !== "string") throw invalid(` is ${show(result)}; it has to be a result with a key`);
  if (!isScore(score)) throw invalid(`.score is ${show(score)}; a score is true, false or a finite number`);
  const hasFailed = error !== undefined && error !== null;
  if (score === undefined && value === undefined && applicable !== false && !hasFailed)
    throw invalid(" has no score. Add one, or applicable: false if there is none");
  const measured = hasFailed ? undefined : scoreOf(result as EvaluationResult);
  const verdict = measured === undefined ? undefined : isPassing(measured, scale);
  return {
    "gen_ai.evaluation.name": key,
    ...(measured !== undefined && { "gen_ai.evaluation.score.value": Number(measured) }),
    ...(verdict !== undefined && { "gen_ai.evaluation.score.label": verdict ? "pass" : "fail" }),
    ...(typeof comment === "string" && comment && { "gen_ai.evaluation.explanation": comment }),
    ...(responseId !== undefined && { "gen_ai.response.id": responseId }),
    ...(hasFailed && { "error.type": errorType(error) }),
  };
}

/** The class of an error, never its message, which may contain anything. */
function errorType(error: unknown): string {
  if (isOurs(error)) return error.code;
  const { code, name } = Object(error) as { code?: unknown; name?: unknown };
  return [code, name].find((each): each is string => typeof each === "string" && each !== "") ?? "_OTHER";
}
