/** The models that answer the questions of recipes. */

import { type OpenJudge, openJudge } from "../judge/model.js";
import type { BaseEvaluatorConfig } from "./types.js";

/** The default model. */
export const DEFAULT_MODEL = "openai:gpt-5.4";

/** Opens the judge of an evaluator with this configuration. */
export function judgeFor({ model, judge, cacheKey, structuredOutputMethod }: BaseEvaluatorConfig): OpenJudge {
  const common = { cacheKey, structuredOutputMethod };
  const isNamed = model === undefined || typeof model === "string";
  return isNamed
    ? openJudge({ judge: judge ?? undefined, model: model ?? DEFAULT_MODEL, ...common })
    : openJudge({ judge: model, model: undefined, ...common }, "model");
}
