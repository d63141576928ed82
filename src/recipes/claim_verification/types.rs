//! What goes into the verification of claims, and what comes out of it.

use super::super::RecipeQuestion;
use crate::chat::Usage;
use crate::json::Number;
use serde::{Deserialize, Serialize};

/// The options of [`ClaimVerification`](super::ClaimVerification), and its questions.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
pub struct ClaimVerificationConfig {
    /// From which probability on, in percent, a claim is supported.
    #[cfg_attr(target_arch = "wasm32", tsify(type = "number"))]
    pub verification_threshold: Number<'static>,
    /// From which probability on, in percent, a claim is open-domain.
    #[cfg_attr(target_arch = "wasm32", tsify(type = "number"))]
    pub is_open_domain_threshold: Number<'static>,
    /// How many questions are asked at the same time.
    #[cfg_attr(target_arch = "wasm32", tsify(type = "number"))]
    pub max_concurrency: Number<'static>,
    /// Whether a sentence states anything that can be checked, and what.
    pub selection: ItemQuestionConfig,
    /// What a sentence means where it stands.
    pub disambiguation: ItemQuestionConfig,
    /// The single claims of a sentence.
    pub decomposition: ItemQuestionConfig,
    /// Whether the sources bear out a claim, and if not, whether they would have to.
    pub verification: ItemQuestionConfig,
}

/// A question about one sentence or claim, or about several at once.
#[derive(Debug, Clone, Deserialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
pub struct ItemQuestionConfig {
    /// About one.
    pub one: RecipeQuestion,
    /// About several, which are numbered from 1. The answer is `{ answers }`: an answer for each, with its `number`.
    pub several: RecipeQuestion,
}

/// What `ClaimVerificationEvaluator.run` verifies.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
pub struct ClaimVerificationInput {
    /// The answer whose claims are verified.
    pub text: String,
    /// What it answers.
    pub user_question: String,
    /// What it could go by.
    #[cfg_attr(target_arch = "wasm32", tsify(type = "readonly ClaimSource[]"))]
    pub source_context: Vec<ClaimSource>,
}

/// Something that an answer could go by.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
pub struct ClaimSource {
    /// What citations call it; no two sources have the same.
    pub source_id: String,
    /// What it is.
    pub title: String,
    /// Its text. Lines of it are cited.
    pub content: String,
}

/// A claim of the answer, verified.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
pub struct VerifiedClaim {
    /// The sentence that makes the claim.
    pub sentence: String,
    /// Where the sentence begins: `text.slice(startIndex, endIndex)` is the sentence.
    pub start_index: usize,
    /// Where it ends.
    pub end_index: usize,
    /// The claim, so that it can be understood alone; what explains it stands in square brackets.
    pub claim: String,
    /// Why the sources support it, or why not.
    pub proof: String,
    /// The passages that support it; empty if none do.
    pub citations: Vec<ClaimCitation>,
    /// How likely the sources support it, from 0 to 100.
    #[cfg_attr(target_arch = "wasm32", tsify(type = "number"))]
    pub verified_probability: Number<'static>,
    /// Why it needs a source, or why not, if the sources do not support it.
    pub open_domain_justification: String,
    /// How likely it needs no source, from 0 to 100: the metrics go by this.
    #[cfg_attr(target_arch = "wasm32", tsify(type = "number"))]
    pub open_domain_probability: Number<'static>,
    /// Whether it needs no source, as the model decided.
    pub is_open_domain: bool,
    /// The citations of sources or lines that do not exist, if there are any. Of those that exist in part, the part is
    /// among the `citations`. They do not change the probabilities, but they are reason to doubt the model.
    #[cfg_attr(target_arch = "wasm32", tsify(optional))]
    pub invalid_citations: Option<Vec<InvalidCitation>>,
}

/// A passage of a source.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
pub struct ClaimCitation {
    /// The id of the source.
    pub source_id: String,
    /// Its lines that are cited.
    pub cited_text: String,
}

/// A citation of lines that do not exist, or not all of them.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
pub struct InvalidCitation {
    /// What was given as the id of a source.
    pub source_id: String,
    /// The first line, counted from 0.
    #[cfg_attr(target_arch = "wasm32", tsify(type = "number"))]
    pub start_range: Number<'static>,
    /// The line after the last one.
    #[cfg_attr(target_arch = "wasm32", tsify(type = "number"))]
    pub end_range: Number<'static>,
}

/// What all claims of an answer come to. Closed-domain claims are those that need a source.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
pub struct ClaimVerificationMetrics {
    /// How many claims there are.
    pub total_claims: usize,
    /// The percentage of the closed-domain claims that the sources support; 0 if there are no such claims.
    pub closed_domain_supported: f64,
    /// Whether the percentage means little: there are two claims or fewer, or more open- than closed-domain claims and
    /// less than 15 % supported.
    pub ignore_metric_recommended: bool,
    /// How many closed-domain claims the sources support.
    pub num_closed_domain_supported: usize,
    /// How many claims need no source.
    pub num_open_domain_claims: usize,
    /// How many do.
    pub total_claims_closed_domain: usize,
    /// The tokens that were used, where the provider tells.
    #[cfg_attr(target_arch = "wasm32", tsify(optional))]
    pub usage: Option<Usage>,
}

/// What is known of an answer once its claims are verified.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
pub struct ClaimVerificationResult {
    /// Whether the score means anything.
    pub applicable: bool,
    /// From 0 to 100; 0 where it means nothing.
    pub score: f64,
    /// What could be better.
    #[cfg_attr(target_arch = "wasm32", tsify(optional))]
    pub feedback: Option<String>,
    /// What all claims come to.
    pub metrics: ClaimVerificationMetrics,
    /// The claims, in the order of the text.
    pub claims: Vec<VerifiedClaim>,
}

/// What a model answers about a claim.
#[derive(Deserialize)]
pub struct Verdict {
    pub proof: String,
    pub citations: Vec<CitedLines>,
    pub verified_probability: Number<'static>,
    pub open_domain_justification: String,
    pub open_domain_probability: Number<'static>,
    pub is_open_domain: bool,
}

/// Lines of a source, as a model cites them: from the first to before the last, counted from 0.
#[derive(Deserialize)]
pub struct CitedLines {
    pub source_id: String,
    pub start_range: Number<'static>,
    pub end_range: Number<'static>,
}
