//! The one error type of the engine. JavaScript sees it as `OpenEvalsError`.

use serde::Serialize;

/// The result of anything that can fail here.
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// What kind of failure it was, for programs; the message is for people.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Code {
    /// An option of an evaluator or a model that cannot work.
    InvalidConfig,
    /// Data that cannot be scored.
    InvalidInput,
    /// The prompt names a variable that was not passed.
    MissingVariable,
    /// The model's endpoint could not be reached, or answered with an error.
    ProviderError,
    /// The endpoint still answered 429 after the last attempt.
    RateLimited,
    /// No answer within the time allowed.
    Timeout,
    /// The caller's `AbortSignal` fired.
    Aborted,
    /// The model declined to judge.
    Refused,
    /// The model answered with something that does not fit the schema.
    InvalidJudgeOutput,
    /// A function of the caller's threw.
    CallbackFailed,
}

/// A failure: what was wrong, where, and what to do; its fields are those of [`Details`]. In a box, since results are
/// handed on nearly everywhere, and moving a pointer takes far less code.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Error(Box<Details>);

/// What is known of a failure.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Details {
    /// The kind of failure.
    pub code: Code,
    /// What was wrong, where, and what to do, in plain words. Never holds a key.
    pub message: String,
    /// The HTTP status that the endpoint answered with.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub status: Option<u16>,
    /// The endpoint's own id for the request, to quote to its support.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub request_id: Option<String>,
    /// How many requests were sent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub attempts: Option<u32>,
    /// What the model answered, when that was the problem.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub raw: Option<String>,
}

impl Error {
    /// An error of the given kind.
    pub fn new(code: Code, message: impl Into<String>) -> Self {
        Self::boxed(code, message.into())
    }

    #[cold]
    #[inline(never)]
    fn boxed(code: Code, message: String) -> Self {
        let details = Details { code, message, status: None, request_id: None, attempts: None, raw: None };
        Self(Box::new(details))
    }

    /// The error with more details, which `more` sets.
    #[must_use]
    pub fn with(mut self, more: impl FnOnce(&mut Details)) -> Self {
        more(&mut self.0);
        self
    }

    /// Data that cannot be scored.
    pub fn invalid_input(message: impl Into<String>) -> Self {
        Self::new(Code::InvalidInput, message)
    }

    /// An option that cannot work.
    pub fn invalid_config(message: impl Into<String>) -> Self {
        Self::new(Code::InvalidConfig, message)
    }

    /// Says where the problem is: `place: message`.
    #[must_use]
    #[cold]
    pub fn at(mut self, place: &str) -> Self {
        self.0.message = [place, ": ", &self.message].concat();
        self
    }
}

impl std::ops::Deref for Error {
    type Target = Details;

    fn deref(&self) -> &Details {
        &self.0
    }
}

impl std::fmt::Display for Error {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str(&self.message)
    }
}

impl std::error::Error for Error {}
