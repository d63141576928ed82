//! A model behind an HTTP API: one question, as many attempts as it takes and the options allow.

use super::dialect::error_message;
use super::retry::{is_transient, pause_ms};
use super::{ChatModel, ChatRequest, Completion, Dialect, Failure, HttpRequest, HttpResponse, Transport};
use crate::error::{Code, Error, Result};
use crate::json::{self, Json};

/// Which model to ask, and how. Holds a key, so it is not `Debug`.
#[derive(Clone)]
pub struct ProviderOptions {
    /// How the API is spoken to.
    pub dialect: Dialect,
    /// The model's name, as the API knows it.
    pub model: String,
    /// Where the API is.
    pub base_url: String,
    /// The key, if one is needed.
    pub api_key: Option<String>,
    /// More headers, with names in lower case; they win over our own.
    pub headers: Vec<(String, String)>,
    /// How many more attempts are made when one fails that might succeed later.
    pub max_retries: u32,
    /// How long one question may take, with all attempts and the pauses between them.
    pub timeout_ms: u32,
    /// How random answers are, as a JSON number; left to the API if not given.
    pub temperature: Option<String>,
    /// How long answers may be; left to the API if not given.
    pub max_tokens: Option<u32>,
    /// An object that is merged into the body of every request.
    pub params: Option<Json<'static>>,
}

/// A model behind an HTTP API.
pub struct Provider<T> {
    options: ProviderOptions,
    url: String,
    headers: Vec<(String, String)>,
    transport: T,
}

impl<T: Transport> Provider<T> {
    /// The model that the options name, reached over the given transport.
    pub fn new(options: ProviderOptions, transport: T) -> Self {
        let mut headers = vec![("content-type".to_owned(), "application/json".to_owned())];
        headers.extend(options.api_key.as_deref().map(|key| options.dialect.key_header(key)));
        headers.retain(|(name, _)| options.headers.iter().all(|(own, _)| own != name));
        headers.extend(options.headers.iter().cloned());
        let url = format!("{}{}", options.base_url.trim_end_matches('/'), options.dialect.path());
        Self { options, url, headers, transport }
    }

    /// What reaches the API.
    pub fn transport(&self) -> &T {
        &self.transport
    }

    fn body(&self, request: &ChatRequest<'_>) -> String {
        let mut body = self.options.dialect.body(&self.options, request);
        if let Some(params) = &self.options.params {
            body.merge(params);
        }
        body.into_text()
    }

    async fn attempt(&self, request: &HttpRequest<'_>, timeout_ms: f64) -> Result<Completion, Failed> {
        match self.transport.send(request, timeout_ms).await {
            Ok(response) if (200..300).contains(&response.status) => self.read(&response),
            Ok(response) => Err(self.refused(response)),
            Err(Failure::Network(problem)) => {
                let problem = self.redact(&problem);
                let message = format!("The request to {} failed: {problem}.", self.url);
                let error = Error::new(Code::ProviderError, message);
                Err(Failed { error, may_pass: true, retry_after: None })
            }
            Err(Failure::Timeout) => {
                let (url, timeout_ms) = (&self.url, self.options.timeout_ms);
                let message = format!("{url} did not answer within {timeout_ms} ms (timeoutMs).");
                Err(Failed::for_good(Error::new(Code::Timeout, message)))
            }
            Err(Failure::Aborted) => Err(Failed::for_good(aborted())),
        }
    }

    fn read(&self, response: &HttpResponse) -> Result<Completion, Failed> {
        let answer = json::parse(&response.body).ok();
        let completion = answer.as_ref().and_then(|answer| self.options.dialect.read(answer));
        let Some(completion) = completion else {
            let (url, detail) = (&self.url, self.detail(&response.body));
            let message =
                format!("{url} answered with something that is no completion{detail}. Check baseURL.");
            let error = Error::new(Code::ProviderError, message);
            return Err(Failed::for_good(Error { status: Some(response.status), ..error }));
        };
        Ok(Completion { model: completion.model.or_else(|| Some(self.options.model.clone())), ..completion })
    }

    fn refused(&self, response: HttpResponse) -> Failed {
        let HttpResponse { status, body, request_id, retry_after } = response;
        let (code, hint) = match status {
            401 | 403 => (Code::ProviderError, " Check the key."),
            404 => (Code::ProviderError, " Check baseURL and the name of the model."),
            429 => (Code::RateLimited, " Ask less at a time, or raise maxRetries."),
            _ => (Code::ProviderError, ""),
        };
        let message = format!("{} answered with HTTP status {status}{}.{hint}", self.url, self.detail(&body));
        let error = Error { status: Some(status), request_id, ..Error::new(code, message) };
        Failed { error, may_pass: is_transient(status), retry_after }
    }

    /// What a body says, short and on one line, to stand behind a message.
    fn detail(&self, body: &str) -> String {
        const LIMIT: usize = 300;
        let message = json::parse(body).ok().and_then(|answer| error_message(&answer));
        // Redacted before it is cut, which would leave half a key.
        let text = self.redact(&json::without_lone_surrogates(message.as_deref().unwrap_or(body)));
        let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
        let line = line.trim_end_matches('.');
        match line.char_indices().nth(LIMIT).and_then(|(end, _)| line.get(..end)) {
            _ if line.is_empty() => String::new(),
            Some(start) => format!(": {start}…"),
            None => format!(": {line}"),
        }
    }

    /// No message may hold a key, though the API may have repeated it, and headers may hold another.
    fn redact(&self, text: &str) -> String {
        let values = self.options.headers.iter().map(|(_, value)| value.as_str());
        let secrets = values.flat_map(str::split_whitespace).chain(self.options.api_key.as_deref());
        // Shorter ones are no secrets, and would tear other words apart.
        secrets.filter(|secret| secret.len() >= 8).fold(text.to_owned(), |text, secret| {
            if text.contains(secret) { text.replace(secret, "[redacted]") } else { text }
        })
    }
}

impl<T: Transport> ChatModel for Provider<T> {
    async fn complete(&self, request: &ChatRequest<'_>) -> Result<Completion> {
        let body = self.body(request);
        let http = HttpRequest { url: &self.url, headers: &self.headers, body: &body };
        let deadline = self.transport.now() + f64::from(self.options.timeout_ms);
        let mut attempts = 0;
        let error = loop {
            if self.transport.aborted() {
                break aborted();
            }
            attempts += 1;
            let failed = match self.attempt(&http, deadline - self.transport.now()).await {
                Ok(completion) => return Ok(Completion { attempts, ..completion }),
                Err(failed) => failed,
            };
            if !failed.may_pass || attempts > self.options.max_retries {
                break failed.error;
            }
            let now = self.transport.now();
            let pause = pause_ms(attempts, failed.retry_after.as_deref(), now, self.transport.random());
            if now + pause >= deadline {
                break too_long_to_wait(failed.error, pause);
            }
            self.transport.sleep(pause).await;
        };
        let made = if attempts > 1 { format!(" ({attempts} attempts)") } else { String::new() };
        Err(Error { message: error.message + &made, attempts: Some(attempts), ..error })
    }
}

/// An attempt that failed.
struct Failed {
    error: Error,
    /// Whether another one may succeed.
    may_pass: bool,
    /// When, by the server's word.
    retry_after: Option<String>,
}

impl Failed {
    fn for_good(error: Error) -> Self {
        Self { error, may_pass: false, retry_after: None }
    }
}

fn aborted() -> Error {
    Error::new(Code::Aborted, "The signal was aborted before the model had answered.")
}

fn too_long_to_wait(error: Error, pause_ms: f64) -> Error {
    let seconds = (pause_ms / 1000.0).ceil() as u64;
    let message = format!("{} Another attempt in {seconds} s would be past timeoutMs.", error.message);
    Error { message, ..error }
}

#[cfg(test)]
mod tests;
