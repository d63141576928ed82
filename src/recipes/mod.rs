//! Eval Recipes: evaluations of an assistant's answer that need several requests to a model, after
//! Microsoft's package of that name.
//!
//! | recipe | what it evaluates |
//! | --- | --- |
//! | [`CheckCriteria`] | how likely the answer meets each of the caller's criteria |
//! | [`ClaimVerification`] | which claims of the answer its sources support |
//! | [`Guidance`] | how well the assistant handles requests that exceed its capabilities |
//! | [`CapabilityManifest`] | what these capabilities are, as input to `Guidance` |
//! | [`PreferenceAdherence`] | whether the answer follows the preferences that the user stated |
//! | [`ToolUsage`] | whether the right tools were called |
//!
//! The package extracts the texts from messages, and provides the prompts with the schemas of their answers.
//! A recipe is made from these once, and run with the texts. This module decides the order of requests and
//! computes the scores, which range from 0 to 100.

mod capability_manifest;
mod check_criteria;
pub(crate) mod claim_verification;
mod feedback;
mod guidance;
mod preference_adherence;
pub(crate) mod question;
pub(crate) mod sentences;
mod tool_usage;

pub use capability_manifest::{CapabilityManifest, DescribedAssistant, DescribedTool, Manifest};
pub use check_criteria::{CheckCriteria, CheckCriteriaConfig, CheckCriteriaInput, CheckCriteriaResult};
pub use claim_verification::{
    ClaimVerification, ClaimVerificationConfig, ClaimVerificationInput, ClaimVerificationResult,
    ItemQuestionConfig, Report, VerifiedClaim,
};
pub use guidance::{Guidance, GuidanceConfig, GuidanceRequest, GuidanceResult};
pub use preference_adherence::{
    PreferenceAdherence, PreferenceAdherenceConfig, PreferenceAdherenceInput, PreferenceAdherenceResult,
};
pub use question::RecipeQuestion;
pub use tool_usage::{ToolUsage, ToolUsageConfig, ToolUsageInput, ToolUsageResult};

use crate::scale::{Scales, ScoreScale};

/// The score scales, by result key.
pub const SCALES: &Scales = &[
    ("check_criteria", ScoreScale::PERCENTAGE),
    ("claim_verification", ScoreScale::PERCENTAGE),
    ("guidance", ScoreScale::PERCENTAGE),
    ("preference_adherence", ScoreScale::PERCENTAGE),
    ("tool_usage", ScoreScale::PERCENTAGE),
];

#[cfg(test)]
mod tests;
