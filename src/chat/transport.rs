//! What a provider needs of the outside world, so that the package can give it `fetch` and the tests a script.

/// Sends requests, and waits.
pub trait Transport {
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

/// A POST request.
#[derive(Debug, Clone, Copy)]
pub struct HttpRequest<'r> {
    /// Where it goes.
    pub url: &'r str,
    /// Names in lower case, and values.
    pub headers: &'r [(String, String)],
    /// The JSON text.
    pub body: &'r str,
}

/// An answer, of whatever status.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct HttpResponse {
    /// The HTTP status.
    pub status: u16,
    /// The header `x-request-id` or `request-id`; not needed of a success.
    pub request_id: Option<String>,
    /// The header `retry-after`; not needed of a success.
    pub retry_after: Option<String>,
    /// The text.
    pub body: String,
}

/// Why there is no answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Failure {
    /// The request did not get through, or the answer broke off.
    Network(String),
    /// The time was over.
    Timeout,
    /// The caller gave up.
    Aborted,
}
