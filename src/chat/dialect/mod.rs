//! How each API wants to be asked, and how it answers.

mod ollama;
mod openai;

use super::{ChatRequest, Completion, Message, ProviderOptions, Usage};
use crate::json::{Draft, Json, Number};

/// A family of APIs. Which provider speaks which is a table of the package (`providers.ts`).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Dialect {
    /// The chat completions of OpenAI.
    OpenAi,
    /// The same as others offer it.
    OpenAiCompatible,
    /// The chat of Ollama.
    Ollama,
}

impl Dialect {
    /// The dialect of this name in the table of the package.
    pub fn named(name: &str) -> Option<Self> {
        match name {
            "openai" => Some(Self::OpenAi),
            "openai-compatible" => Some(Self::OpenAiCompatible),
            "ollama" => Some(Self::Ollama),
            _ => None,
        }
    }

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

    /// The body of a request.
    pub(super) fn body(self, options: &ProviderOptions, request: &ChatRequest<'_>) -> Draft {
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
    let texts =
        [error.and_then(|error| get(error, "message")), error, get(answer, "message"), get(answer, "detail")];
    texts.into_iter().flatten().find_map(text)
}

/// What every body begins with.
fn model_and_messages(options: &ProviderOptions, request: &ChatRequest<'_>) -> Draft {
    let messages = Draft::list(request.messages.iter().map(Message::to_json));
    Draft::object([("model", options.model.as_str().into()), ("messages", messages)])
}

fn get<'j, 'v>(value: &'j Json<'v>, key: &str) -> Option<&'j Json<'v>> {
    value.as_object()?.get(key)
}

fn text(value: &Json<'_>) -> Option<String> {
    value.as_str().map(str::to_owned)
}

/// Counts of tokens; unknown unless both are there.
fn usage(input: Option<&Json<'_>>, output: Option<&Json<'_>>) -> Option<Usage> {
    let count = |value: Option<&Json<'_>>| match value {
        Some(Json::Number(Number::Integer(count))) => u64::try_from(*count).ok(),
        _ => None,
    };
    Some(Usage { input_tokens: count(input)?, output_tokens: count(output)? })
}
