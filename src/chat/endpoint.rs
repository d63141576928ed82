//! One address of an HTTP API, with retries.

use super::dialect::{Dialect, error_message, is_moderation, relayed_status};
use super::redact::redact;
use super::retry::{is_retryable, is_throttled, pause_ms};
use super::{Completion, Failure, Finish, HttpRequest, HttpResponse, NoKey, OutputSchema, Transport};
use crate::error::{Code, Error, Result};
use crate::json::{self, JsonBuilder};
use crate::text::{beginning, find};
use serde::Deserialize;

/// The configuration of a model's endpoint. Not `Debug`, because it contains a key.
#[derive(Clone, Deserialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
pub struct EndpointConfig {
    /// The dialect of the API.
    pub dialect: Dialect,
    /// The name of the provider in messages.
    pub provider: String,
    /// The name of the model in the API.
    pub model: String,
    /// The address of requests.
    pub url: String,
    /// All the headers of a request.
    pub headers: Vec<(String, String)>,
    /// The keys in the headers and the address, which are removed from all texts.
    pub secrets: Vec<String>,
    /// Possible secrets that may be ordinary words, which are removed from error messages only.
    pub private: Vec<String>,
    /// How often a failed request is sent again.
    pub max_retries: u32,
    /// The time limit of a question, with all attempts and the pauses between them.
    pub timeout_ms: u32,
    /// The most bytes of a response body.
    pub max_response_bytes: u32,
    /// An object, as JSON text, that is merged into the body of every request.
    pub params: Option<String>,
}

impl EndpointConfig {
    /// The text of a body with the `params` merged into it.
    pub fn with_params(&self, mut body: JsonBuilder) -> Result<String> {
        if let Some(params) = &self.params {
            body.merge(&json::parse(params)?);
        }
        Ok(body.into_text())
    }
}

/// An address of an API and the transport to it.
pub struct Endpoint<T> {
    /// The address and the options of requests.
    pub config: EndpointConfig,
    /// Sends the requests.
    pub transport: T,
}

/// The progress of a question: its deadline and its attempts.
pub struct Progress {
    deadline: f64,
    /// The number of requests sent.
    pub attempts: u32,
}

impl<T: Transport> Endpoint<T> {
    /// Starts the time of a question.
    pub fn begin(&self) -> Progress {
        Progress { deadline: self.transport.now() + f64::from(self.config.timeout_ms), attempts: 0 }
    }

    /// Sends a request until it succeeds, or must not be retried.
    pub async fn post(&self, body: &str, progress: &mut Progress) -> Result<HttpResponse> {
        let mut retries = 0;
        let error = loop {
            // Before the rate limits admit the request, because they count on it being sent at once.
            if progress.attempts == 0
                && !self.transport.aborted()
                && let Err(no_key) = self.transport.prepare(progress.deadline - self.transport.now()).await
            {
                break self.unprepared(no_key);
            }
            // Waiting for rate limits does not count towards the time limit.
            progress.deadline += self.transport.acquire(body.len()).await;
            if self.transport.aborted() {
                break aborted();
            }
            progress.attempts += 1;
            let EndpointConfig { url, headers, max_response_bytes, .. } = &self.config;
            let request = HttpRequest { url, headers, body, max_response_bytes: *max_response_bytes };
            let left = progress.deadline - self.transport.now();
            let (error, response) = match self.transport.send(&request, left).await {
                Ok(mut response) if (200..300).contains(&response.status) => {
                    let Some(status) = relayed_status(&response.body) else { return Ok(response) };
                    response.status = status;
                    (self.refused(&response, "the error"), Some(response))
                }
                Ok(response) => (self.refused(&response, "HTTP status"), Some(response)),
                Err(failure @ Failure::Network(_)) => (self.no_response(failure), None),
                Err(failure) => break self.no_response(failure),
            };
            // Without a response, the request is sent again.
            if retries >= self.config.max_retries
                || response.as_ref().is_some_and(|response| !is_retryable(response))
            {
                break error;
            }
            retries += 1;
            let now = self.transport.now();
            let pause = pause_ms(retries, response.as_ref(), now, self.transport.random());
            if now + pause >= progress.deadline {
                break too_long_to_wait(error, pause);
            }
            self.transport.sleep(pause).await;
        };
        Err(progress.failed(error))
    }

    /// The error of a request without a usable response.
    fn no_response(&self, failure: Failure) -> Error {
        match failure {
            Failure::Network(problem) => self.unreachable(&problem),
            Failure::TooLong(status) => self.too_long(status),
            Failure::Redirected { status, target } => self.redirected(status, target.as_deref()),
            Failure::RedirectedWithoutBody { status, target } => {
                self.redirected_without_body(status, &target)
            }
            Failure::RedirectedTooOften(status) => self.redirected_too_often(status),
            Failure::Timeout => self.too_late(),
            Failure::Aborted => aborted(),
        }
    }

    /// The error of a successful response that is not `wanted`. Some APIs return errors with a status of success.
    pub fn misunderstood(&self, response: &HttpResponse, wanted: &str, progress: &Progress) -> Error {
        let (url, detail) = (self.shown(), self.detail(&response.body));
        let is_error = json::parse(&response.body).is_ok_and(|answer| error_message(&answer).is_some());
        let message = if is_error {
            format!("{url} answered with HTTP status {} and an error{detail}.", response.status)
        } else {
            format!("{url} answered with something other than {wanted}{detail}. Check baseURL.")
        };
        let error = Error::new(Code::ProviderError, message);
        progress.failed(error.with(|error| error.status = Some(response.status)))
    }

    fn refused(&self, response: &HttpResponse, what: &str) -> Error {
        let (code, hint) = match response.status {
            400..=403 if json::parse(&response.body).is_ok_and(|answer| is_moderation(&answer)) => {
                (Code::Refused, "")
            }
            401 | 403 => (Code::ProviderError, " Check the key."),
            400 | 404 if is_for_responses(&response.body) => (
                Code::ProviderError,
                " Reach it through the Responses API: initChatModel(…, { api: \"responses\" }).",
            ),
            404 => (Code::ProviderError, " Check baseURL and the name of the model."),
            _ if is_throttled(response) => {
                (Code::RateLimited, " Set requestsPerMinute, lower maxConcurrency, or raise maxRetries.")
            }
            _ => (Code::ProviderError, ""),
        };
        let (url, status, detail) = (self.shown(), response.status, self.detail(&response.body));
        let message = format!("{url} answered with {what} {status}{detail}.{hint}");
        let ids = ["x-request-id", "request-id", "x-amzn-requestid"];
        let request_id = ids.iter().find_map(|name| response.header(name));
        Error::new(code, message).with(|error| {
            error.status = Some(status);
            error.detail = redact(&detail, std::slice::from_ref(&self.config.model));
            error.request_id = request_id.map(|id| self.line(id)).filter(|id| !id.is_empty());
        })
    }

    /// The error of a question without a key.
    fn unprepared(&self, no_key: NoKey) -> Error {
        let (code, problem) = match no_key {
            NoKey::Aborted => return aborted(),
            NoKey::Timeout => {
                (Code::Timeout, format!("none arrived within {} ms (timeoutMs)", self.config.timeout_ms))
            }
            NoKey::Failed(problem) => (Code::CallbackFailed, self.line(&problem)),
        };
        Error::new(code, format!("There is no key for {}: {problem}.", self.shown()))
    }

    fn unreachable(&self, problem: &str) -> Error {
        let (url, problem) = (self.shown(), self.line(problem));
        Error::new(Code::ProviderError, format!("The request to {url} failed: {problem}."))
    }

    fn too_long(&self, status: u16) -> Error {
        let (url, limit) = (self.shown(), self.config.max_response_bytes);
        let message = format!("{url} answered with more than {limit} bytes (maxResponseBytes).");
        Error::new(Code::ProviderError, message).with(|error| error.status = Some(status))
    }

    fn redirected(&self, status: u16, target: Option<&str>) -> Error {
        let url = self.shown();
        let target = target.map_or_else(
            || "an address that the runtime does not reveal".to_owned(),
            |target| self.line(target),
        );
        let message = if (200..300).contains(&status) {
            format!(
                "The custom fetch followed a redirect from {url} to {target}, with the key and the \
                 prompt. It has to honor redirect: \"manual\"."
            )
        } else {
            format!(
                "{url} redirects to {target}, which must not receive the key and the prompt. If the API is there, pass \
                 its final address as baseURL."
            )
        };
        let status = Some(status).filter(|status| *status > 0);
        Error::new(Code::ProviderError, message).with(|error| error.status = status)
    }

    fn redirected_without_body(&self, status: u16, target: &str) -> Error {
        let (url, target) = (self.shown(), self.line(target));
        let message = format!(
            "{url} redirects to {target} with HTTP status {status}, which drops the prompt; only 307 and 308 are \
             followed. Pass as baseURL an address that does not redirect."
        );
        Error::new(Code::ProviderError, message).with(|error| error.status = Some(status))
    }

    fn redirected_too_often(&self, status: u16) -> Error {
        let message = format!("{} redirects too often. Check baseURL.", self.shown());
        Error::new(Code::ProviderError, message).with(|error| error.status = Some(status))
    }

    fn too_late(&self) -> Error {
        let (url, timeout_ms) = (self.shown(), self.config.timeout_ms);
        Error::new(Code::Timeout, format!("{url} did not answer within {timeout_ms} ms (timeoutMs)."))
    }

    /// The completion without the keys that the server repeated. A key that the schema contains, such as `reasoning`, is an
    /// ordinary word of the answer.
    pub fn without_secrets(&self, completion: Completion, schema: Option<&OutputSchema>) -> Completion {
        let words = schema.map(|schema| schema.schema.to_ascii_lowercase()).unwrap_or_default();
        let mut secrets = self.config.secrets.clone();
        secrets.extend(self.transport.secrets().secrets);
        secrets.retain(|secret| find(&words, &secret.to_ascii_lowercase()).is_none());
        let clean = |text: String| redact(&text, &secrets);
        let finish = match completion.finish {
            Finish::Refused(reason) => Finish::Refused(clean(reason)),
            finish => finish,
        };
        let text = clean(completion.text.clone());
        // The tokens would contain the secret as well, in pieces.
        let mut logprobs = completion.logprobs.filter(|_| text == completion.text);
        for token in logprobs.iter_mut().flatten() {
            token.token = clean(std::mem::take(&mut token.token));
            for likely in &mut token.likely {
                likely.token = clean(std::mem::take(&mut likely.token));
            }
        }
        let model = completion.model.map(clean);
        let mut usage = completion.usage;
        if let Some(unreadable) = usage.as_mut().and_then(|usage| usage.unreadable.as_mut()) {
            *unreadable = clean(std::mem::take(unreadable));
        }
        Completion { text, finish, model, usage, logprobs, ..completion }
    }

    /// The address for messages, without the query and the secrets in the path.
    fn shown(&self) -> String {
        let url = &self.config.url;
        redact(url.split_once('?').map_or(url, |(url, _)| url), &self.config.secrets)
    }

    /// The error in a body, as the end of a message.
    fn detail(&self, body: &str) -> String {
        let message = json::parse(body).ok().and_then(|answer| error_message(&answer));
        let line = self.line(&json::without_lone_surrogates(message.as_deref().unwrap_or(body)));
        if line.is_empty() { line } else { format!(": {line}") }
    }

    /// A text of a server for a message: short, on one line, without a period at the end.
    fn line(&self, text: &str) -> String {
        const LIMIT: usize = 300;
        // Redacted before it is cut, which could leave half a key. Words are not empty, so `LIMIT` words are enough.
        let asked = self.transport.secrets();
        let all = [&self.config.secrets, &asked.secrets, &self.config.private, &asked.private];
        let text = all.into_iter().fold(text.to_owned(), |text, secrets| redact(&text, secrets));
        let line = text.split_whitespace().take(LIMIT + 1).collect::<Vec<_>>().join(" ");
        let line = line.trim_end_matches('.');
        match beginning(line, LIMIT) {
            Some(start) => format!("{}…", start.trim_end()),
            None => line.to_owned(),
        }
    }
}

impl Progress {
    fn failed(&self, error: Error) -> Error {
        let attempts = self.attempts;
        let made = if attempts > 1 { format!(" ({attempts} attempts)") } else { String::new() };
        error.with(|error| {
            error.message.push_str(&made);
            error.attempts = Some(attempts);
        })
    }
}

/// Whether the model requires the Responses API, by the error messages of OpenAI and Azure.
fn is_for_responses(answer: &str) -> bool {
    const SIGNS: [&str; 3] = [
        "in v1/responses",
        "not supported in the v1/chat/completions",
        "chatCompletion operation does not work",
    ];
    SIGNS.iter().any(|sign| find(answer, sign).is_some())
}

fn aborted() -> Error {
    Error::new(Code::Aborted, "The signal was aborted before the model had answered.")
}

fn too_long_to_wait(error: Error, pause_ms: f64) -> Error {
    let seconds = (pause_ms / 1000.0).ceil() as u64;
    let message = format!("{} Another attempt in {seconds} s would be past timeoutMs.", error.message);
    error.with(|error| error.message = message)
}

#[cfg(test)]
mod tests;
