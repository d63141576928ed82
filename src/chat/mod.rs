//! The seam to language models: messages go in, an answer comes out.
//!
//! Everything that asks a model, once or many times, is written against [`ChatModel`]. Over HTTP that is a
//! [`Provider`], which speaks the [`Dialect`] of an API at an endpoint, through a [`Transport`]; in the package it may
//! also be a function of the caller's. An [`Embedder`] asks a model for vectors, at such an endpoint, too.

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
pub use retry::pause_after;
pub use transport::{Failure, HEADERS, HttpRequest, HttpResponse, Secrets, Transport};

use crate::error::{Error, Result};
use crate::json::{self, Draft, Json, filled};
use crate::logprobs::AnswerToken;
use serde::{Deserialize, Serialize};
use std::borrow::Cow;

/// Answers messages.
pub trait ChatModel {
    /// Asks once; a model that is reached over a network has tried again as often as it may.
    async fn complete(&self, request: &ChatRequest<'_>) -> Result<Completion>;

    /// The answer to `asked` was used: it is what `question`, with which that began, is answered with in the end. Both
    /// are the same unless the model was asked again. For those that keep answers.
    fn used(&self, _question: &[Message], _asked: &[Message]) {}
}

/// What a model is asked.
#[derive(Debug, Clone, Copy)]
pub struct ChatRequest<'r> {
    /// The conversation so far.
    pub messages: &'r [Message],
    /// The form that the answer has to have; free text without one.
    pub schema: Option<&'r OutputSchema>,
    /// Whether the answer is to say how likely its tokens were, where the API can tell.
    pub logprobs: bool,
}

/// One message.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Message {
    /// Who says it.
    pub role: Role,
    /// What it says and shows.
    pub content: Vec<Part>,
}

/// A part of what a message says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Part {
    /// Words.
    Text(String),
    /// Words that, with all that stands before them, many questions begin with: an API may keep what it made of that.
    Prefix {
        /// What they say.
        text: String,
        /// For how long.
        kept: PromptCaching,
    },
    /// A picture: its address, or the picture itself as a `data:` URI.
    Image(String),
    /// A recording.
    Audio {
        /// In base64.
        data: String,
        /// Such as `wav` or `mp3`.
        format: String,
    },
    /// A document.
    File {
        /// What it is called.
        name: String,
        /// As a `data:` URI; some APIs take an address, too.
        data: String,
    },
}

/// For how long an API keeps what it made of the beginning of a prompt, after it was last used.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
pub enum PromptCaching {
    /// Five minutes.
    #[serde(rename = "5m")]
    Minutes,
    /// An hour, which costs more.
    #[serde(rename = "1h")]
    Hour,
}

impl PromptCaching {
    /// The member of a part that says so, in Anthropic's form and in that of those who relay it in OpenAI's.
    pub fn mark(self) -> &'static str {
        match self {
            Self::Minutes => r#"{"type":"ephemeral"}"#,
            Self::Hour => r#"{"type":"ephemeral","ttl":"1h"}"#,
        }
    }
}

/// Who says a message.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Role {
    /// The instructions that stand above the conversation.
    System,
    /// The one who asks.
    User,
    /// The model.
    Assistant,
}

impl Role {
    /// What most APIs call it.
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

    /// The same without prefixes, for those who do not know them: texts that follow on them are one with them.
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

    /// Says more, at the end.
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
            _ => return Err(Error::invalid_input("a message has the role system, user or assistant")),
        };
        match member("content") {
            Some(Json::String(text)) => Ok(Self::new(role, text.as_ref())),
            Some(Json::Array(parts)) => {
                Ok(Self { role, content: parts.iter().map(Part::from_json).collect::<Result<_>>()? })
            }
            _ => Err(Error::invalid_input("the content of a message is a text or a list of parts")),
        }
    }

    /// The same form.
    pub fn to_json(&self) -> Draft {
        let mut json = String::new();
        self.write(&mut json);
        Draft::Text(json)
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
            parts => json.push_str(&Draft::list(parts.iter().map(Part::to_json)).into_text()),
        }
        json.push('}');
    }
}

impl Part {
    /// What it is, in a word.
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
                    Self::Prefix { text: said, kept: PromptCaching::Hour }
                }
                Some(_) => Self::Prefix { text: said, kept: PromptCaching::Minutes },
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
                "{part} is no part of a message; they have the type text, image_url, input_audio or file"
            ))
        })
    }

    /// The same form.
    pub fn to_json(&self) -> Draft {
        match self {
            Self::Text(text) => filled(r#"{"type":"text","text":?}"#, &[text]),
            Self::Prefix { text, kept } => {
                filled(r#"{"type":"text","text":?,"cache_control":#}"#, &[text, kept.mark()])
            }
            Self::Image(url) => filled(r#"{"type":"image_url","image_url":{"url":?}}"#, &[url]),
            Self::Audio { data, format } => {
                filled(r#"{"type":"input_audio","input_audio":{"data":?,"format":?}}"#, &[data, format])
            }
            Self::File { name, data } => {
                filled(r#"{"type":"file","file":{"filename":?,"file_data":?}}"#, &[name, data])
            }
        }
    }
}

/// Messages for those who do not know what a prefix is.
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
    /// A short name, of letters, digits, `_` and `-`, which some APIs ask for.
    pub name: String,
    /// The JSON text of the schema. The order of its properties is the order in which a model fills them in.
    pub schema: String,
    /// Whether it keeps to the rules that OpenAI's strict mode has for schemas.
    pub strict: bool,
}

impl OutputSchema {
    /// The form that OpenAI has for it.
    pub fn to_json(&self) -> Draft {
        let strict = if self.strict { "true" } else { "false" };
        filled(r#"{"name":?,"strict":#,"schema":#}"#, &[&self.name, strict, &self.schema])
    }
}

/// What a model answered, whoever asked it.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
pub struct Completion {
    /// The text.
    pub text: String,
    /// Why it ended.
    pub finish: Finish,
    /// The model that answered, by the name that the provider gives it.
    #[cfg_attr(target_arch = "wasm32", tsify(optional))]
    pub model: Option<String>,
    /// The tokens that it took, where the provider tells.
    #[cfg_attr(target_arch = "wasm32", tsify(optional))]
    pub usage: Option<Usage>,
    /// How many requests were sent for it.
    pub attempts: u32,
    /// The tokens that it begins with and how likely they were, if that was asked for and the provider tells.
    #[cfg_attr(target_arch = "wasm32", tsify(optional))]
    pub logprobs: Option<Vec<AnswerToken>>,
}

/// Why an answer ended.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
pub enum Finish {
    /// The model had said everything.
    #[default]
    Complete,
    /// The limit on its length was reached.
    Truncated,
    /// Whoever asked has tried to read it: why that failed.
    Unreadable(String),
    /// The model, or a filter of the provider, declined: why, where that is said.
    Refused(String),
}

/// The tokens that an answer took.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
pub struct Usage {
    /// Tokens read.
    pub input_tokens: u64,
    /// Tokens written, with those of thoughts.
    pub output_tokens: u64,
    /// Those of the tokens written that were thoughts, if there were any.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(target_arch = "wasm32", tsify(optional))]
    pub reasoning_tokens: Option<u64>,
    /// Those of the tokens read that came from a cache of the provider's, if there were any.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(target_arch = "wasm32", tsify(optional))]
    pub cached_input_tokens: Option<u64>,
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
    }
}

#[cfg(test)]
mod tests;
