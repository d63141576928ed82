//! How each API wants to be asked, and how it answers.

mod anthropic;
mod google;
mod ollama;
mod openai;
mod schema;

use super::{ChatRequest, Completion, Message, OutputSchema, Part, ProviderOptions, Role, Usage};
use crate::json::{Draft, Json, Number};

/// A family of APIs. Which provider speaks which is a table of the package (`providers.ts`).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Dialect {
    /// The chat completions of OpenAI.
    OpenAi,
    /// The same as others offer it.
    OpenAiCompatible,
    /// The same as Mistral offers it, with names of its own for some things.
    Mistral,
    /// The messages of Anthropic.
    Anthropic,
    /// The content generation of Gemini.
    Google,
    /// The chat of Ollama.
    Ollama,
}

/// How an answer gets the form that is wanted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Structure {
    /// The API is given the schema.
    Schema,
    /// The API is asked for JSON, and the model for the schema.
    JsonObject,
    /// The model is asked, in its prompt.
    Prompt,
}

impl Dialect {
    /// The dialect of this name in the table of the package.
    pub fn named(name: &str) -> Option<Self> {
        match name {
            "openai" => Some(Self::OpenAi),
            "openai-compatible" => Some(Self::OpenAiCompatible),
            "mistral" => Some(Self::Mistral),
            "anthropic" => Some(Self::Anthropic),
            "google" => Some(Self::Google),
            "ollama" => Some(Self::Ollama),
            _ => None,
        }
    }

    /// Where chat requests go, below the base URL.
    pub(super) fn path(self, model: &str) -> String {
        match self {
            Self::OpenAi | Self::OpenAiCompatible | Self::Mistral => "/chat/completions".to_owned(),
            Self::Anthropic => "/v1/messages".to_owned(),
            Self::Google => format!("/v1beta/{}:generateContent", google::resource(model)),
            Self::Ollama => "/api/chat".to_owned(),
        }
    }

    /// A header that every request needs.
    pub(super) fn header(self) -> Option<(&'static str, &'static str)> {
        (self == Self::Anthropic).then_some(anthropic::VERSION)
    }

    /// Whether the API can be given this schema.
    pub(super) fn takes(self, schema: &OutputSchema) -> bool {
        let is_object = || {
            let read = crate::json::parse(&schema.schema).ok();
            read.as_ref().and_then(|read| get(read, "type")).and_then(Json::as_str) == Some("object")
        };
        // Anthropic's wants what OpenAI's strict mode does: closed objects.
        (schema.strict || self != Self::Anthropic) && is_object()
    }

    /// The body of a request; or else the part of a message that the API has no form for.
    pub(super) fn body<'r>(
        self,
        options: &ProviderOptions,
        request: &ChatRequest<'r>,
        structure: Structure,
    ) -> Result<Draft, &'r Part> {
        match self {
            Self::OpenAi | Self::OpenAiCompatible | Self::Mistral => {
                openai::body(self, options, request, structure)
            }
            Self::Anthropic => anthropic::body(options, request, structure),
            Self::Google => google::body(options, request, structure),
            Self::Ollama => ollama::body(options, request, structure),
        }
    }

    /// The completion in an answer; `None` if there is none in it.
    pub(super) fn read(self, answer: &Json<'_>) -> Option<Completion> {
        match self {
            Self::OpenAi | Self::OpenAiCompatible | Self::Mistral => openai::read(answer),
            Self::Anthropic => anthropic::read(answer),
            Self::Google => google::read(answer),
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

/// The parts of a message, each in the form of an API.
fn parts<'r>(
    content: &mut dyn Iterator<Item = &'r Part>,
    write: &dyn Fn(&Part) -> Option<Draft>,
) -> Result<Vec<Draft>, &'r Part> {
    content.map(|part| write(part).ok_or(part)).collect()
}

/// Messages as most APIs have them: a content of nothing but words is a text.
fn messages<'r>(
    messages: &mut dyn Iterator<Item = &'r Message>,
    write: &dyn Fn(&Part) -> Option<Draft>,
) -> Result<Draft, &'r Part> {
    let mut list = Vec::new();
    for message in messages {
        let content = match message.content.as_slice() {
            [Part::Text(text)] => text.as_str().into(),
            content => Draft::list(parts(&mut content.iter(), write)?.into_iter()),
        };
        list.push(Draft::object([("role", message.role.name().into()), ("content", content)]));
    }
    Ok(Draft::list(list.into_iter()))
}

/// What the system messages say and show, apart from the conversation.
fn system<'r>(request: &ChatRequest<'r>) -> impl Iterator<Item = &'r Part> + use<'r> {
    let system = request.messages.iter().filter(|message| message.role == Role::System);
    system.flat_map(|message| &message.content)
}

/// What is not a system message.
fn conversation<'r>(request: &ChatRequest<'r>) -> impl Iterator<Item = &'r Message> + use<'r> {
    request.messages.iter().filter(|message| message.role != Role::System)
}

/// The media type and the base64 of a `data:` URI; `None` for an address.
fn data_uri(text: &str) -> Option<(&str, &str)> {
    let (media_type, data) = text.strip_prefix("data:")?.split_once(";base64,")?;
    Some((media_type.split_once(';').map_or(media_type, |(kind, _)| kind), data))
}

fn get<'j, 'v>(value: &'j Json<'v>, key: &str) -> Option<&'j Json<'v>> {
    value.as_object()?.get(key)
}

fn text(value: &Json<'_>) -> Option<String> {
    value.as_str().map(str::to_owned)
}

/// What the parts of an answer say, without those that `skip` tells.
fn said(parts: &Json<'_>, skip: impl Fn(&Json<'_>) -> bool) -> String {
    let parts = parts.as_array().unwrap_or_default().iter().filter(|part| !skip(part));
    parts.filter_map(|part| get(part, "text")?.as_str()).collect()
}

/// The tokens of an answer, each the sum of the counts that are there; unknown if one side has none.
fn usage(counts: Option<&Json<'_>>, input: &[&str], output: &[&str]) -> Option<Usage> {
    let count = |name: &&str| match get(counts?, name) {
        Some(Json::Number(Number::Integer(count))) => u64::try_from(*count).ok(),
        _ => None,
    };
    let sum = |names: &[&str]| names.iter().filter_map(count).reduce(u64::saturating_add);
    Some(Usage { input_tokens: sum(input)?, output_tokens: sum(output)? })
}

#[cfg(test)]
mod tests;
