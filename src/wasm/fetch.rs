//! The network: `fetch`, with time limits and pauses that can be aborted.
//!
//! It is called with a URL and a plain object, the only form that a caller's `fetch` may know. ARCHITECTURE has the figures
//! for gloo-net's `Request`, which is larger and slower, and panics for a response of another realm.

use super::access::AccessCache;
use crate::chat::{Failure, HEADERS, HttpRequest, HttpResponse, NoKey, Secrets, Transport, Usage};
use crate::error::{Code, Error};
use gloo_net::http::Method;
use js_sys::{Date, Function, JsString, Math, Object, Promise, Reflect};
use std::borrow::Cow;
use wasm_bindgen::prelude::*;
use wasm_bindgen_futures::JsFuture;
use web_sys::{AbortSignal, RequestInit, RequestRedirect, Url};

#[wasm_bindgen]
extern "C" {
    /// The result of `fetch`, which may come from another realm, a polyfill, a mock or a mistake.
    type Response;

    #[wasm_bindgen(method, getter, catch)]
    fn status(this: &Response) -> Result<JsValue, JsValue>;

    #[wasm_bindgen(method, getter, catch)]
    fn headers(this: &Response) -> Result<Headers, JsValue>;

    /// Whether redirects were followed, and their target.
    #[wasm_bindgen(method, getter, catch)]
    fn redirected(this: &Response) -> Result<JsValue, JsValue>;

    #[wasm_bindgen(method, getter, catch)]
    fn url(this: &Response) -> Result<JsValue, JsValue>;

    /// `opaqueredirect` where a browser hides a redirect.
    #[wasm_bindgen(method, getter, catch, js_name = type)]
    fn kind(this: &Response) -> Result<JsValue, JsValue>;

    /// Sends the requests of a model within its rate limits (`limited.ts`).
    pub type Requests;

    #[wasm_bindgen(method, js_name = tryAcquire)]
    fn try_acquire(this: &Requests, length: u32) -> bool;

    #[wasm_bindgen(method)]
    fn acquire(this: &Requests, length: u32, deadline: &Deadline) -> Promise;

    /// Sends a request, with the global `fetch` if none is given.
    #[wasm_bindgen(method, catch)]
    fn send(
        this: &Requests,
        fetch: Option<&Function>,
        url: &str,
        init: &RequestInit,
    ) -> Result<JsValue, JsValue>;

    #[wasm_bindgen(method)]
    fn used(this: &Requests, length: u32, input: f64, output: f64);

    type Headers;

    #[wasm_bindgen(method, catch)]
    fn get(this: &Headers, name: &str) -> Result<JsValue, JsValue>;

    /// Limits how many questions are asked at a time (`slots.ts`).
    pub type Slots;

    /// A slot, or a promise of one, which never rejects.
    #[wasm_bindgen(method)]
    fn acquire(this: &Slots) -> JsValue;

    type Slot;

    #[wasm_bindgen(method)]
    fn end(this: &Slot);
}

#[wasm_bindgen(raw_module = "./core/platform/deadline.js")]
extern "C" {
    /// Is reached when the time is over or the signal aborts (`deadline.ts`). The package cancels the deadlines of an
    /// instance that failed; each request and timer of this module belongs to one.
    type Deadline;

    #[wasm_bindgen(constructor, catch)]
    fn after(ms: f64, signal: Option<&AbortSignal>) -> Result<Deadline, JsValue>;

    #[wasm_bindgen(method, getter)]
    fn reached(this: &Deadline) -> Promise;

    #[wasm_bindgen(method, getter)]
    fn signal(this: &Deadline) -> AbortSignal;

    #[wasm_bindgen(method, js_name = race)]
    fn race(this: &Deadline, promise: &JsValue) -> Promise;

    #[wasm_bindgen(method, js_name = cancel)]
    fn cancel(this: &Deadline);

    #[wasm_bindgen(method)]
    fn stop(this: &Deadline);
}

#[wasm_bindgen(raw_module = "./core/platform/body.js")]
extern "C" {
    /// The text of a response, as far as it was received (`body.ts`).
    type Body;

    #[wasm_bindgen(constructor)]
    fn new() -> Body;

    #[wasm_bindgen(method)]
    fn read(this: &Body, answer: &Response, limit: u32, deadline: &Deadline) -> Promise;

    #[wasm_bindgen(method, getter, js_name = isTooLong)]
    fn is_too_long(this: &Body) -> bool;

    #[wasm_bindgen(method, catch)]
    fn text(this: &Body) -> Result<String, JsValue>;
}

/// The length of a failed response that is read, in bytes or UTF-16 code units: far more than messages show.
const MAX_FAILURE_LENGTH: u32 = 65_536;

/// The most redirects of a request, as in `fetch`.
const MAX_REDIRECTS: u32 = 20;

/// The permission to ask; dropping it frees its slot.
pub(super) struct Permit(Option<Slot>);

impl Permit {
    /// Waits for a slot, if their number is limited.
    pub async fn acquire(slots: Option<&Slots>) -> Self {
        let Some(slots) = slots else {
            return Self(None);
        };
        let slot = match slots.acquire().dyn_into::<Promise>() {
            Ok(waiting) => JsFuture::from(waiting).await.ok(),
            Err(slot) => Some(slot),
        };
        Self(slot.map(JsCast::unchecked_into))
    }
}

impl Drop for Permit {
    fn drop(&mut self) {
        if let Some(slot) = &self.0 {
            slot.end();
        }
    }
}

/// Sends requests with `fetch`.
pub(super) struct Fetch {
    /// Used instead of the global `fetch`.
    fetch: Option<Function>,
    /// Ends requests and pauses.
    signal: Option<AbortSignal>,
    /// Sends them within the rate limits.
    requests: Requests,
    /// The access of questions, if a function provides it.
    access_cache: Option<AccessCache>,
}

impl Fetch {
    pub fn new(
        fetch: Option<Function>,
        signal: Option<AbortSignal>,
        open: Option<Function>,
        requests: Requests,
    ) -> Self {
        Self { fetch, signal, requests, access_cache: open.map(AccessCache::new) }
    }

    /// The cause of an error: the reason of the caller's signal, or the error of the function for the key.
    pub fn cause(&self, error: &Error) -> Option<JsValue> {
        match (error.code, &self.signal) {
            (Code::Aborted, Some(signal)) => Some(signal.reason()).filter(|reason| !reason.is_undefined()),
            _ => self.access_cache.as_ref()?.thrown.take(),
        }
    }

    /// Sends a request, and reads the response.
    async fn exchange(
        &self,
        request: &HttpRequest<'_>,
        deadline: &Deadline,
    ) -> Result<HttpResponse, Stopped> {
        let (response, status) = self.respond(request, deadline).await?;
        let is_success = (200..300).contains(&status);
        let limit = if is_success { request.max_response_bytes } else { MAX_FAILURE_LENGTH };
        let body = Body::new();
        let outcome = self.within(deadline, &body.read(&response, limit, deadline)).await;
        if is_success {
            outcome?;
            if body.is_too_long() {
                return Err(Failure::TooLong(status).into());
            }
            return Ok(HttpResponse { status, body: body.text()?, ..HttpResponse::default() });
        }
        // The status is enough for an error; the body is added as far as it was received.
        if outcome.is_err() || body.is_too_long() {
            deadline.cancel();
        }
        let header = |name| Some((name, header(&response, name)?));
        let headers = HEADERS.into_iter().filter_map(header).collect();
        Ok(HttpResponse { status, headers, body: body.text()? })
    }

    /// The response to a request, with its status. Follows redirects within the origin that keep the body.
    async fn respond(
        &self,
        request: &HttpRequest<'_>,
        deadline: &Deadline,
    ) -> Result<(Response, u16), Stopped> {
        let init = init_of(request, deadline)?;
        let mut url = Cow::Borrowed(request.url);
        let mut redirects = 0;
        loop {
            let admitted =
                self.access_cache.as_ref().and_then(|access_cache| access_cache.fetch.borrow().clone());
            let response = self.requests.send(admitted.as_ref().or(self.fetch.as_ref()), &url, &init)?;
            let response = self.within(deadline, &response).await?.unchecked_into::<Response>();
            let status = if response.is_object() { response.status()?.as_f64() } else { None };
            let no_response = || JsValue::from_str("fetch resolved to something other than a response");
            let status = status.ok_or_else(no_response)? as u16;
            let Some(target) = target(&response, status, &url) else { return Ok((response, status)) };
            let stays =
                target.as_ref().is_some_and(|target| origin(&url).is_some_and(|own| own == target.origin()));
            let target = match target {
                Some(target) if stays => target,
                target => {
                    return Err(Failure::Redirected { status, target: target.as_ref().map(shown) }.into());
                }
            };
            match status {
                307 | 308 if redirects == MAX_REDIRECTS => {
                    return Err(Failure::RedirectedTooOften(status).into());
                }
                307 | 308 => {
                    redirects += 1;
                    url = Cow::Owned(target.href());
                    // Reading the body frees the connection for the next request.
                    self.within(deadline, &Body::new().read(&response, MAX_FAILURE_LENGTH, deadline)).await?;
                }
                300..400 => {
                    let target = target.origin() + &target.pathname();
                    return Err(Failure::RedirectedWithoutBody { status, target }.into());
                }
                // A custom `fetch` may follow redirects anyway.
                _ => return Ok((response, status)),
            }
        }
    }

    /// The result of a promise, unless the deadline is reached first.
    async fn within(&self, deadline: &Deadline, promise: &JsValue) -> Result<JsValue, Stopped> {
        let value = JsFuture::from(deadline.race(promise)).await?;
        if value == **deadline || self.aborted() { Err(Failure::Timeout.into()) } else { Ok(value) }
    }
}

impl Transport for Fetch {
    async fn prepare(&self, timeout_ms: f64) -> Result<(), NoKey> {
        let Some(access_cache) = &self.access_cache else { return Ok(()) };
        let failed = |error: &JsValue| NoKey::Failed(describe(error));
        let deadline =
            DeadlineGuard::after(timeout_ms, self.signal.as_ref()).map_err(|error| failed(&error))?;
        let access = access_cache.ask().map_err(|thrown| failed(&thrown))?;
        match self.within(&deadline.0, &access).await {
            Ok(access) => {
                access_cache.admit(&access.unchecked_into());
                Ok(())
            }
            Err(_) if self.aborted() => Err(NoKey::Aborted),
            Err(Stopped::Thrown(thrown)) => {
                let no_key = failed(&thrown);
                access_cache.thrown.replace(Some(thrown));
                Err(no_key)
            }
            // Only the time limit stops the wait for a promise.
            Err(Stopped::Failed(_)) => Err(NoKey::Timeout),
        }
    }

    async fn acquire(&self, length: usize) -> f64 {
        let begun = self.now();
        if !self.requests.try_acquire(length as u32)
            && let Ok(deadline) = DeadlineGuard::after(f64::from(i32::MAX), self.signal.as_ref())
        {
            // If the limits cannot be loaded, the request is sent without them.
            let _ = JsFuture::from(self.requests.acquire(length as u32, &deadline.0)).await;
        }
        self.now() - begun
    }

    fn used(&self, length: usize, usage: &Usage) {
        self.requests.used(length as u32, usage.input_tokens as f64, usage.output_tokens as f64);
    }

    fn secrets(&self) -> Secrets {
        self.access_cache
            .as_ref()
            .map(|access_cache| access_cache.secrets.borrow().clone())
            .unwrap_or_default()
    }

    async fn send(&self, request: &HttpRequest<'_>, timeout_ms: f64) -> Result<HttpResponse, Failure> {
        let network = |error: &JsValue| Failure::Network(describe(error));
        let deadline =
            DeadlineGuard::after(timeout_ms, self.signal.as_ref()).map_err(|error| network(&error))?;
        let outcome = self.exchange(request, &deadline.0).await;
        if self.aborted() {
            deadline.0.cancel();
            return Err(Failure::Aborted);
        }
        outcome.map_err(|stopped| {
            // Also ends a response that could not be used and is still being received.
            deadline.0.cancel();
            match stopped {
                Stopped::Failed(failure) => failure,
                Stopped::Thrown(error) => network(&error),
            }
        })
    }

    async fn sleep(&self, ms: f64) {
        if let Ok(deadline) = DeadlineGuard::after(ms, self.signal.as_ref()) {
            // It never rejects.
            let _ = JsFuture::from(deadline.0.reached()).await;
        }
    }

    fn aborted(&self) -> bool {
        self.signal.as_ref().is_some_and(AbortSignal::aborted)
    }

    fn now(&self) -> f64 {
        Date::now()
    }

    fn random(&self) -> f64 {
        Math::random()
    }
}

/// Why a request has no response.
enum Stopped {
    Failed(Failure),
    /// JavaScript threw this value, or rejected a promise with it.
    Thrown(JsValue),
}

impl From<Failure> for Stopped {
    fn from(failure: Failure) -> Self {
        Self::Failed(failure)
    }
}

impl From<JsValue> for Stopped {
    fn from(thrown: JsValue) -> Self {
        Self::Thrown(thrown)
    }
}

/// The options of `fetch` for a request.
fn init_of(request: &HttpRequest<'_>, deadline: &Deadline) -> Result<RequestInit, JsValue> {
    let headers = Object::new();
    for (name, value) in request.headers {
        Reflect::set(&headers, &name.into(), &value.into())?;
    }
    let init = RequestInit::new();
    init.set_method(Method::POST.as_str());
    init.set_headers(&headers);
    init.set_body(&request.body.into());
    init.set_signal(Some(&deadline.signal()));
    // Following a redirect would send keys and prompts to its target.
    init.set_redirect(RequestRedirect::Manual);
    Ok(init)
}

/// Stops its deadline when it is dropped.
struct DeadlineGuard(Deadline);

impl DeadlineGuard {
    fn after(ms: f64, signal: Option<&AbortSignal>) -> Result<Self, JsValue> {
        Deadline::after(ms, signal).map(Self)
    }
}

impl Drop for DeadlineGuard {
    fn drop(&mut self) {
        self.0.stop();
    }
}

/// The target of a redirect, followed or not; `Some(None)` if the runtime hides it.
fn target(response: &Response, status: u16, url: &str) -> Option<Option<Url>> {
    let text = |value: Result<JsValue, JsValue>| value.ok().and_then(|value| value.as_string());
    if response.redirected().is_ok_and(|redirected| redirected == true) {
        return Some(text(response.url()).and_then(|url| Url::new(&url).ok()));
    }
    if text(response.kind()).is_some_and(|kind| kind == "opaqueredirect") {
        return Some(None);
    }
    let location = matches!(status, 301 | 302 | 303 | 307 | 308).then(|| header(response, "location"))??;
    Some(Url::new_with_base(&location, url).or_else(|_| Url::new(&location)).ok())
}

/// The part of an address that messages show: the rest may be secret.
fn shown(target: &Url) -> String {
    match target.origin() {
        // Of `file:` and others.
        origin if origin == "null" => format!("a {} address", target.protocol()),
        origin => origin,
    }
}

/// The origin of an address; `None` for a relative one.
fn origin(url: &str) -> Option<String> {
    Url::new(url).ok().map(|url| url.origin())
}

fn header(response: &Response, name: &str) -> Option<String> {
    beginning(&response.headers().ok()?.get(name).ok()?)
}

/// The message of a thrown value, with that of its `cause`, where `fetch` has the real reason.
pub(super) fn describe(thrown: &JsValue) -> String {
    let text = |value: &JsValue, key: &str| {
        let text = beginning(&Reflect::get(value, &key.into()).ok()?)?;
        Some(text).filter(|text| !text.is_empty())
    };
    let message = text(thrown, "message").or_else(|| beginning(thrown));
    let message = message.unwrap_or_else(|| "a value other than an error was thrown".to_owned());
    let cause = Reflect::get(thrown, &"cause".into()).ok();
    match cause.and_then(|cause| text(&cause, "message").or_else(|| text(&cause, "code"))) {
        Some(cause) => format!("{message}: {cause}"),
        None => message,
    }
}

/// The beginning of a value that is a string.
fn beginning(value: &JsValue) -> Option<String> {
    value.is_string().then(|| value.unchecked_ref::<JsString>().slice(0, MAX_FAILURE_LENGTH).into())
}
