//! What a provider needs of the outside world, so that the package can give it `fetch` and the tests a script.

use super::Usage;

/// Sends requests, and waits.
pub trait Transport {
    /// Gets ready for a question and all its attempts: asks for a key, where that is not always the same.
    async fn prepare(&self, timeout_ms: f64) -> Result<(), Failure>;

    /// Waits for the turn of a request with a body of so many bytes: as many milliseconds as it returns.
    async fn turn(&self, length: usize) -> f64;

    /// Takes in how many tokens such a request and its answer had.
    fn used(&self, length: usize, usage: &Usage);

    /// What is secret of the keys that it was given so far.
    fn secrets(&self) -> Secrets;

    /// Posts a request and reads the whole answer, giving up after `timeout_ms` or when the caller does.
    async fn send(&self, request: &HttpRequest<'_>, timeout_ms: f64) -> Result<HttpResponse, Failure>;

    /// Waits; no longer than until the caller gives up.
    async fn sleep(&self, ms: f64);

    /// Whether the caller has given up.
    fn aborted(&self) -> bool;

    /// The time, in milliseconds since 1970.
    fn now(&self) -> f64;

    /// A random number, at least 0 and less than 1.
    fn random(&self) -> f64;
}

/// What no text may hold of what was sent.
#[derive(Debug, Clone, Default)]
pub struct Secrets {
    /// What no text may hold.
    pub secrets: Vec<String>,
    /// What messages of errors do not hold either: what may be an ordinary word.
    pub private: Vec<String>,
}

/// A POST request.
#[derive(Debug, Clone, Copy)]
pub struct HttpRequest<'r> {
    /// Where it goes.
    pub url: &'r str,
    /// Names in lower case, and values.
    pub headers: &'r [(String, String)],
    /// The JSON text.
    pub body: &'r str,
    /// How long the body of a success may be. Of other answers, only the beginning is read.
    pub max_response_bytes: u32,
}

/// The headers of answers that are read; none of a success.
pub const HEADERS: [&str; 11] = [
    "x-request-id",
    "request-id",
    "x-amzn-requestid",
    "x-amzn-errortype",
    "x-should-retry",
    "retry-after-ms",
    "retry-after",
    "x-ratelimit-remaining-requests",
    "x-ratelimit-reset-requests",
    "x-ratelimit-remaining-tokens",
    "x-ratelimit-reset-tokens",
];

/// An answer, of whatever status.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct HttpResponse {
    /// The HTTP status.
    pub status: u16,
    /// Those of [`HEADERS`] that it has.
    pub headers: Vec<(&'static str, String)>,
    /// The text; of what is no success, as much as came, and as is worth telling.
    pub body: String,
}

impl HttpResponse {
    /// A header, by its name in lower case.
    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(own, _)| *own == name).map(|(_, value)| value.as_str())
    }
}

/// Why there is no answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Failure {
    /// There was no key to send it with: why.
    NoKey(String),
    /// The request did not get through, or the answer broke off.
    Network(String),
    /// It was sent on, to where it may not go: to another origin, or without its body. A success was sent on all the same.
    Redirected {
        /// The HTTP status; 0 where the runtime does not tell.
        status: u16,
        /// Where to, if that is known: scheme, host and port.
        origin: Option<String>,
    },
    /// It was sent on and on, within the same origin; the last HTTP status.
    RedirectedTooOften(u16),
    /// A success of this status was longer than it may be.
    TooLong(u16),
    /// The time was over.
    Timeout,
    /// The caller gave up.
    Aborted,
}
