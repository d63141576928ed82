//! Eval Recipes: evaluations of an assistant's answer that take several questions to a model, after Microsoft's
//! package of that name.
//!
//! | recipe | what it finds out |
//! | --- | --- |
//! | [`CheckCriteria`] | how likely the answer meets each of the caller's criteria |
//! | [`ClaimVerification`] | which claims of the answer its sources support |
//! | [`Guidance`] | how well it deals with a request that is beyond the assistant's capabilities |
//! | [`CapabilityManifest`] | what these are: no evaluation, but what `Guidance` goes by |
//! | [`PreferenceAdherence`] | whether it is as the user has said that answers should be |
//! | [`ToolUsage`] | whether tools were called that should be |
//!
//! The package finds the texts in the messages, and brings the questions: prompts, each with the schema of its answer.
//! A recipe is made of these once, and run with the texts. What is asked in which order, and what follows from the
//! answers, is decided here. Scores go from 0 to 100.

mod capability_manifest;
mod check_criteria;
mod claim_verification;
mod feedback;
mod guidance;
mod preference_adherence;
mod question;
mod sentences;
mod tool_usage;

pub use capability_manifest::{CapabilityManifest, DescribedAssistant, DescribedTool, Manifest};
pub use check_criteria::{CheckCriteria, CheckCriteriaConfig, CheckCriteriaInput, CheckCriteriaResult};
pub use claim_verification::{
    ClaimVerification, ClaimVerificationConfig, ClaimVerificationInput, ClaimVerificationResult, Report,
    VerifiedClaim,
};
pub use guidance::{Guidance, GuidanceConfig, GuidanceRequest, GuidanceResult};
pub use preference_adherence::{
    PreferenceAdherence, PreferenceAdherenceConfig, PreferenceAdherenceInput, PreferenceAdherenceResult,
};
pub use question::RecipeQuestion;
pub use tool_usage::{ToolUsage, ToolUsageConfig, ToolUsageInput, ToolUsageResult};

use crate::scale::{Scales, ScoreScale};

/// What their scores mean, by the keys of results.
pub const SCALES: &Scales = &[
    ("check_criteria", ScoreScale::PERCENTAGE),
    ("claim_verification", ScoreScale::PERCENTAGE),
    ("guidance", ScoreScale::PERCENTAGE),
    ("preference_adherence", ScoreScale::PERCENTAGE),
    ("tool_usage", ScoreScale::PERCENTAGE),
];

#[cfg(test)]
mod tests;
