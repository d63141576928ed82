/** The models that answer the questions of recipes. */

import type { EngineModel } from "../../models/chat/chat.js";
import { withAccessOf } from "../../models/chat/check-access.js";
import type { Bindings } from "../../openevals-judges.js";
import { openJudge } from "../judge/model.js";
import type { BaseEvaluatorConfig } from "./types.js";

/** Opens a model in the engine. */
export type Opener = (bindings: Bindings) => EngineModel;

/** The model of evaluators that are given none. */
export const DEFAULT_MODEL = "openai:gpt-5.4";

/** What answers the questions of an evaluator with this configuration. */
export function openerFor({ model, judge, cacheKey, structuredOutputMethod }: BaseEvaluatorConfig): Opener {
  const how = { cacheKey, structuredOutputMethod };
  const isNamed = model === undefined || typeof model === "string";
  const opened = isNamed
    ? openJudge({ judge: judge ?? undefined, model: model ?? DEFAULT_MODEL, ...how })
    : openJudge({ judge: model, model: undefined, ...how }, "model");
  return withAccessOf(opened.open, [opened]);
}
