//! Stand-ins for the outside world, for tests on the host.

use super::{
    ChatModel, ChatRequest, Completion, Dialect, EndpointConfig, Failure, HttpRequest, HttpResponse, Message,
    NoKey, ProviderConfig, Secrets, Structure, Transport, Usage, fill_template,
};
use crate::error::{Code, Error, Result};
use std::cell::{Cell, RefCell};
use std::collections::VecDeque;

/// A network that answers from a script, with its own clock. Nothing ever waits.
pub struct Script {
    answers: RefCell<VecDeque<Result<HttpResponse, Failure>>>,
    /// The sent requests.
    pub requests: RefCell<Vec<Sent>>,
    /// The pauses.
    pub pauses: RefCell<Vec<f64>>,
    /// The duration of an answer.
    ms_per_request: f64,
    /// The time until a request is admitted.
    ms_until_admitted: f64,
    /// The recorded token usage.
    pub used: RefCell<Vec<(usize, Usage)>>,
    /// When the caller gives up.
    aborted_after_ms: f64,
    clock: Cell<f64>,
    /// The result of asking for a key.
    key: Result<Secrets, NoKey>,
    /// How often the key was requested.
    pub keys: Cell<u32>,
}

/// A request that was sent.
#[derive(Clone)]
pub struct Sent {
    pub url: String,
    pub headers: Vec<(String, String)>,
    pub body: String,
}

impl Script {
    pub fn new(answers: impl IntoIterator<Item = Result<HttpResponse, Failure>>) -> Self {
        Self {
            answers: RefCell::new(answers.into_iter().collect()),
            requests: RefCell::default(),
            pauses: RefCell::default(),
            ms_per_request: 0.0,
            ms_until_admitted: 0.0,
            used: RefCell::default(),
            aborted_after_ms: f64::INFINITY,
            clock: Cell::default(),
            key: Ok(Secrets::default()),
            keys: Cell::default(),
        }
    }

    /// Fails every request with this status.
    pub fn failing(status: u16) -> Self {
        Self::new(std::iter::repeat_with(|| answer(status, "")).take(9))
    }

    /// Takes this long for each answer.
    pub fn slowly(self, ms_per_request: f64) -> Self {
        Self { ms_per_request, ..self }
    }

    /// Waits this long for each request to be admitted.
    pub fn admitted_after(self, ms_until_admitted: f64) -> Self {
        Self { ms_until_admitted, ..self }
    }

    /// Has a key from a function, with its secret parts.
    pub fn with_key(self, key: Result<Secrets, NoKey>) -> Self {
        Self { key, ..self }
    }

    /// Lets the caller give up at this time.
    pub fn aborted_after(self, aborted_after_ms: f64) -> Self {
        Self { aborted_after_ms, ..self }
    }
}

impl Transport for Script {
    async fn prepare(&self, _timeout_ms: f64) -> Result<(), NoKey> {
        self.keys.set(self.keys.get() + 1);
        self.key.clone().map(|_| ())
    }

    async fn acquire(&self, _length: usize) -> f64 {
        self.clock.set(self.clock.get() + self.ms_until_admitted);
        self.ms_until_admitted
    }

    fn used(&self, length: usize, usage: &Usage) {
        self.used.borrow_mut().push((length, usage.clone()));
    }

    fn secrets(&self) -> Secrets {
        self.key.clone().unwrap_or_default()
    }

    async fn send(&self, request: &HttpRequest<'_>, timeout_ms: f64) -> Result<HttpResponse, Failure> {
        let HttpRequest { url, headers, body, max_response_bytes } = *request;
        let sent = Sent { url: url.to_owned(), headers: headers.to_vec(), body: body.to_owned() };
        self.requests.borrow_mut().push(sent);
        self.clock.set(self.clock.get() + self.ms_per_request.min(timeout_ms));
        if self.aborted() {
            return Err(Failure::Aborted);
        }
        if self.ms_per_request > timeout_ms {
            return Err(Failure::Timeout);
        }
        let answer = self.answers.borrow_mut().pop_front().expect("the script has a further answer")?;
        let is_too_long = answer.status < 300 && answer.body.len() as u32 > max_response_bytes;
        if is_too_long { Err(Failure::TooLong(answer.status)) } else { Ok(answer) }
    }

    async fn sleep(&self, ms: f64) {
        self.pauses.borrow_mut().push(ms);
        self.clock.set(self.clock.get() + ms);
    }

    fn aborted(&self) -> bool {
        self.clock.get() >= self.aborted_after_ms
    }

    fn now(&self) -> f64 {
        self.clock.get()
    }

    fn random(&self) -> f64 {
        0.0
    }
}

pub fn answer(status: u16, body: &str) -> Result<HttpResponse, Failure> {
    Ok(HttpResponse { status, body: body.to_owned(), ..HttpResponse::default() })
}

/// Every dialect, so that a table can have a row for each.
pub const DIALECTS: [Dialect; 9] = [
    Dialect::OpenAi,
    Dialect::OpenAiCompatible,
    Dialect::Mistral,
    Dialect::Responses,
    Dialect::Anthropic,
    Dialect::VertexAnthropic,
    Dialect::Bedrock,
    Dialect::Google,
    Dialect::Ollama,
];

/// An API's complete answer with this text: 120 tokens read, 30 written.
pub fn says(dialect: Dialect, text: &str) -> String {
    answer_with(dialect, text, ["stop", "completed", "end_turn", "STOP"])
}

/// The same answer, cut off at the limit on its tokens.
pub fn cut_off(dialect: Dialect, text: &str) -> String {
    answer_with(dialect, text, ["length", "incomplete", "max_tokens", "MAX_TOKENS"])
}

fn answer_with(dialect: Dialect, text: &str, [openai, responses, claude, gemini]: [&str; 4]) -> String {
    let (template, end) = match dialect {
        Dialect::OpenAi | Dialect::OpenAiCompatible | Dialect::Mistral => (
            r#"{"model":"m-1","choices":[{"index":0,"message":{"role":"assistant","content":?,"refusal":null},"finish_reason":?}],"usage":{"prompt_tokens":120,"completion_tokens":30,"total_tokens":150}}"#,
            openai,
        ),
        Dialect::Responses => (
            r#"{"model":"m-1","error":null,"output":[{"type":"reasoning","summary":[]},{"type":"message","role":"assistant","content":[{"type":"output_text","text":?}]}],"status":?,"incomplete_details":null,"usage":{"input_tokens":120,"input_tokens_details":{"cached_tokens":0},"output_tokens":30,"output_tokens_details":{"reasoning_tokens":0},"total_tokens":150}}"#,
            responses,
        ),
        Dialect::Anthropic | Dialect::VertexAnthropic => (
            r#"{"type":"message","role":"assistant","model":"m-1","content":[{"type":"text","text":?}],"stop_reason":?,"stop_details":null,"usage":{"input_tokens":20,"cache_creation_input_tokens":10,"cache_read_input_tokens":90,"output_tokens":30}}"#,
            claude,
        ),
        Dialect::Bedrock => (
            r#"{"output":{"message":{"role":"assistant","content":[{"text":?}]}},"stopReason":?,"usage":{"inputTokens":20,"outputTokens":30,"totalTokens":150,"cacheReadInputTokens":90,"cacheWriteInputTokens":10}}"#,
            claude,
        ),
        Dialect::Google => (
            r#"{"candidates":[{"index":0,"content":{"role":"model","parts":[{"text":?}]},"finishReason":?}],"modelVersion":"m-1","usageMetadata":{"promptTokenCount":120,"candidatesTokenCount":30,"totalTokenCount":150}}"#,
            gemini,
        ),
        Dialect::Ollama => (
            r#"{"model":"m-1","message":{"role":"assistant","content":?},"done":true,"done_reason":?,"prompt_eval_count":120,"eval_count":30}"#,
            openai,
        ),
    };
    fill_template(template, &[text, end]).into_text()
}

/// The tokens of this many answers of [`says`].
pub fn usage_of(dialect: Dialect, answers: u64) -> Usage {
    let caches = matches!(dialect, Dialect::Anthropic | Dialect::VertexAnthropic | Dialect::Bedrock);
    Usage {
        input_tokens: 120 * answers,
        output_tokens: 30 * answers,
        cached_input_tokens: caches.then_some(90 * answers),
        cache_write_tokens: caches.then_some(10 * answers),
        ..Usage::default()
    }
}

pub fn endpoint(dialect: Dialect) -> EndpointConfig {
    EndpointConfig {
        dialect,
        provider: "test".to_owned(),
        model: "m".to_owned(),
        url: "https://api.test/v1/chat/completions".to_owned(),
        headers: Vec::new(),
        secrets: Vec::new(),
        private: Vec::new(),
        max_retries: 2,
        timeout_ms: 60_000,
        max_response_bytes: 8_000_000,
        params: None,
    }
}

pub fn options() -> ProviderConfig {
    ProviderConfig {
        structure: Structure::Schema,
        attachments: None,
        temperature: None,
        max_tokens: None,
        logprobs: 20,
    }
}

/// A model that answers from a script.
pub struct ScriptedModel {
    answers: RefCell<VecDeque<Result<Completion>>>,
    /// The messages and the schema of every request.
    pub requests: RefCell<Vec<(Vec<Message>, Option<String>)>>,
}

impl ScriptedModel {
    pub fn new(answers: impl IntoIterator<Item = Result<Completion>>) -> Self {
        Self { answers: RefCell::new(answers.into_iter().collect()), requests: RefCell::default() }
    }

    /// Answers with these texts, in order.
    pub fn saying<'t>(texts: impl IntoIterator<Item = &'t str>) -> Self {
        let completion =
            |text: &str| Ok(Completion { text: text.to_owned(), attempts: 1, ..Completion::default() });
        Self::new(texts.into_iter().map(completion))
    }
}

impl ChatModel for ScriptedModel {
    async fn complete(&self, request: &ChatRequest<'_>) -> Result<Completion> {
        let schema = request.schema.map(|schema| schema.schema.clone());
        self.requests.borrow_mut().push((request.messages.to_vec(), schema));
        let end = || Err(Error::new(Code::ProviderError, "the script has no further answer"));
        self.answers.borrow_mut().pop_front().unwrap_or_else(end)
    }
}
