import type { Values } from "../arguments/options.js";
import { JSON_RESULT } from "../arguments/shared-options.js";

export const EVALUATORS = { ...JSON_RESULT };

export type EvaluatorsOptions = Values<typeof EVALUATORS>;
