/** Eval Recipes: evaluations of an assistant's answers that take several questions to a model. */

export {
  CheckCriteriaEvaluator,
  type CheckCriteriaEvaluatorConfig,
  type CheckCriteriaInput,
  type CheckCriteriaResult,
} from "./check-criteria.js";
export {
  ClaimVerificationEvaluator,
  type ClaimVerificationEvaluatorConfig,
  type ClaimVerificationInput,
  type ClaimVerificationMetrics,
  type VerifiedClaim,
} from "./claim-verification.js";
export { type BuiltInConfigs, type EvaluateOptions, type EvaluationName, evaluate } from "./evaluate.js";
export {
  type CapabilityManifestOptions,
  GuidanceEvaluator,
  type GuidanceEvaluatorConfig,
  type GuidanceInput,
  type GuidanceResult,
  generateCapabilityManifest,
} from "./guidance.js";
export {
  PreferenceAdherenceEvaluator,
  type PreferenceAdherenceEvaluatorConfig,
  type PreferenceAdherenceInput,
  type PreferenceAdherenceResult,
} from "./preference-adherence.js";
export type { ReasoningEffort } from "./reasoning-effort.js";
export {
  ToolUsageEvaluator,
  type ToolUsageEvaluatorConfig,
  type ToolUsageInput,
  type ToolUsageResult,
  type ToolUsageTool,
} from "./tool-usage.js";
export type * from "./types.js";
