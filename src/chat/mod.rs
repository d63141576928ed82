//! The seam to language models: messages go in, an answer comes out.
//!
//! Everything that asks a model, once or many times, is written against [`ChatModel`]. Over HTTP that is a
//! [`Provider`], which speaks the dialect of an API through a [`Transport`]; in the package it may also be a function
//! of the caller's.

mod dialect;
mod provider;
mod retry;
#[cfg(test)]
pub(crate) mod testing;
mod transport;

pub use dialect::Dialect;
pub use provider::{Provider, ProviderOptions};
pub use transport::{Failure, HttpRequest, HttpResponse, Transport};

use crate::error::Result;
use crate::json::Draft;

/// Answers messages.
pub trait ChatModel {
    /// Asks once; a model that is reached over a network has tried again as often as it may.
    async fn complete(&self, request: &ChatRequest<'_>) -> Result<Completion>;
}

/// What a model is asked.
#[derive(Debug, Clone, Copy)]
pub struct ChatRequest<'r> {
    /// The conversation so far.
    pub messages: &'r [Message],
    /// The form that the answer has to have; free text without one.
    pub schema: Option<&'r OutputSchema>,
}

/// One message.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Message {
    /// Who says it.
    pub role: Role,
    /// What it says.
    pub content: String,
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

impl Message {
    /// A message with this text.
    pub fn new(role: Role, text: impl Into<String>) -> Self {
        Self { role, content: text.into() }
    }

    /// The form that most APIs have for messages.
    pub fn to_json(&self) -> Draft {
        let role = match self.role {
            Role::System => "system",
            Role::User => "user",
            Role::Assistant => "assistant",
        };
        Draft::object([("role", role.into()), ("content", self.content.as_str().into())])
    }
}

/// A JSON schema for answers.
#[derive(Debug, Clone)]
pub struct OutputSchema {
    /// A short name, of letters, digits, `_` and `-`, which some APIs ask for.
    pub name: String,
    /// The JSON text of the schema. The order of its properties is the order in which a model fills them in.
    pub schema: String,
    /// Whether it keeps to the rules that OpenAI's strict mode has for schemas.
    pub strict: bool,
}

/// What a model answered.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Completion {
    /// The text.
    pub text: String,
    /// Why it ended.
    pub finish: Finish,
    /// The model that answered, by the name that the provider gives it.
    pub model: Option<String>,
    /// The tokens that it took, where the provider tells.
    pub usage: Option<Usage>,
    /// How many requests were sent for it.
    pub attempts: u32,
}

/// Why an answer ended.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub enum Finish {
    /// The model had said everything.
    #[default]
    Complete,
    /// The limit on its length was reached.
    Truncated,
    /// The model, or a filter of the provider, declined: why, where that is said.
    Refused(String),
}

/// The tokens that an answer took.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Usage {
    /// Tokens read.
    pub input_tokens: u64,
    /// Tokens written.
    pub output_tokens: u64,
}

impl std::ops::AddAssign for Usage {
    fn add_assign(&mut self, other: Self) {
        self.input_tokens = self.input_tokens.saturating_add(other.input_tokens);
        self.output_tokens = self.output_tokens.saturating_add(other.output_tokens);
    }
}
