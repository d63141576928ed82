/** The models that answer the questions of recipes. */

import { type EngineModel, initChatModel } from "../chat/chat.js";
import type { Bindings } from "../engine/engine.js";
import { openJudge } from "../judge/model.js";
import { TIMEOUT_MS } from "./reasoning-effort.js";
import type { BaseEvaluatorConfig } from "./types.js";

/** Opens a model in the engine. */
export type Opener = (bindings: Bindings) => EngineModel;

/** The model of evaluators that are given none. */
export const DEFAULT_MODEL = "openai:gpt-5.4";

/** What answers the questions of an evaluator with this configuration. */
export function openerFor({ model, judge, cacheKey }: BaseEvaluatorConfig): Opener {
  const isNamed = model === undefined || typeof model === "string";
  if (isNamed && judge != null) return openJudge({ judge, model, cacheKey }).open;
  const asked = isNamed ? initChatModel(model ?? DEFAULT_MODEL, { timeoutMs: TIMEOUT_MS }) : model;
  return openJudge({ judge: asked, model: undefined, cacheKey }, "model").open;
}
