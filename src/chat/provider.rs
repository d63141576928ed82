//! A chat model behind an HTTP API.

use super::dialect::{Dialect, Settings, Structure, data_uri};
use super::endpoint::{Endpoint, EndpointConfig, Progress};
use super::{
    ChatModel, ChatRequest, Completion, Finish, Message, OutputSchema, Part, Role, Transport,
    without_prefixes,
};
use crate::error::{Error, Result};
use crate::json;
use crate::text::find;
use serde::Deserialize;
use std::borrow::Cow;
use std::cell::{Cell, RefCell};

/// The options of a chat model.
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
pub struct ProviderConfig {
    /// How the API produces structured output.
    pub structure: Structure,
    /// The kinds of attachments that the API accepts, with `link` for a document at an address; by default all.
    pub attachments: Option<Vec<String>>,
    /// The temperature, as the JSON text of a number; the API decides by default.
    pub temperature: Option<String>,
    /// The most tokens of an answer; the API decides by default.
    pub max_tokens: Option<u32>,
    /// The number of alternatives for each token, if probabilities are requested.
    #[serde(skip)]
    pub logprobs: u32,
}

/// A chat model behind an HTTP API.
pub struct Provider<T> {
    config: ProviderConfig,
    endpoint: Endpoint<T>,
    /// The schemas that the API turned out to reject.
    refused_schemas: RefCell<Vec<String>>,
    /// Whether the model turned out to reject a temperature.
    refuses_temperature: Cell<bool>,
    /// The number of alternatives that the model turned out to support.
    logprobs: Cell<u32>,
    /// An answer that was cut off, if the request for a longer one failed.
    discarded: Cell<Option<Completion>>,
}

impl<T: Transport> Provider<T> {
    /// The model at this endpoint.
    pub fn new(endpoint: Endpoint<T>, config: ProviderConfig) -> Self {
        Self {
            refused_schemas: RefCell::default(),
            refuses_temperature: Cell::new(false),
            logprobs: Cell::new(config.logprobs),
            discarded: Cell::default(),
            config,
            endpoint,
        }
    }

    /// Whether the API is known to reject this schema, itself or because it takes none.
    pub fn refuses_schema(&self, schema: &OutputSchema) -> bool {
        self.refused_schemas.borrow().contains(&schema.schema)
    }

    /// Puts this schema into the prompt from now on.
    pub fn set_refuses_schema(&self, schema: &OutputSchema) {
        if !self.refuses_schema(schema) {
            self.refused_schemas.borrow_mut().push(schema.schema.clone());
        }
    }

    /// Whether the model turned out to reject a temperature.
    pub fn refuses_temperature(&self) -> bool {
        self.refuses_temperature.get()
    }

    /// The answer of the failed request that was cut off, for its usage.
    pub fn take_discarded(&self) -> Option<Completion> {
        self.discarded.take()
    }

    /// The number of alternatives that can be requested for each token.
    pub fn logprobs(&self) -> u32 {
        self.logprobs.get()
    }

    /// The transport.
    pub fn transport(&self) -> &T {
        &self.endpoint.transport
    }

    /// How this request gets structured output: schemas that the API does not support go into the prompt.
    fn structure_of(&self, request: &ChatRequest<'_>) -> Structure {
        match (self.config.structure, request.schema) {
            (_, Some(schema)) if self.refuses_schema(schema) => Structure::Prompt,
            (Structure::Schema, Some(schema)) if !self.endpoint.config.dialect.takes(schema) => {
                Structure::Prompt
            }
            (structure, _) => structure,
        }
    }

    fn body(
        &self,
        request: &ChatRequest<'_>,
        structure: Structure,
        max_tokens: Option<u32>,
        logprobs: u32,
    ) -> Result<String> {
        let endpoint = &self.endpoint.config;
        let mut messages = Cow::Borrowed(request.messages);
        if !matches!(endpoint.dialect, Dialect::Anthropic | Dialect::VertexAnthropic) {
            messages = without_prefixes(request.messages);
        }
        if let Some(schema) = request.schema.filter(|_| structure != Structure::Schema) {
            messages = Cow::Owned(with_schema(&messages, &schema.schema));
        }
        let messages = messages.as_ref();
        let request = ChatRequest { messages, ..*request };
        let mut parts = messages.iter().flat_map(|message| &message.content);
        if let Some(part) = parts.find(|part| !self.takes(part)) {
            return Err(self.cannot_take(part));
        }
        let temperature = self.config.temperature.as_deref().filter(|_| !self.refuses_temperature.get());
        let settings = Settings { temperature, max_tokens, logprobs };
        let body = endpoint.dialect.body(&endpoint.model, settings, &request, structure);
        let body = body.map_err(|part| self.cannot_take(part))?;
        endpoint.with_params(body)
    }

    fn takes(&self, part: &Part) -> bool {
        match part {
            Part::Text(_) | Part::Prefix { .. } => true,
            Part::File { data, .. } if data_uri(data).is_none() => self.lists("link") || self.lists("file"),
            part => self.lists(part.kind()),
        }
    }

    fn lists(&self, kind: &str) -> bool {
        self.config.attachments.as_ref().is_none_or(|kinds| kinds.iter().any(|listed| listed == kind))
    }

    fn cannot_take(&self, part: &Part) -> Error {
        let (provider, kind) = (&self.endpoint.config.provider, part.kind());
        let wants_links = kind == "file" && self.lists("link") && !self.lists("file");
        let (form, hint) = match part {
            _ if wants_links => (" in this form", "Pass its address (https://…)"),
            _ if !self.lists(kind) => ("", "Leave it out, or use a provider that accepts it"),
            Part::Image(_) => (" in this form", "Pass the picture itself, as a data: URI"),
            Part::Audio { .. } => (" in this form", "Pass it as wav or mp3"),
            _ => (" in this form", "Pass a PDF as a data: URI, or put its text into the prompt"),
        };
        Error::invalid_input(format!(
            "A message has an attachment of type {kind}, which {provider} does not accept{form}. {hint}."
        ))
    }

    /// The limit for asking once more after an answer that was cut off: twice its tokens, unless the caller set a limit.
    fn longer(&self, completion: &Completion) -> Option<u32> {
        /// Every current model can generate more.
        const ENOUGH: u32 = 16_000;
        let EndpointConfig { dialect, params, .. } = &self.endpoint.config;
        let is_set = self.config.max_tokens.is_some()
            || params
                .as_ref()
                .is_some_and(|params| dialect.limits().iter().any(|name| find(params, name).is_some()));
        if completion.finish != Finish::Truncated || is_set {
            return None;
        }
        let written = completion.usage.as_ref().map_or(0, |usage| usage.output_tokens);
        let written = u32::try_from(written).ok()?.max(dialect.default_limit());
        Some(written.checked_mul(2)?.max(ENOUGH))
    }

    /// Asks for one answer of at most this length.
    async fn ask(
        &self,
        request: &ChatRequest<'_>,
        max_tokens: Option<u32>,
        progress: &mut Progress,
    ) -> Result<Completion> {
        let mut logprobs = if request.logprobs { self.logprobs.get() } else { 0 };
        let (length, response) = loop {
            let structure = self.structure_of(request);
            let body = self.body(request, structure, max_tokens, logprobs)?;
            match self.endpoint.post(&body, progress).await {
                Err(error) if logprobs > 0 && names_logprobs(&error) => {
                    logprobs = fewer_logprobs(&error, logprobs);
                    self.logprobs.set(logprobs);
                }
                Err(error)
                    if self.config.temperature.is_some()
                        && !self.refuses_temperature.get()
                        && names_temperature(&error) =>
                {
                    self.refuses_temperature.set(true);
                }
                Err(error) if structure != Structure::Prompt && lacks_structure(&error) => {
                    let Some(schema) = request.schema else { return Err(error) };
                    self.set_refuses_schema(schema);
                }
                // Some APIs do not name the parameter that they reject.
                Err(error) if logprobs > 0 && matches!(error.status, Some(400 | 422)) => logprobs = 0,
                response => break (body.len(), response?),
            }
        };
        let answer = json::parse(&response.body).ok();
        let dialect = self.endpoint.config.dialect;
        let completion = answer.as_ref().and_then(|answer| {
            let logprobs = if logprobs > 0 { dialect.logprobs(answer) } else { None };
            Some(Completion { logprobs, ..dialect.read(answer)? })
        });
        if let Some(usage) = completion.as_ref().and_then(|completion| completion.usage.as_ref())
            && usage.unreadable.is_none()
        {
            self.endpoint.transport.used(length, usage);
        }
        completion.ok_or_else(|| self.endpoint.misunderstood(&response, "a completion", progress))
    }
}

impl<T: Transport> ChatModel for Provider<T> {
    async fn complete(&self, request: &ChatRequest<'_>) -> Result<Completion> {
        let mut progress = self.endpoint.begin();
        let mut completion = self.ask(request, self.config.max_tokens, &mut progress).await?;
        if let Some(limit) = self.longer(&completion) {
            match self.ask(request, Some(limit), &mut progress).await {
                Ok(mut longer) => {
                    if let Some(usage) = completion.usage {
                        *longer.usage.get_or_insert_default() += usage;
                    }
                    completion = longer;
                }
                // The model cannot generate as many tokens.
                Err(error) if matches!(error.status, Some(400 | 422)) => {}
                Err(error) => {
                    self.discarded.replace(Some(self.endpoint.without_secrets(completion, request.schema)));
                    return Err(error);
                }
            }
        }
        let model = completion.model.or_else(|| Some(self.endpoint.config.model.clone()));
        let completion = Completion { model, attempts: progress.attempts, ..completion };
        Ok(self.endpoint.without_secrets(completion, request.schema))
    }
}

/// The messages, with the schema at the end of the user's last message.
fn with_schema(messages: &[Message], schema: &str) -> Vec<Message> {
    let mut messages = messages.to_vec();
    let request = format!("\n\nAnswer only with JSON that matches this JSON schema:\n{schema}");
    match messages.iter_mut().rev().find(|message| message.role == Role::User) {
        Some(message) => message.push_text(&request),
        None => messages.push(Message::new(Role::User, request.trim_start())),
    }
    messages
}

/// Whether the API rejected a request because it or the model does not support structured output or this schema.
fn lacks_structure(error: &Error) -> bool {
    const WORDS: [&str; 12] = [
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
        "text.format",
    ];
    // OpenRouter answers 404 if no host of the model supports it.
    if !matches!(error.status, Some(400 | 404 | 415 | 422 | 501)) {
        return false;
    }
    let detail = error.detail.to_ascii_lowercase().replace('_', " ");
    WORDS.iter().any(|word| find(&detail, word).is_some())
}

/// Whether the API rejected the temperature, which reasoning models choose themselves.
fn names_temperature(error: &Error) -> bool {
    matches!(error.status, Some(400 | 422)) && find(&error.detail, "temperature").is_some()
}

/// Whether the API rejected the request for token probabilities, as for OpenAI's reasoning models, or their number.
fn names_logprobs(error: &Error) -> bool {
    // Without the first letter, which may be a capital.
    matches!(error.status, Some(400 | 403 | 404 | 422 | 501)) && find(&error.detail, "ogprob").is_some()
}

/// How many alternatives to request after this many were rejected: some APIs have a lower limit.
fn fewer_logprobs(error: &Error, refused: u32) -> u32 {
    const LEAST: u32 = 5;
    let is_about_count = ["top_logprobs", " 20"].iter().any(|word| find(&error.detail, word).is_some());
    if refused > LEAST && is_about_count { LEAST } else { 0 }
}

#[cfg(test)]
mod tests;
