/** Eval Recipes: evaluations of an assistant's answers that take several questions to a model. */

export type { PassOptions, ScoreScale } from "../../core/scale.js";
export type {
  CheckCriteriaInput,
  CheckCriteriaResult,
  ClaimSource,
  ClaimVerificationInput,
  ClaimVerificationMetrics,
  GuidanceResult,
  PreferenceAdherenceInput,
  PreferenceAdherenceResult,
  ToolUsageInput,
  ToolUsageResult,
  ToolUsageTool,
  VerifiedClaim,
} from "../../openevals.types.js";
export { type CapabilityManifestOptions, generateCapabilityManifest } from "./capability-manifest.js";
export { CheckCriteriaEvaluator, type CheckCriteriaEvaluatorConfig } from "./check-criteria.js";
export { ClaimVerificationEvaluator, type ClaimVerificationEvaluatorConfig } from "./claim-verification.js";
export { type BuiltInConfigs, type EvaluateOptions, type EvaluationName, evaluate } from "./evaluate.js";
export { type FormatOptions, formatConversation, formatFullHistory } from "./format.js";
export { GuidanceEvaluator, type GuidanceEvaluatorConfig, type GuidanceInput } from "./guidance.js";
export {
  PreferenceAdherenceEvaluator,
  type PreferenceAdherenceEvaluatorConfig,
} from "./preference-adherence.js";
export type { ReasoningEffort } from "./reasoning-effort.js";
export { ToolUsageEvaluator, type ToolUsageEvaluatorConfig } from "./tool-usage.js";
export type * from "./types.js";
