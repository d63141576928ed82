//! The one error type of the engine. JavaScript sees it as `OpenEvalsError`.

use serde::Serialize;

/// The result of every operation that can fail.
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// The kind of failure, for programs. The message is for people.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Code {
    /// An option of an evaluator or a model is invalid.
    InvalidConfig,
    /// The data cannot be scored.
    InvalidInput,
    /// The prompt names a variable that was not passed.
    MissingVariable,
    /// The model's endpoint could not be reached, or answered with an error.
    ProviderError,
    /// The endpoint still answered 429 after the last attempt.
    RateLimited,
    /// No answer arrived within the time limit.
    Timeout,
    /// The caller's `AbortSignal` fired.
    Aborted,
    /// The model refused to answer.
    Refused,
    /// The model's answer does not fit the schema.
    InvalidJudgeOutput,
    /// A function passed by the caller threw.
    CallbackFailed,
}

/// A failure, with the fields of [`Details`]. It is boxed, because moving a pointer through the many
/// functions that return a [`Result`] takes far less code.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Error(Box<Details>);

/// The fields of an [`Error`].
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Details {
    /// The kind of failure.
    pub code: Code,
    /// The problem, its place, and what to do. Never contains a key.
    pub message: String,
    /// The HTTP status that the endpoint answered with.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub status: Option<u16>,
    /// The endpoint's id of the request, for its support.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub request_id: Option<String>,
    /// The number of requests that were sent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub attempts: Option<u32>,
    /// The model's answer, if it caused the failure.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub raw: Option<String>,
    /// What the endpoint said about its error, without the name of the model. The engine decides by it.
    #[serde(skip)]
    pub detail: String,
}

impl Error {
    /// An error of the given kind.
    pub fn new(code: Code, message: impl Into<String>) -> Self {
        Self::boxed(code, message.into())
    }

    #[cold]
    #[inline(never)]
    fn boxed(code: Code, message: String) -> Self {
        let details = Details {
            code,
            message,
            status: None,
            request_id: None,
            attempts: None,
            raw: None,
            detail: String::new(),
        };
        Self(Box::new(details))
    }

    /// Sets optional fields of the error in `more`.
    #[must_use]
    pub fn with(mut self, more: impl FnOnce(&mut Details)) -> Self {
        more(&mut self.0);
        self
    }

    /// An error for data that cannot be scored.
    pub fn invalid_input(message: impl Into<String>) -> Self {
        Self::new(Code::InvalidInput, message)
    }

    /// An error for an invalid option.
    pub fn invalid_config(message: impl Into<String>) -> Self {
        Self::new(Code::InvalidConfig, message)
    }

    /// Prefixes the message with the place of the problem: `place: message`.
    #[must_use]
    #[cold]
    pub fn at(mut self, place: &str) -> Self {
        self.0.message = String::from_iter([place, ": ", &self.message]);
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
