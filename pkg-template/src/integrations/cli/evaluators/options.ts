import type { Values } from "../options.js";
import { JSON_RESULT } from "../shared-options.js";

export const EVALUATORS = { ...JSON_RESULT };

export type EvaluatorsOptions = Values<typeof EVALUATORS>;
