/** Eval Recipes: evaluations of an assistant's answers that ask a model several questions. */

export type { PassOptions } from "../../core/passing.js";
export type { ScoreScale } from "../../core/types.js";
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
export {
  type BuiltInConfigs,
  type EvaluateRecipesOptions,
  type EvaluationName,
  evaluate,
} from "./evaluate.js";
export { type FormatConversationOptions, formatConversation, formatFullHistory } from "./format.js";
export { GuidanceEvaluator, type GuidanceEvaluatorConfig, type GuidanceInput } from "./guidance.js";
export {
  PreferenceAdherenceEvaluator,
  type PreferenceAdherenceEvaluatorConfig,
} from "./preference-adherence.js";
export type { ReasoningEffort } from "./reasoning-effort.js";
export { ToolUsageEvaluator, type ToolUsageEvaluatorConfig } from "./tool-usage.js";
export type * from "./types.js";

/** @deprecated The name is also that of the options of experiments. Use {@link EvaluateRecipesOptions}. */
export type EvaluateOptions = import("./evaluate.js").EvaluateRecipesOptions;
/** @deprecated The name is also that of the options of `formatExperiment()`. Use {@link FormatConversationOptions}. */
export type FormatOptions = import("./format.js").FormatConversationOptions;
