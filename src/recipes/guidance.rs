//! Requests that are beyond an assistant's capabilities, and how it deals with them.

use super::question::{Meter, Question, RecipeQuestion};
use crate::chat::{ChatModel, Usage};
use crate::error::Result;
use crate::json::{self, Number};
use serde::{Deserialize, Serialize};

/// Up to this score, why it was given is worth telling whoever writes the next answer.
const POOR: f64 = 50.0;

/// What there is to say where the model gives no reason.
const NOT_GRACEFUL: &str = "The request is out of scope, and the assistant does not deal with it gracefully.";

/// The options of [`Guidance`], and its questions.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
pub struct GuidanceConfig {
    /// From which probability on, in percent, a request is in scope.
    #[cfg_attr(target_arch = "wasm32", tsify(type = "number"))]
    pub in_scope_probability_threshold: Number<'static>,
    /// Whether the assistant has the capabilities that a request takes.
    pub scope: RecipeQuestion,
    /// How well the assistant deals with a request that is beyond its capabilities.
    pub handling: RecipeQuestion,
}

/// A request, and what the assistant made of it.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
pub struct GuidanceRequest {
    /// The conversation up to the request, which is the last message of the user.
    pub conversation_history_beginning_turn: String,
    /// The conversation with what the assistant said and did then.
    pub conversation_history_full: String,
    /// What the assistant can do and what it cannot.
    pub capability_manifest: String,
    /// What it took to generate the manifest, if that counts here.
    pub usage: Option<Usage>,
}

/// Whether a request is in scope, and why.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all(serialize = "camelCase"))]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
pub struct ScopeReasoning {
    /// What the user wants, and which capabilities could serve that.
    pub capabilities_analysis: String,
    /// Whether these are enough.
    pub sufficient_capabilities: String,
    /// What speaks for and against that the request is in scope.
    pub in_scope_reasoning: String,
    /// How likely it is, from 0 to 100.
    #[cfg_attr(target_arch = "wasm32", tsify(type = "number"))]
    pub is_in_scope_probability: Number<'static>,
}

/// What `GuidanceEvaluator.run` finds out.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
pub struct GuidanceResult {
    /// Whether there was anything to evaluate.
    pub applicable: bool,
    /// From 0 to 100; 0 where there was nothing to evaluate.
    pub score: f64,
    /// What could be better.
    #[cfg_attr(target_arch = "wasm32", tsify(optional))]
    pub feedback: Option<String>,
    /// How the request was dealt with, where it is out of scope.
    #[cfg_attr(target_arch = "wasm32", tsify(optional))]
    pub reasoning: Option<String>,
    /// Whether the request is in scope, and why.
    pub is_in_scope_reasoning: ScopeReasoning,
    /// The capability manifest, where it was generated.
    #[cfg_attr(target_arch = "wasm32", tsify(optional))]
    pub capability_manifest: Option<String>,
    /// The tokens that were used, where the provider tells.
    #[cfg_attr(target_arch = "wasm32", tsify(optional))]
    pub usage: Option<Usage>,
}

/// What a model answers about how a request was dealt with.
#[derive(Deserialize)]
struct Handling {
    reasoning: String,
    score: Number<'static>,
}

/// Compares requests with capabilities.
pub struct Guidance {
    in_scope_probability_threshold: Number<'static>,
    scope: Question,
    handling: Question,
}

impl Guidance {
    /// Reads the options and the questions.
    pub fn new(config: GuidanceConfig) -> Result<Self> {
        Ok(Self {
            in_scope_probability_threshold: config.in_scope_probability_threshold,
            scope: Question::new("scope", config.scope)?,
            handling: Question::new("handling", config.handling)?,
        })
    }

    /// Asks whether the request is in scope. If it is not, asks how well it was dealt with, which is the score.
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
            let is_told = !handling.reasoning.trim().is_empty();
            let told = if is_told { &handling.reasoning } else { NOT_GRACEFUL };
            result.feedback = (result.score <= POOR).then(|| told.to_owned());
            result.reasoning = Some(handling.reasoning);
        }
        result.usage = meter.read();
        Ok(result)
    }
}

#[cfg(test)]
mod tests;
