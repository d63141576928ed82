//! The network: `fetch`, with time limits, and pauses that can be cut short.
//!
//! It is called as everybody calls it, with a URL and a plain object: a `fetch` of the caller's may not know another
//! form. For the global one, gloo-net's `Headers`, `RequestBuilder` and `Request` were tried beside that: 2.3 KB more of
//! the binary and 0.2 of the bindings, compressed, and 163 µs instead of 87 for a call, since it makes two requests and a
//! URL of each, which also spells addresses anew. Its `send` panics when what comes back is no `Response` of this realm.

use super::access::Keeper;
use crate::chat::{Failure, HEADERS, HttpRequest, HttpResponse, Secrets, Transport, Usage};
use crate::error::{Code, Error};
use gloo_net::http::Method;
use js_sys::{Date, Function, JsString, Math, Object, Promise, Reflect};
use std::borrow::Cow;
use wasm_bindgen::prelude::*;
use wasm_bindgen_futures::JsFuture;
use web_sys::{AbortSignal, RequestInit, RequestRedirect, Url};

#[wasm_bindgen]
extern "C" {
    /// Whatever a `fetch` resolves to: of this realm or another, from a polyfill, a mock, or a mistake.
    type Response;

    #[wasm_bindgen(method, getter, catch)]
    fn status(this: &Response) -> Result<JsValue, JsValue>;

    #[wasm_bindgen(method, getter, catch)]
    fn headers(this: &Response) -> Result<Headers, JsValue>;

    /// Whether redirects were followed on the way to it, and where they led.
    #[wasm_bindgen(method, getter, catch)]
    fn redirected(this: &Response) -> Result<JsValue, JsValue>;

    #[wasm_bindgen(method, getter, catch)]
    fn url(this: &Response) -> Result<JsValue, JsValue>;

    /// `opaqueredirect` where a browser hides a redirect.
    #[wasm_bindgen(method, getter, catch, js_name = type)]
    fn kind(this: &Response) -> Result<JsValue, JsValue>;

    /// The requests of a model: they go when its limits allow it (`limited.ts`).
    pub type Requests;

    #[wasm_bindgen(method, js_name = letsGo)]
    fn lets_go(this: &Requests, length: u32) -> bool;

    #[wasm_bindgen(method)]
    fn turn(this: &Requests, length: u32, alarm: &Alarm) -> Promise;

    /// Sends one, with the global `fetch` if none is given.
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

    /// Lets so many requests in at a time (`concurrency.ts`).
    pub type Turnstile;

    #[wasm_bindgen(method)]
    fn enter(this: &Turnstile) -> Option<Promise>;

    #[wasm_bindgen(method)]
    fn leave(this: &Turnstile);
}

#[wasm_bindgen(raw_module = "./core/platform/alarm.js")]
extern "C" {
    /// Rings when the time is over or the signal fires (`alarm.ts`). Also what finds the requests of an engine that is
    /// given up: all that this module holds open in the outside world hangs on one of these.
    type Alarm;

    #[wasm_bindgen(constructor, catch)]
    fn after(ms: f64, signal: Option<&AbortSignal>) -> Result<Alarm, JsValue>;

    #[wasm_bindgen(method, getter)]
    fn rings(this: &Alarm) -> Promise;

    #[wasm_bindgen(method, getter)]
    fn signal(this: &Alarm) -> AbortSignal;

    #[wasm_bindgen(method, js_name = orRings)]
    fn or_rings(this: &Alarm, promise: &JsValue) -> Promise;

    #[wasm_bindgen(method, js_name = hangUp)]
    fn hang_up(this: &Alarm);

    #[wasm_bindgen(method)]
    fn stop(this: &Alarm);
}

#[wasm_bindgen(raw_module = "./models/chat/body.js")]
extern "C" {
    /// The text of an answer, as far as it has come (`body.ts`).
    type Body;

    #[wasm_bindgen(constructor)]
    fn new() -> Body;

    #[wasm_bindgen(method)]
    fn read(this: &Body, answer: &Response, limit: u32, alarm: &Alarm) -> Promise;

    #[wasm_bindgen(method, getter, js_name = isTooLong)]
    fn is_too_long(this: &Body) -> bool;

    #[wasm_bindgen(method, catch)]
    fn text(this: &Body) -> Result<String, JsValue>;
}

/// How much is read of what went wrong, in bytes or UTF-16 code units: far more than messages show.
const MOST_OF_A_FAILURE: u32 = 65_536;

/// How often one request is sent on, as `fetch` has it.
const MOST_REDIRECTS: u32 = 20;

/// Being on the other side of a turnstile.
pub(super) struct Pass<'t>(Option<&'t Turnstile>);

impl<'t> Pass<'t> {
    /// Waits until there is room.
    pub async fn through(turnstile: Option<&'t Turnstile>) -> Self {
        if let Some(waiting) = turnstile.and_then(Turnstile::enter) {
            // It never rejects.
            let _ = JsFuture::from(waiting).await;
        }
        Self(turnstile)
    }
}

impl Drop for Pass<'_> {
    fn drop(&mut self) {
        if let Some(turnstile) = self.0 {
            turnstile.leave();
        }
    }
}

/// Sends requests with `fetch`.
pub(super) struct Fetch {
    /// The one to use in the place of the global one.
    fetch: Option<Function>,
    /// Ends requests and pauses.
    signal: Option<AbortSignal>,
    /// What sends them.
    requests: Requests,
    /// What lets questions in, where that is asked for.
    keeper: Option<Keeper>,
}

impl Fetch {
    pub fn new(
        fetch: Option<Function>,
        signal: Option<AbortSignal>,
        open: Option<Function>,
        requests: Requests,
    ) -> Self {
        Self { fetch, signal, requests, keeper: open.map(Keeper::new) }
    }

    /// What is behind an error: why the caller gave up, or what kept a key away.
    pub fn cause(&self, error: &Error) -> Option<JsValue> {
        match (error.code, &self.signal) {
            (Code::Aborted, Some(signal)) => Some(signal.reason()).filter(|reason| !reason.is_undefined()),
            _ => self.keeper.as_ref()?.thrown.take(),
        }
    }

    async fn exchange(&self, request: &HttpRequest<'_>, alarm: &Alarm) -> Result<HttpResponse, Stopped> {
        let headers = Object::new();
        for (name, value) in request.headers {
            Reflect::set(&headers, &name.into(), &value.into())?;
        }
        let init = RequestInit::new();
        init.set_method(Method::POST.as_str());
        init.set_headers(&headers);
        init.set_body(&request.body.into());
        init.set_signal(Some(&alarm.signal()));
        // Followed, a redirect would take keys and prompts to whomever it names.
        init.set_redirect(RequestRedirect::Manual);
        let mut url = Cow::Borrowed(request.url);
        let mut redirects = 0;
        let (response, status) = loop {
            let admitted = self.keeper.as_ref().and_then(|keeper| keeper.fetch.borrow().clone());
            let response = self.requests.send(admitted.as_ref().or(self.fetch.as_ref()), &url, &init)?;
            let response = self.unless_it_rings(alarm, &response).await?.unchecked_into::<Response>();
            let status = if response.is_object() { response.status()?.as_f64() } else { None };
            let no_response = || JsValue::from_str("fetch resolved to something that is no response");
            let status = status.ok_or_else(no_response)? as u16;
            let Some(target) = target(&response, status, &url) else { break (response, status) };
            let stays =
                target.as_ref().is_some_and(|target| origin(&url).is_some_and(|own| own == target.origin()));
            if stays && (200..300).contains(&status) {
                break (response, status);
            }
            match target {
                Some(target) if stays && matches!(status, 307 | 308) => {
                    if redirects == MOST_REDIRECTS {
                        return Err(Stopped::RedirectedTooOften(status));
                    }
                    redirects += 1;
                    url = Cow::Owned(target.href());
                    // Read, so that the connection is free for the next request.
                    self.unless_it_rings(alarm, &Body::new().read(&response, MOST_OF_A_FAILURE, alarm))
                        .await?;
                }
                target => {
                    return Err(Stopped::Redirected { status, origin: target.map(|target| target.origin()) });
                }
            }
        };
        let is_success = (200..300).contains(&status);
        let limit = if is_success { request.max_response_bytes } else { MOST_OF_A_FAILURE };
        let body = Body::new();
        let outcome = self.unless_it_rings(alarm, &body.read(&response, limit, alarm)).await;
        if is_success {
            outcome?;
            if body.is_too_long() {
                return Err(Stopped::TooLong(status));
            }
            return Ok(HttpResponse { status, body: body.text()?, ..HttpResponse::default() });
        }
        // The status says enough. What there is of the body is told, too.
        if outcome.is_err() || body.is_too_long() {
            alarm.hang_up();
        }
        let header = |name| Some((name, header(&response, name)?));
        let headers = HEADERS.into_iter().filter_map(header).collect();
        Ok(HttpResponse { status, headers, body: body.text()? })
    }

    /// What a promise resolves to.
    async fn unless_it_rings(&self, alarm: &Alarm, promise: &JsValue) -> Result<JsValue, Stopped> {
        let value = JsFuture::from(alarm.or_rings(promise)).await?;
        if value == **alarm || self.aborted() { Err(Stopped::Rang) } else { Ok(value) }
    }
}

impl Transport for Fetch {
    async fn prepare(&self, timeout_ms: f64) -> Result<(), Failure> {
        let Some(keeper) = &self.keeper else { return Ok(()) };
        let no_key = |error: &JsValue| Failure::NoKey(describe(error));
        let alarm = Held::after(timeout_ms, self.signal.as_ref()).map_err(|error| no_key(&error))?;
        let access = keeper.ask().map_err(|thrown| no_key(&thrown))?;
        match self.unless_it_rings(&alarm.0, &access).await {
            Ok(access) => {
                keeper.admit(&access.unchecked_into());
                Ok(())
            }
            Err(_) if self.aborted() => Err(Failure::Aborted),
            Err(Stopped::Failed(thrown)) => {
                let failure = no_key(&thrown);
                keeper.thrown.replace(Some(thrown));
                Err(failure)
            }
            Err(_) => Err(Failure::Timeout),
        }
    }

    async fn turn(&self, length: usize) -> f64 {
        let begun = self.now();
        if !self.requests.lets_go(length as u32)
            && let Ok(alarm) = Held::after(f64::from(i32::MAX), self.signal.as_ref())
        {
            // Nobody is kept from asking because what knows the limits could not be loaded.
            let _ = JsFuture::from(self.requests.turn(length as u32, &alarm.0)).await;
        }
        self.now() - begun
    }

    fn used(&self, length: usize, usage: &Usage) {
        self.requests.used(length as u32, usage.input_tokens as f64, usage.output_tokens as f64);
    }

    fn secrets(&self) -> Secrets {
        self.keeper.as_ref().map(|keeper| keeper.secrets.borrow().clone()).unwrap_or_default()
    }

    async fn send(&self, request: &HttpRequest<'_>, timeout_ms: f64) -> Result<HttpResponse, Failure> {
        let network = |error: &JsValue| Failure::Network(describe(error));
        let alarm = Held::after(timeout_ms, self.signal.as_ref()).map_err(|error| network(&error))?;
        let outcome = self.exchange(request, &alarm.0).await;
        if self.aborted() {
            alarm.0.hang_up();
            return Err(Failure::Aborted);
        }
        outcome.map_err(|stopped| {
            // Also where the answer was no answer and still goes on.
            alarm.0.hang_up();
            match stopped {
                Stopped::Rang => Failure::Timeout,
                Stopped::TooLong(status) => Failure::TooLong(status),
                Stopped::Redirected { status, origin } => Failure::Redirected { status, origin },
                Stopped::RedirectedTooOften(status) => Failure::RedirectedTooOften(status),
                Stopped::Failed(error) => network(&error),
            }
        })
    }

    async fn sleep(&self, ms: f64) {
        if let Ok(alarm) = Held::after(ms, self.signal.as_ref()) {
            // It never rejects.
            let _ = JsFuture::from(alarm.0.rings()).await;
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

/// Why an exchange has no answer.
enum Stopped {
    Rang,
    /// A success of this status, with more than may be read.
    TooLong(u16),
    Redirected {
        status: u16,
        origin: Option<String>,
    },
    RedirectedTooOften(u16),
    Failed(JsValue),
}

impl From<JsValue> for Stopped {
    fn from(error: JsValue) -> Self {
        Self::Failed(error)
    }
}

/// An alarm that is stopped when nothing waits for it any more.
struct Held(Alarm);

impl Held {
    fn after(ms: f64, signal: Option<&AbortSignal>) -> Result<Self, JsValue> {
        Alarm::after(ms, signal).map(Self)
    }
}

impl Drop for Held {
    fn drop(&mut self) {
        self.0.stop();
    }
}

/// Where an answer redirects the request to, or has been redirected to; `Some(None)` if that is not told.
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

/// The origin of an address; none of one that is relative.
fn origin(url: &str) -> Option<String> {
    Url::new(url).ok().map(|url| url.origin())
}

fn header(response: &Response, name: &str) -> Option<String> {
    beginning(&response.headers().ok()?.get(name).ok()?)
}

/// What was thrown, in one line; `fetch` puts what really happened into the `cause`.
pub(super) fn describe(thrown: &JsValue) -> String {
    let text = |value: &JsValue, key: &str| {
        let text = beginning(&Reflect::get(value, &key.into()).ok()?)?;
        Some(text).filter(|text| !text.is_empty())
    };
    let message = text(thrown, "message").or_else(|| beginning(thrown));
    let message = message.unwrap_or_else(|| "something was thrown that is no error".to_owned());
    let cause = Reflect::get(thrown, &"cause".into()).ok();
    match cause.and_then(|cause| text(&cause, "message").or_else(|| text(&cause, "code"))) {
        Some(cause) => format!("{message}: {cause}"),
        None => message,
    }
}

/// What a string says, if it is one; not all of it where it is longer than anybody reads.
fn beginning(value: &JsValue) -> Option<String> {
    value.is_string().then(|| value.unchecked_ref::<JsString>().slice(0, MOST_OF_A_FAILURE).into())
}
