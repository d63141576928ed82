//! The options, input and result of claim verification.

use super::super::RecipeQuestion;
use crate::chat::Usage;
use crate::json::Number;
use serde::{Deserialize, Serialize};

/// The options of [`ClaimVerification`](super::ClaimVerification), and its requests.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
pub struct ClaimVerificationConfig {
    /// The lowest probability, in percent, at which a claim is supported.
    #[cfg_attr(target_arch = "wasm32", tsify(type = "number"))]
    pub verification_threshold: Number<'static>,
    /// The lowest probability, in percent, at which a claim is open-domain.
    #[cfg_attr(target_arch = "wasm32", tsify(type = "number"))]
    pub is_open_domain_threshold: Number<'static>,
    /// The maximum number of concurrent requests.
    #[cfg_attr(target_arch = "wasm32", tsify(type = "number"))]
    pub max_concurrency: Number<'static>,
    /// Selects the verifiable content of a sentence.
    pub selection: ItemQuestionConfig,
    /// Resolves the ambiguities of a sentence.
    pub disambiguation: ItemQuestionConfig,
    /// Splits a sentence into single claims.
    pub decomposition: ItemQuestionConfig,
    /// Asks whether the sources support a claim and, if not, whether it needs a source.
    pub verification: ItemQuestionConfig,
}

/// A request about one sentence or claim, or about several.
#[derive(Debug, Clone, Deserialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
pub struct ItemQuestionConfig {
    /// The request about one item.
    pub one: RecipeQuestion,
    /// The request about several items, numbered from 1. The answer is `{ answers }`, with a `number` in
    /// each.
    pub several: RecipeQuestion,
}

/// The input of `ClaimVerificationEvaluator.run`.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
pub struct ClaimVerificationInput {
    /// The answer whose claims are verified.
    pub text: String,
    /// The question that the text answers.
    pub user_question: String,
    /// The sources of the answer.
    #[cfg_attr(target_arch = "wasm32", tsify(type = "readonly ClaimSource[]"))]
    pub source_context: Vec<ClaimSource>,
}

/// A source of an answer.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
pub struct ClaimSource {
    /// The id that citations use; unique among the sources.
    pub source_id: String,
    /// The title of the source.
    pub title: String,
    /// The text of the source, whose lines are cited.
    pub content: String,
}

/// A verified claim of the answer.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
pub struct VerifiedClaim {
    /// The sentence that makes the claim.
    pub sentence: String,
    /// The start of the sentence in UTF-16 code units: `text.slice(startIndex, endIndex)` is the sentence.
    pub start_index: usize,
    /// The end of the sentence, exclusive.
    pub end_index: usize,
    /// The claim as a self-contained sentence; added context is in square brackets.
    pub claim: String,
    /// Why the sources support the claim, or why not.
    pub proof: String,
    /// The passages that support the claim; empty if there are none.
    pub citations: Vec<ClaimCitation>,
    /// The probability that the sources support the claim, from 0 to 100.
    #[cfg_attr(target_arch = "wasm32", tsify(type = "number"))]
    pub verified_probability: Number<'static>,
    /// Why the claim needs a source, or why not; only for claims that the sources do not support.
    pub open_domain_justification: String,
    /// The probability that the claim needs no source, from 0 to 100. The metrics use it.
    #[cfg_attr(target_arch = "wasm32", tsify(type = "number"))]
    pub open_domain_probability: Number<'static>,
    /// Whether the claim needs no source, as the model decided.
    pub is_open_domain: bool,
    /// The citations with sources or lines that do not exist, if there are any. If some of the lines exist,
    /// these are also in `citations`. Invalid citations do not change the probabilities, but cast doubt on
    /// the model's verdict.
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
    /// The cited lines.
    pub cited_text: String,
}

/// A citation with lines that do not exist, or exist only in part.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
pub struct InvalidCitation {
    /// The source id that the model gave.
    pub source_id: String,
    /// The first line, counted from 0.
    #[cfg_attr(target_arch = "wasm32", tsify(type = "number"))]
    pub start_range: Number<'static>,
    /// The last line, exclusive.
    #[cfg_attr(target_arch = "wasm32", tsify(type = "number"))]
    pub end_range: Number<'static>,
}

/// Metrics over all claims of an answer. Closed-domain claims are those that need a source.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
pub struct ClaimVerificationMetrics {
    /// The number of claims.
    pub total_claims: usize,
    /// The percentage of closed-domain claims that the sources support, from 0 to 100; 0 without
    /// closed-domain claims.
    pub closed_domain_supported: f64,
    /// Whether the percentage is unreliable: there are at most two claims, or more open-domain than
    /// closed-domain claims with less than 15 % supported.
    pub ignore_metric_recommended: bool,
    /// The number of supported closed-domain claims.
    pub num_closed_domain_supported: usize,
    /// The number of open-domain claims, which need no source.
    pub num_open_domain_claims: usize,
    /// The number of closed-domain claims.
    pub total_claims_closed_domain: usize,
    /// The token usage, if the provider reports it.
    #[cfg_attr(target_arch = "wasm32", tsify(optional))]
    pub usage: Option<Usage>,
}

/// The result of a claim verification.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
pub struct ClaimVerificationResult {
    /// Whether the score is reliable.
    pub applicable: bool,
    /// The percentage of supported closed-domain claims, from 0 to 100; 0 if not applicable.
    pub score: f64,
    /// Possible improvements; absent if all claims are supported.
    #[cfg_attr(target_arch = "wasm32", tsify(optional))]
    pub feedback: Option<String>,
    /// The metrics over all claims.
    pub metrics: ClaimVerificationMetrics,
    /// The claims, in the order of the text.
    pub claims: Vec<VerifiedClaim>,
}

/// The model's answer about a claim.
#[derive(Deserialize)]
pub struct ClaimVerdict {
    pub proof: String,
    pub citations: Vec<CitedLines>,
    pub verified_probability: Number<'static>,
    pub open_domain_justification: String,
    pub open_domain_probability: Number<'static>,
    pub is_open_domain: bool,
}

/// The cited lines of a source: a range that excludes its end, counted from 0.
#[derive(Deserialize)]
pub struct CitedLines {
    pub source_id: String,
    pub start_range: Number<'static>,
    pub end_range: Number<'static>,
}
