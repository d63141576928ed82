//! Token probabilities of a model's answer, as reported by providers.

use serde::{Deserialize, Serialize};

/// A token of an answer, with the likeliest alternatives.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
pub struct AnswerToken {
    /// The token that the model wrote.
    pub token: String,
    /// The likeliest tokens at this position, at most as many as were requested. Includes the written token
    /// if the provider reports it.
    pub likely: Vec<TokenLogprob>,
}

/// A token and its probability.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
pub struct TokenLogprob {
    /// The token.
    pub token: String,
    /// The natural logarithm of the probability, as the provider reports it. At most 0 in a valid answer.
    pub logprob: f64,
}
