//! How likely a model found the tokens of its answer, as providers tell it.

use serde::{Deserialize, Serialize};

/// A token of an answer, with what could have stood in its place.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
pub struct AnswerToken {
    /// What was written.
    pub token: String,
    /// The likeliest tokens there, what was written among them if that is told: at most as many as were asked for.
    pub likely: Vec<TokenLogprob>,
}

/// How likely a token is.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
pub struct TokenLogprob {
    /// The token.
    pub token: String,
    /// The natural logarithm of its probability, as the provider has it: not above 0, if all is well.
    pub logprob: f64,
}
