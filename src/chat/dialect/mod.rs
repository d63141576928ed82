//! How each API wants to be asked, and how it answers.

mod ollama;
mod openai;

use super::{ChatRequest, Completion, ProviderOptions, Usage};
use crate::json::{self, Json, Number};
use serde::Deserialize;

/// A family of APIs. Which provider speaks which is a table of the package (`providers.ts`).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
pub enum Dialect {
    /// The chat completions of OpenAI.
    #[serde(rename = "openai")]
    OpenAi,
    /// The same as others offer it.
    #[serde(rename = "openai-compatible")]
    OpenAiCompatible,
    /// The chat of Ollama.
    #[serde(rename = "ollama")]
    Ollama,
}

impl Dialect {
    /// Where requests go, below the base URL.
    pub(super) fn path(self) -> &'static str {
        match self {
            Self::OpenAi | Self::OpenAiCompatible => "/chat/completions",
            Self::Ollama => "/api/chat",
        }
    }

    /// The header that carries the key.
    pub(super) fn key_header(self, key: &str) -> (String, String) {
        match self {
            Self::OpenAi | Self::OpenAiCompatible | Self::Ollama => {
                ("authorization".to_owned(), format!("Bearer {key}"))
            }
        }
    }

    /// The body of a request, as JSON text.
    pub(super) fn body(
        self,
        options: &ProviderOptions,
        request: &ChatRequest<'_>,
    ) -> serde_json::Result<String> {
        match self {
            Self::OpenAi | Self::OpenAiCompatible => openai::body(self, options, request),
            Self::Ollama => ollama::body(options, request),
        }
    }

    /// The completion in an answer; `None` if there is none in it.
    pub(super) fn read(self, answer: &Json<'_>) -> Option<Completion> {
        match self {
            Self::OpenAi | Self::OpenAiCompatible => openai::read(answer),
            Self::Ollama => ollama::read(answer),
        }
    }
}

/// What an answer with an error says about it, in any of the forms that are in use.
pub(super) fn error_message(answer: &Json<'_>) -> Option<String> {
    let error = get(answer, "error");
    let texts = [
        error.and_then(|error| get(error, "message")),
        error,
        get(answer, "message"),
        get(answer, "detail"),
    ];
    texts.into_iter().flatten().find_map(text)
}

fn get<'j, 'v>(value: &'j Json<'v>, key: &str) -> Option<&'j Json<'v>> {
    value.as_object()?.get(key)
}

fn text(value: &Json<'_>) -> Option<String> {
    value.as_str().map(|text| json::without_lone_surrogates(text).into_owned())
}

/// Counts of tokens; unknown unless both are there.
fn usage(input: Option<&Json<'_>>, output: Option<&Json<'_>>) -> Option<Usage> {
    let count = |value: Option<&Json<'_>>| match value {
        Some(Json::Number(Number::Integer(count))) => u64::try_from(*count).ok(),
        _ => None,
    };
    Some(Usage { input_tokens: count(input)?, output_tokens: count(output)? })
}
