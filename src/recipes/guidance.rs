//! Guidance: how an assistant handles requests that exceed its capabilities.

use super::question::{Meter, Question, RecipeQuestion};
use crate::chat::{ChatModel, Usage};
use crate::error::Result;
use crate::json::{self, Number};
use serde::{Deserialize, Serialize};

/// The highest score for which the feedback includes the model's reasoning.
const POOR: f64 = 50.0;

/// The feedback if the model gives no reason.
const NOT_GRACEFUL: &str = "The request is out of scope, and the assistant does not handle it gracefully.";

/// The options of [`Guidance`], and its requests.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
pub struct GuidanceConfig {
    /// The lowest probability, in percent, at which a request is in scope.
    #[cfg_attr(target_arch = "wasm32", tsify(type = "number"))]
    pub in_scope_probability_threshold: Number<'static>,
    /// Asks whether the assistant has the capabilities for a request.
    pub scope: RecipeQuestion,
    /// Asks how well the assistant handles a request that exceeds its capabilities.
    pub handling: RecipeQuestion,
}

/// A request with the assistant's response.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
pub struct GuidanceRequest {
    /// The conversation up to the request, which is the last message of the user.
    pub conversation_history_beginning_turn: String,
    /// The whole conversation, including the assistant's response to the request.
    pub conversation_history_full: String,
    /// The capability manifest: what the assistant can and cannot do.
    pub capability_manifest: String,
    /// The usage of generating the manifest, to be added to the result's.
    pub usage: Option<Usage>,
}

/// Whether a request is in scope, with the reasoning.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all(serialize = "camelCase"))]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
pub struct ScopeReasoning {
    /// The request of the user, and the capabilities that apply.
    pub capabilities_analysis: String,
    /// Whether these capabilities are sufficient.
    pub sufficient_capabilities: String,
    /// The arguments for and against the request being in scope.
    pub in_scope_reasoning: String,
    /// The probability that the request is in scope, from 0 to 100.
    #[cfg_attr(target_arch = "wasm32", tsify(type = "number"))]
    pub is_in_scope_probability: Number<'static>,
}

/// The result of `GuidanceEvaluator.run`.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
pub struct GuidanceResult {
    /// Whether the request is out of scope, so that there was something to evaluate.
    pub applicable: bool,
    /// How well the request was handled, from 0 to 100; 0 if not applicable.
    pub score: f64,
    /// Possible improvements.
    #[cfg_attr(target_arch = "wasm32", tsify(optional))]
    pub feedback: Option<String>,
    /// How the request was handled; only if it is out of scope.
    #[cfg_attr(target_arch = "wasm32", tsify(optional))]
    pub reasoning: Option<String>,
    /// Whether the request is in scope, with the reasoning.
    pub is_in_scope_reasoning: ScopeReasoning,
    /// The capability manifest, if it was generated.
    #[cfg_attr(target_arch = "wasm32", tsify(optional))]
    pub capability_manifest: Option<String>,
    /// The token usage, if the provider reports it.
    #[cfg_attr(target_arch = "wasm32", tsify(optional))]
    pub usage: Option<Usage>,
}

/// The model's answer about the handling of a request.
#[derive(Deserialize)]
struct Handling {
    reasoning: String,
    score: Number<'static>,
}

/// The recipe that evaluates guidance.
pub struct Guidance {
    in_scope_probability_threshold: Number<'static>,
    scope: Question,
    handling: Question,
}

impl Guidance {
    /// Prepares the options and the requests.
    pub fn new(config: GuidanceConfig) -> Result<Self> {
        Ok(Self {
            in_scope_probability_threshold: config.in_scope_probability_threshold,
            scope: Question::new("scope", config.scope)?,
            handling: Question::new("handling", config.handling)?,
        })
    }

    /// Asks whether the request is in scope. If not, asks how well it was handled; that is the score.
    pub async fn run(&self, model: &impl ChatModel, request: GuidanceRequest) -> Result<GuidanceResult> {
        let meter = Meter::from(request.usage);
        let manifest = ("capabilityManifest", request.capability_manifest.as_str());
        let beginning =
            ("conversationHistoryBeginningTurn", request.conversation_history_beginning_turn.as_str());
        let scope: ScopeReasoning =
            json::read(&self.scope.ask(model, &meter, &[manifest, beginning]).await?)?;
        let mut result = GuidanceResult {
            applicable: false,
            score: 0.0,
            feedback: None,
            reasoning: None,
            is_in_scope_reasoning: scope,
            capability_manifest: None,
            usage: None,
        };
        let probability = &result.is_in_scope_reasoning.is_in_scope_probability;
        if *probability < self.in_scope_probability_threshold {
            let conversation = ("conversationHistoryFull", request.conversation_history_full.as_str());
            let handling: Handling =
                json::read(&self.handling.ask(model, &meter, &[manifest, conversation]).await?)?;
            result.applicable = true;
            result.score = handling.score.to_f64();
            let has_reasoning = !handling.reasoning.trim().is_empty();
            let feedback = if has_reasoning { &handling.reasoning } else { NOT_GRACEFUL };
            result.feedback = (result.score <= POOR).then(|| feedback.to_owned());
            result.reasoning = Some(handling.reasoning);
        }
        result.usage = meter.read();
        Ok(result)
    }
}

#[cfg(test)]
mod tests;
