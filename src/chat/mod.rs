//! The interface to language models: messages in, an answer out.
//!
//! Everything that asks a model uses [`ChatModel`]. Over HTTP that is a [`Provider`], which implements the
//! [`Dialect`] of an API at an [`Endpoint`] with a [`Transport`]; in the package it may also be the caller's
//! function. An [`Embedder`] asks an endpoint for vectors.

mod dialect;
mod embedder;
mod endpoint;
mod provider;
mod redact;
mod retry;
#[cfg(test)]
pub(crate) mod testing;
mod transport;

pub use dialect::{Dialect, Structure};
pub use embedder::Embedder;
pub use endpoint::{Endpoint, EndpointConfig};
pub use provider::{Provider, ProviderConfig};
pub use redact::redact;
pub use retry::{is_retryable, pause_after};
pub use transport::{Failure, HEADERS, HttpRequest, HttpResponse, NoKey, Secrets, Transport};

use crate::error::{Error, Result};
use crate::json::{self, Json, JsonBuilder, fill_template};
use crate::logprobs::AnswerToken;
use serde::{Deserialize, Serialize};
use std::borrow::Cow;

/// Answers messages.
pub trait ChatModel {
    /// Asks one question. A model behind an HTTP API retries failed requests.
    async fn complete(&self, request: &ChatRequest<'_>) -> Result<Completion>;

    /// Reports that the answer to `asked` is the final answer to `question`, for models that store answers. Both are equal
    /// unless the model was asked again.
    fn used(&self, _question: &[Message], _asked: &[Message]) {}
}

/// A question to a model.
#[derive(Debug, Clone, Copy)]
pub struct ChatRequest<'r> {
    /// The conversation so far.
    pub messages: &'r [Message],
    /// The schema of the answer; free text without one.
    pub schema: Option<&'r OutputSchema>,
    /// Whether to request token probabilities, if the API has them.
    pub logprobs: bool,
}

/// One message.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Message {
    /// The role of its author.
    pub role: Role,
    /// Its content.
    pub content: Vec<Part>,
}

/// A part of a message.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Part {
    /// Text.
    Text(String),
    /// The end of a prefix that many questions share, which an API may cache.
    Prefix {
        /// The text.
        text: String,
        /// How long it stays in the cache.
        ttl: PromptCaching,
    },
    /// An image: a URL or a `data:` URI.
    Image(String),
    /// Audio.
    Audio {
        /// The data in base64.
        data: String,
        /// The format, such as `wav` or `mp3`.
        format: String,
    },
    /// A document.
    File {
        /// The file name.
        name: String,
        /// A `data:` URI, or a URL for some APIs.
        data: String,
    },
}

/// How long an API caches the prefix of a prompt after its last use.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
pub enum PromptCaching {
    /// Five minutes.
    #[serde(rename = "5m")]
    Minutes,
    /// One hour, at a higher price.
    #[serde(rename = "1h")]
    Hour,
}

impl PromptCaching {
    /// The cache control of a part, in the form of Anthropic and of gateways to it with OpenAI's form.
    pub fn mark(self) -> &'static str {
        match self {
            Self::Minutes => r#"{"type":"ephemeral"}"#,
            Self::Hour => r#"{"type":"ephemeral","ttl":"1h"}"#,
        }
    }
}

/// The role of a message's author.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Role {
    /// The instructions before the conversation.
    System,
    /// The user.
    User,
    /// The model.
    Assistant,
}

impl Role {
    /// The name in most APIs.
    pub fn name(self) -> &'static str {
        match self {
            Self::System => "system",
            Self::User => "user",
            Self::Assistant => "assistant",
        }
    }
}

impl Message {
    /// A message with this text.
    pub fn new(role: Role, text: impl Into<String>) -> Self {
        Self { role, content: vec![Part::Text(text.into())] }
    }

    /// The message without prefixes, for APIs without prompt caching: each prefix becomes a part of the following text.
    pub fn plain(&self) -> Self {
        let mut plain = Self { role: self.role, content: Vec::with_capacity(self.content.len()) };
        let mut goes_on = false;
        for part in &self.content {
            match part {
                Part::Prefix { text, .. } => plain.push_text(text),
                Part::Text(text) if goes_on => plain.push_text(text),
                part => plain.content.push(part.clone()),
            }
            goes_on = matches!(part, Part::Prefix { .. });
        }
        plain
    }

    /// Appends text.
    pub fn push_text(&mut self, text: &str) {
        match self.content.last_mut() {
            Some(Part::Text(last)) => last.push_str(text),
            _ => self.content.push(Part::Text(text.to_owned())),
        }
    }

    /// Reads a message in OpenAI's form: `content` is a text or a list of content parts.
    pub fn from_json(message: &Json<'_>) -> Result<Self> {
        let member = |name: &str| message.as_object().and_then(|members| members.get(name));
        let role = match member("role").and_then(Json::as_str) {
            Some("system" | "developer") => Role::System,
            Some("user") => Role::User,
            Some("assistant") => Role::Assistant,
            _ => return Err(Error::invalid_input("a message needs the role system, user or assistant")),
        };
        match member("content") {
            Some(Json::String(text)) => Ok(Self::new(role, text.as_ref())),
            Some(Json::Array(parts)) => {
                Ok(Self { role, content: parts.iter().map(Part::from_json).collect::<Result<_>>()? })
            }
            _ => Err(Error::invalid_input("the content of a message has to be a text or a list of parts")),
        }
    }

    /// Writes the form that [`Self::from_json`] reads.
    pub fn to_json(&self) -> JsonBuilder {
        let mut json = String::new();
        self.write(&mut json);
        JsonBuilder::Text(json)
    }

    /// The JSON text of messages in this form.
    pub fn list_to_json(messages: &[Self]) -> String {
        let mut json = String::from("[");
        for (index, message) in messages.iter().enumerate() {
            json.push_str(if index == 0 { "" } else { "," });
            message.write(&mut json);
        }
        json.push(']');
        json
    }

    fn write(&self, json: &mut String) {
        json.extend(["{\"role\":\"", self.role.name(), "\",\"content\":"]);
        match self.content.as_slice() {
            [Part::Text(text)] => json::push_string(text, json),
            parts => json.push_str(&JsonBuilder::list(parts.iter().map(Part::to_json)).into_text()),
        }
        json.push('}');
    }
}

impl Part {
    /// The kind of part, in a word.
    pub fn kind(&self) -> &'static str {
        match self {
            Self::Text(_) | Self::Prefix { .. } => "text",
            Self::Image(_) => "image",
            Self::Audio { .. } => "audio",
            Self::File { .. } => "file",
        }
    }

    /// Reads a content part in OpenAI's form.
    pub fn from_json(part: &Json<'_>) -> Result<Self> {
        let text = |path: &[&str]| {
            let value = path.iter().try_fold(part, |value, name| value.as_object()?.get(name))?;
            value.as_str().map(str::to_owned)
        };
        let read = match text(&["type"]).as_deref() {
            Some("text") => text(&["text"]).map(|said| match text(&["cache_control", "type"]) {
                Some(_) if text(&["cache_control", "ttl"]).as_deref() == Some("1h") => {
                    Self::Prefix { text: said, ttl: PromptCaching::Hour }
                }
                Some(_) => Self::Prefix { text: said, ttl: PromptCaching::Minutes },
                None => Self::Text(said),
            }),
            Some("image_url") => text(&["image_url", "url"]).map(Self::Image),
            Some("input_audio") => text(&["input_audio", "data"])
                .zip(text(&["input_audio", "format"]))
                .map(|(data, format)| Self::Audio { data, format }),
            Some("file") => text(&["file", "filename"])
                .zip(text(&["file", "file_data"]))
                .map(|(name, data)| Self::File { name, data }),
            _ => None,
        };
        read.ok_or_else(|| {
            Error::invalid_input(format!(
                "{part} is not a content part of type text, image_url, input_audio or file"
            ))
        })
    }

    /// Writes the form that [`Self::from_json`] reads.
    pub fn to_json(&self) -> JsonBuilder {
        match self {
            Self::Text(text) => fill_template(r#"{"type":"text","text":?}"#, &[text]),
            Self::Prefix { text, ttl } => {
                fill_template(r#"{"type":"text","text":?,"cache_control":#}"#, &[text, ttl.mark()])
            }
            Self::Image(url) => fill_template(r#"{"type":"image_url","image_url":{"url":?}}"#, &[url]),
            Self::Audio { data, format } => fill_template(
                r#"{"type":"input_audio","input_audio":{"data":?,"format":?}}"#,
                &[data, format],
            ),
            Self::File { name, data } => {
                fill_template(r#"{"type":"file","file":{"filename":?,"file_data":?}}"#, &[name, data])
            }
        }
    }
}

/// Messages for APIs without prompt caching.
pub fn without_prefixes(messages: &[Message]) -> Cow<'_, [Message]> {
    let mut parts = messages.iter().flat_map(|message| &message.content);
    match parts.any(|part| matches!(part, Part::Prefix { .. })) {
        true => Cow::Owned(messages.iter().map(Message::plain).collect()),
        false => Cow::Borrowed(messages),
    }
}

/// A JSON schema for answers.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
pub struct OutputSchema {
    /// A short name of letters, digits, `_` and `-`, which some APIs require.
    pub name: String,
    /// The schema as JSON text. Models generate properties in its order.
    pub schema: String,
    /// Whether it follows the rules of OpenAI's strict mode.
    pub strict: bool,
}

impl OutputSchema {
    /// The schema in OpenAI's form.
    pub fn to_json(&self) -> JsonBuilder {
        let strict = if self.strict { "true" } else { "false" };
        fill_template(r#"{"name":?,"strict":#,"schema":#}"#, &[&self.name, strict, &self.schema])
    }
}

/// The answer of a model.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
pub struct Completion {
    /// The text.
    pub text: String,
    /// Why it ended.
    pub finish: Finish,
    /// The reason that a client reports for the end, which decides `finish` if that is complete.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(target_arch = "wasm32", tsify(optional))]
    pub reason: Option<String>,
    /// The name of the model that answered, from the provider.
    #[cfg_attr(target_arch = "wasm32", tsify(optional))]
    pub model: Option<String>,
    /// The token usage, if the provider reports it.
    #[cfg_attr(target_arch = "wasm32", tsify(optional))]
    pub usage: Option<Usage>,
    /// How many requests were sent for it.
    pub attempts: u32,
    /// The first tokens and their probabilities, if these were requested and the provider reports them.
    #[cfg_attr(target_arch = "wasm32", tsify(optional))]
    pub logprobs: Option<Vec<AnswerToken>>,
    /// The probability that the model gives its answer, from 0 to 1, if its client reports it.
    #[cfg_attr(target_arch = "wasm32", tsify(optional))]
    pub confidence: Option<f64>,
}

/// Why an answer ended.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
pub enum Finish {
    /// The model finished its answer.
    #[default]
    Complete,
    /// The limit on its length was reached.
    Truncated,
    /// The client could not parse it: the reason.
    Unreadable(String),
    /// The model or a filter of the provider refused: the reason, if there is one.
    Refused(String),
}

/// The token usage of an answer.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
pub struct Usage {
    /// Input tokens.
    pub input_tokens: u64,
    /// Output tokens, including reasoning.
    pub output_tokens: u64,
    /// The output tokens that were reasoning.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(target_arch = "wasm32", tsify(optional))]
    pub reasoning_tokens: Option<u64>,
    /// The input tokens from the provider's cache.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(target_arch = "wasm32", tsify(optional))]
    pub cached_input_tokens: Option<u64>,
    /// The input tokens that were written to the provider's cache, where writing has its own price.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(target_arch = "wasm32", tsify(optional))]
    pub cache_write_tokens: Option<u64>,
    /// The first count that is not a whole number from 0, as the API named and wrote it: `prompt_tokens: "12"`. The other
    /// counts are then incomplete.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(target_arch = "wasm32", tsify(optional))]
    pub unreadable: Option<String>,
}

impl std::ops::AddAssign for Usage {
    fn add_assign(&mut self, other: Self) {
        self.input_tokens = self.input_tokens.saturating_add(other.input_tokens);
        self.output_tokens = self.output_tokens.saturating_add(other.output_tokens);
        let sum = |one: Option<u64>, other: Option<u64>| match (one, other) {
            (Some(one), Some(other)) => Some(one.saturating_add(other)),
            (one, other) => one.or(other),
        };
        self.reasoning_tokens = sum(self.reasoning_tokens, other.reasoning_tokens);
        self.cached_input_tokens = sum(self.cached_input_tokens, other.cached_input_tokens);
        self.cache_write_tokens = sum(self.cache_write_tokens, other.cache_write_tokens);
        self.unreadable = self.unreadable.take().or(other.unreadable);
    }
}

/// What answers used, if the provider reports it.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct Spending {
    /// The model that answered first.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub model: Option<String>,
    /// The tokens of all answers.
    pub usage: Option<Usage>,
}

impl Spending {
    /// Adds an answer. One from a cache, for which no request was sent, used nothing.
    pub fn add(&mut self, completion: &Completion) {
        let Completion { model, usage: Some(usage), attempts: 1.., .. } = completion else { return };
        *self.usage.get_or_insert_default() += usage.clone();
        if self.model.is_none() {
            self.model.clone_from(model);
        }
    }
}

#[cfg(test)]
mod tests;
