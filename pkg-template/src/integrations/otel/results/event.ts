/** Results as events of OpenTelemetry's GenAI conventions. */

import { invalidInput, isOurs, typedReading } from "../../../core/errors.js";
import { show } from "../../../core/input/checks.js";
import { isPassing, type ScoreScale } from "../../../core/passing.js";

/** The name of the event. */
export const EVENT = "gen_ai.evaluation.result";

/** Without a scale, only boolean scores pass or fail. */
const NO_MARK: ScoreScale = { direction: "higher" };

/** A result of an evaluator, or its error. */
export interface RecordedResult {
  key: string;
  score?: number | boolean | null | undefined;
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

/** Booleans, and numbers with a pass mark, also get a label. */
function attributesOf(
  result: RecordedResult,
  index: number,
  responseId: string | undefined,
): EventAttributes {
  const { key, score, comment, error, scale = NO_MARK } = Object(result) as RecordedResult;
  if (typeof key !== "string") {
    throw invalidInput(`results[${index}] is ${show(result)}; it has to be a result with a key`);
  }
  const isScore = typeof score === "boolean" || (typeof score === "number" && Number.isFinite(score));
  const verdict = isScore ? isPassing(score, scale) : undefined;
  return {
    "gen_ai.evaluation.name": key,
    ...(isScore && { "gen_ai.evaluation.score.value": Number(score) }),
    ...(verdict !== undefined && { "gen_ai.evaluation.score.label": verdict ? "pass" : "fail" }),
    ...(typeof comment === "string" && comment && { "gen_ai.evaluation.explanation": comment }),
    ...(responseId !== undefined && { "gen_ai.response.id": responseId }),
    ...(error !== undefined && { "error.type": errorType(error) }),
  };
}

/** The class of an error, never its message, which may contain anything. */
function errorType(error: unknown): string {
  if (isOurs(error)) return error.code;
  const { code, name } = Object(error) as { code?: unknown; name?: unknown };
  return [code, name].find((each): each is string => typeof each === "string" && each !== "") ?? "_OTHER";
}
