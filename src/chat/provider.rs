//! A chat model behind an HTTP API.

use super::dialect::{Settings, Structure};
use super::endpoint::Endpoint;
use super::{ChatModel, ChatRequest, Completion, Message, Part, Role, Transport};
use crate::error::{Error, Result};
use crate::json;
use crate::text::find;
use serde::Deserialize;
use std::cell::Cell;

/// How a chat model is asked.
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
pub struct ProviderConfig {
    /// How the API gets an answer into a form.
    pub structure: Structure,
    /// The kinds of parts that the API takes besides text; all of them if not given.
    pub attachments: Option<Vec<String>>,
    /// How random answers are, the JSON text of a number; left to the API if not given.
    pub temperature: Option<String>,
    /// How long answers may be; left to the API if not given.
    pub max_tokens: Option<u32>,
}

/// A chat model behind an HTTP API.
pub struct Provider<T> {
    config: ProviderConfig,
    endpoint: Endpoint<T>,
    /// What the API has turned out to be able to do.
    structure: Cell<Structure>,
    /// Whether the model has turned out to choose its temperature itself.
    refuses_temperature: Cell<bool>,
}

impl<T: Transport> Provider<T> {
    /// The model at this endpoint.
    pub fn new(endpoint: Endpoint<T>, config: ProviderConfig) -> Self {
        let refuses_temperature = Cell::new(config.temperature.is_none());
        Self { structure: Cell::new(config.structure), refuses_temperature, config, endpoint }
    }

    /// How the API gets an answer into a form, after what has turned out about it.
    pub fn structure(&self) -> Structure {
        self.structure.get()
    }

    /// Whether there is no temperature that this model can be sent.
    pub fn refuses_temperature(&self) -> bool {
        self.refuses_temperature.get()
    }

    /// What reaches the API.
    pub fn transport(&self) -> &T {
        &self.endpoint.transport
    }

    /// How this request gets its form: what cannot be given to the API is asked of the model.
    fn structure_of(&self, request: &ChatRequest<'_>) -> Structure {
        match (self.structure.get(), request.schema) {
            (Structure::Schema, Some(schema)) if !self.endpoint.config.dialect.takes(schema) => {
                Structure::Prompt
            }
            (structure, _) => structure,
        }
    }

    fn body(&self, request: &ChatRequest<'_>, structure: Structure) -> Result<String> {
        let prompted = match request.schema {
            Some(schema) if structure != Structure::Schema => with_schema(request.messages, &schema.schema),
            _ => Vec::new(),
        };
        let messages = if prompted.is_empty() { request.messages } else { prompted.as_slice() };
        let request = ChatRequest { messages, ..*request };
        let endpoint = &self.endpoint.config;
        let mut parts = messages.iter().flat_map(|message| &message.content);
        if let Some(part) = parts.find(|part| !self.takes(part)) {
            return Err(self.cannot_take(part, "none"));
        }
        let temperature = self.config.temperature.as_deref().filter(|_| !self.refuses_temperature.get());
        let settings = Settings { temperature, max_tokens: self.config.max_tokens };
        let body = endpoint.dialect.body(&endpoint.model, settings, &request, structure);
        let body = body.map_err(|part| self.cannot_take(part, "none in this form"))?;
        endpoint.with_params(body)
    }

    fn takes(&self, part: &Part) -> bool {
        let kinds = self.config.attachments.as_ref();
        matches!(part, Part::Text(_))
            || kinds.is_none_or(|kinds| kinds.iter().any(|kind| kind == part.kind()))
    }

    fn cannot_take(&self, part: &Part, what: &str) -> Error {
        let (provider, kind) = (&self.endpoint.config.provider, part.kind());
        let hint = match (part, what) {
            (_, "none") => "Leave it out, or ask a model of a provider that takes it",
            (Part::Image(_), _) => "Pass the picture itself, as a data: URI",
            (Part::Audio { .. }, _) => "Pass it as wav or mp3",
            _ => "Pass a PDF as a data: URI, or put what it says into the prompt",
        };
        Error::invalid_input(format!(
            "A message holds an attachment of the kind {kind}, and {provider} takes {what}. {hint}."
        ))
    }
}

impl<T: Transport> ChatModel for Provider<T> {
    async fn complete(&self, request: &ChatRequest<'_>) -> Result<Completion> {
        let mut progress = self.endpoint.begin();
        let response = loop {
            let structure = self.structure_of(request);
            let body = self.body(request, structure)?;
            match self.endpoint.post(&body, &mut progress).await {
                Err(error) if !self.refuses_temperature.get() && names_temperature(&error) => {
                    self.refuses_temperature.set(true);
                }
                Err(error) if structure != Structure::Prompt && lacks_structure(&error) => {
                    self.structure.set(Structure::Prompt);
                }
                response => break response?,
            }
        };
        let answer = json::parse(&response.body).ok();
        let completion = answer.as_ref().and_then(|answer| self.endpoint.config.dialect.read(answer));
        let Some(completion) = completion else {
            return Err(self.endpoint.misunderstood(&response, "completion", &progress));
        };
        let model = completion.model.or_else(|| Some(self.endpoint.config.model.clone()));
        let completion = Completion { model, attempts: progress.attempts, ..completion };
        Ok(self.endpoint.without_secrets(completion))
    }
}

/// The messages, with the schema at the end of what the user says last.
fn with_schema(messages: &[Message], schema: &str) -> Vec<Message> {
    let mut messages = messages.to_vec();
    let request =
        format!("\n\nAnswer with JSON that fits this JSON schema, and with nothing else:\n{schema}");
    match messages.iter_mut().rev().find(|message| message.role == Role::User) {
        Some(message) => message.push_text(&request),
        None => messages.push(Message::new(Role::User, request.trim_start())),
    }
    messages
}

/// Whether the API refused a request because of the form that it was asked for: it, or the model, knows none, or not one
/// with this schema.
fn lacks_structure(error: &Error) -> bool {
    const WORDS: [&str; 11] = [
        "response format",
        "schema",
        "json mode",
        "json object",
        "structured output",
        "output config",
        "outputconfig",
        "output format",
        "mime",
        "grammar",
        "guided",
    ];
    // OpenRouter has 404 for a model whose hosts all lack it.
    if !matches!(error.status, Some(400 | 404 | 415 | 422 | 501)) {
        return false;
    }
    let message = error.message.to_ascii_lowercase().replace('_', " ");
    WORDS.iter().any(|word| find(&message, word).is_some())
}

/// Whether the model was sent a temperature, and takes none, or not this one: those that think choose their own.
fn names_temperature(error: &Error) -> bool {
    matches!(error.status, Some(400 | 422)) && find(&error.message, "temperature").is_some()
}

#[cfg(test)]
mod tests;
