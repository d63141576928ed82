//! One address of an HTTP API: a question is posted to it, as often as it takes and the options allow.

use super::dialect::{Dialect, error_message, is_moderation, relayed_status};
use super::redact::redact;
use super::retry::{is_throttled, may_pass, pause_ms};
use super::{Completion, Failure, Finish, HttpRequest, HttpResponse, Transport};
use crate::error::{Code, Error, Result};
use crate::json::{self, Draft};
use crate::text::find;
use serde::Deserialize;

/// Which model to ask, and where. It holds a key, so it is not `Debug`.
#[derive(Clone, Deserialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
pub struct EndpointConfig {
    /// How the API is spoken to.
    pub dialect: Dialect,
    /// What messages call the provider.
    pub provider: String,
    /// The model's name, as the API knows it.
    pub model: String,
    /// Where requests go.
    pub url: String,
    /// All the headers of a request.
    pub headers: Vec<(String, String)>,
    /// What no text may hold: the keys, in the headers and the address.
    pub secrets: Vec<String>,
    /// What messages of errors do not hold either: what may be secret, and may be an ordinary word.
    pub private: Vec<String>,
    /// How many more attempts are made when one fails that might succeed later.
    pub max_retries: u32,
    /// How long one question may take, with all attempts and the pauses between them.
    pub timeout_ms: u32,
    /// How long the body of an answer may be.
    pub max_response_bytes: u32,
    /// The JSON text of an object that is merged into the body of every request.
    pub params: Option<String>,
}

impl EndpointConfig {
    /// The text of a body, with the `params` in it.
    pub fn with_params(&self, mut body: Draft) -> Result<String> {
        if let Some(params) = &self.params {
            body.merge(&json::parse(params)?);
        }
        Ok(body.into_text())
    }
}

/// An address of an API, and the transport to it.
pub struct Endpoint<T> {
    /// The address, and how requests to it are made.
    pub config: EndpointConfig,
    /// Sends the requests.
    pub transport: T,
}

/// How far an exchange has come: its deadline, and its attempts.
pub struct Progress {
    deadline: f64,
    /// How many requests were sent for it.
    pub attempts: u32,
}

impl<T: Transport> Endpoint<T> {
    /// The beginning of a question: from now on, time counts.
    pub fn begin(&self) -> Progress {
        Progress { deadline: self.transport.now() + f64::from(self.config.timeout_ms), attempts: 0 }
    }

    /// The first answer that is a success.
    pub async fn post(&self, body: &str, progress: &mut Progress) -> Result<HttpResponse> {
        let mut retries = 0;
        let error = loop {
            // The turns of others are no time of this question's.
            progress.deadline += self.transport.turn(body.len()).await;
            if self.transport.aborted() {
                break aborted();
            }
            if progress.attempts == 0
                && let Err(failure) = self.transport.prepare(progress.deadline - self.transport.now()).await
            {
                break self.unprepared(failure);
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
                Err(Failure::Network(problem) | Failure::NoKey(problem)) => {
                    (self.unreachable(&problem), None)
                }
                Err(Failure::TooLong(status)) => break self.too_long(status),
                Err(Failure::Redirected { status, origin }) => {
                    break self.redirected(status, origin.as_deref());
                }
                Err(Failure::RedirectedTooOften(status)) => break self.redirected_too_often(status),
                Err(Failure::Timeout) => break self.too_late(),
                Err(Failure::Aborted) => break aborted(),
            };
            if retries >= self.config.max_retries || !response.as_ref().is_none_or(may_pass) {
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

    /// The error of an answer that should be, but is not, what `wanted` says. Some put errors into successes.
    pub fn misunderstood(&self, response: &HttpResponse, wanted: &str, progress: &Progress) -> Error {
        let (url, detail) = (self.shown(), self.detail(&response.body));
        let is_error = json::parse(&response.body).is_ok_and(|answer| error_message(&answer).is_some());
        let message = if is_error {
            format!("{url} answered with an error, and HTTP status {}{detail}.", response.status)
        } else {
            format!("{url} answered with something that is no {wanted}{detail}. Check baseURL.")
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
                (Code::RateLimited, " Set requestsPerMinute, ask less at a time, or raise maxRetries.")
            }
            _ => (Code::ProviderError, ""),
        };
        let (url, status, detail) = (self.shown(), response.status, self.detail(&response.body));
        let message = format!("{url} answered with {what} {status}{detail}.{hint}");
        let ids = ["x-request-id", "request-id", "x-amzn-requestid"];
        let request_id = ids.iter().find_map(|name| response.header(name));
        Error::new(code, message).with(|error| {
            error.status = Some(status);
            error.request_id = request_id.map(|id| self.line(id)).filter(|id| !id.is_empty());
        })
    }

    /// The error of a question for which there was no key.
    fn unprepared(&self, failure: Failure) -> Error {
        let (code, problem) = match failure {
            Failure::Aborted => return aborted(),
            Failure::Timeout => {
                (Code::Timeout, format!("none was given within {} ms (timeoutMs)", self.config.timeout_ms))
            }
            Failure::NoKey(problem) => (Code::CallbackFailed, self.line(&problem)),
            _ => (Code::CallbackFailed, String::new()),
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

    fn redirected(&self, status: u16, origin: Option<&str>) -> Error {
        let url = self.shown();
        let target =
            origin.map_or_else(|| "an address that is not told".to_owned(), |origin| self.line(origin));
        let message = if (200..300).contains(&status) {
            format!(
                "The fetch that was passed has followed a redirect from {url} to {target}, with the key and the \
                 prompt. It has to heed redirect: \"manual\"."
            )
        } else {
            format!(
                "{url} redirects to {target}, which is not followed with the key and the prompt. If the API is there, \
                 pass as baseURL the address that does not redirect."
            )
        };
        let status = Some(status).filter(|status| *status > 0);
        Error::new(Code::ProviderError, message).with(|error| error.status = status)
    }

    fn redirected_too_often(&self, status: u16) -> Error {
        let message = format!("{} redirects too often. Check baseURL.", self.shown());
        Error::new(Code::ProviderError, message).with(|error| error.status = Some(status))
    }

    fn too_late(&self) -> Error {
        let (url, timeout_ms) = (self.shown(), self.config.timeout_ms);
        Error::new(Code::Timeout, format!("{url} did not answer within {timeout_ms} ms (timeoutMs)."))
    }

    /// The completion without the keys that a server has repeated in it.
    pub fn without_secrets(&self, completion: Completion) -> Completion {
        let asked = self.transport.secrets().secrets;
        let clean = |text: String| redact(&redact(&text, &self.config.secrets), &asked);
        let finish = match completion.finish {
            Finish::Refused(reason) => Finish::Refused(clean(reason)),
            finish => finish,
        };
        let text = clean(completion.text.clone());
        // What repeats a secret does so in its tokens, too, however these divide it.
        let mut logprobs = completion.logprobs.filter(|_| text == completion.text);
        for token in logprobs.iter_mut().flatten() {
            token.token = clean(std::mem::take(&mut token.token));
            for likely in &mut token.likely {
                likely.token = clean(std::mem::take(&mut likely.token));
            }
        }
        let model = completion.model.map(clean);
        Completion { text, finish, model, logprobs, ..completion }
    }

    /// The address as messages show it: without the query, and what is secret in the path.
    fn shown(&self) -> String {
        let url = &self.config.url;
        redact(url.split_once('?').map_or(url, |(url, _)| url), &self.config.secrets)
    }

    /// What a body says, to stand behind a message.
    fn detail(&self, body: &str) -> String {
        let message = json::parse(body).ok().and_then(|answer| error_message(&answer));
        let line = self.line(&json::without_lone_surrogates(message.as_deref().unwrap_or(body)));
        if line.is_empty() { line } else { format!(": {line}") }
    }

    /// What others say, short and on one line, without the period at its end.
    fn line(&self, text: &str) -> String {
        const LIMIT: usize = 300;
        // Redacted before it is cut, which would leave half a key. No word is empty, so that more are never shown.
        let asked = self.transport.secrets();
        let all = [&self.config.secrets, &asked.secrets, &self.config.private, &asked.private];
        let text = all.into_iter().fold(text.to_owned(), |text, secrets| redact(&text, secrets));
        let line = text.split_whitespace().take(LIMIT + 1).collect::<Vec<_>>().join(" ");
        let line = line.trim_end_matches('.');
        match line.char_indices().nth(LIMIT).and_then(|(end, _)| line.get(..end)) {
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

/// Whether the model is not one of those that chat completions have: OpenAI's words for it, and Azure's.
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
