//! The interface to the network and the clock: `fetch` in the package, a script in tests.

use super::Usage;

/// Sends requests, and waits.
pub trait Transport {
    /// Prepares a question and all its attempts: gets the key, if a function provides it.
    async fn prepare(&self, timeout_ms: f64) -> Result<(), NoKey>;

    /// Waits until a request with a body of `length` bytes is admitted, and returns the milliseconds that took.
    async fn acquire(&self, length: usize) -> f64;

    /// Records the token usage of a request with a body of `length` bytes.
    fn used(&self, length: usize, usage: &Usage);

    /// The secrets of all keys so far.
    fn secrets(&self) -> Secrets;

    /// Sends a request and reads the whole response, until `timeout_ms` have passed or the caller aborts.
    async fn send(&self, request: &HttpRequest<'_>, timeout_ms: f64) -> Result<HttpResponse, Failure>;

    /// Waits, at most until the caller aborts.
    async fn sleep(&self, ms: f64);

    /// Whether the caller has aborted.
    fn aborted(&self) -> bool;

    /// The time, in milliseconds since 1970.
    fn now(&self) -> f64;

    /// A random number, at least 0 and less than 1.
    fn random(&self) -> f64;
}

/// The secrets of requests.
#[derive(Debug, Clone, Default)]
pub struct Secrets {
    /// Removed from all texts.
    pub secrets: Vec<String>,
    /// Removed from error messages only, because they may be ordinary words.
    pub private: Vec<String>,
}

/// A POST request.
#[derive(Debug, Clone, Copy)]
pub struct HttpRequest<'r> {
    /// The address.
    pub url: &'r str,
    /// The headers, with names in lower case.
    pub headers: &'r [(String, String)],
    /// The body, as JSON text.
    pub body: &'r str,
    /// The most bytes of a successful response body. Of failures, only the beginning is read.
    pub max_response_bytes: u32,
}

/// The headers that are read from failed responses. Successful ones need none.
pub const HEADERS: [&str; 7] = [
    "x-request-id",
    "request-id",
    "x-amzn-requestid",
    "x-amzn-errortype",
    "x-should-retry",
    "retry-after-ms",
    "retry-after",
];

/// A response with any status.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct HttpResponse {
    /// The HTTP status.
    pub status: u16,
    /// Its headers among [`HEADERS`].
    pub headers: Vec<(&'static str, String)>,
    /// The body; of a failure, the beginning as far as it was received.
    pub body: String,
}

impl HttpResponse {
    /// A header, by its name in lower case.
    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(own, _)| *own == name).map(|(_, value)| value.as_str())
    }
}

/// Why a function provided no key.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum NoKey {
    /// It failed: the reason.
    Failed(String),
    /// The time limit was reached.
    Timeout,
    /// The caller aborted.
    Aborted,
}

/// Why there is no response.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Failure {
    /// The request failed, or the response was cut off.
    Network(String),
    /// It was redirected to another origin. For a success, `fetch` followed the redirect anyway.
    Redirected {
        /// The HTTP status; 0 if the runtime hides it.
        status: u16,
        /// The origin of the target, if it is known.
        target: Option<String>,
    },
    /// It was redirected within the origin, with a status that turns it into a request without a body.
    RedirectedWithoutBody {
        /// The HTTP status.
        status: u16,
        /// The target without its query.
        target: String,
    },
    /// It was redirected too often within the same origin; the last HTTP status.
    RedirectedTooOften(u16),
    /// A success with this status exceeded the limit of bytes.
    TooLong(u16),
    /// The time limit was reached.
    Timeout,
    /// The caller aborted.
    Aborted,
}
