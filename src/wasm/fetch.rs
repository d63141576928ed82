//! The network: `fetch`, with time limits, and pauses that can be cut short.
//!
//! It is called as everybody calls it, with a URL and a plain object. gloo-net's `Request` costs about as much as
//! everything else that the engine does for an answer, and gives a `fetch` of the caller's an object that it may not
//! know; its `send` panics when what comes back is no `Response` of this realm.

use crate::chat::{Failure, HEADERS, HttpRequest, HttpResponse, Transport};
use gloo_net::http::Method;
use js_sys::{Array, Date, Function, Math, Object, Promise, Reflect};
use wasm_bindgen::prelude::*;
use wasm_bindgen_futures::JsFuture;
use web_sys::{AbortController, AbortSignal, RequestInit};

#[wasm_bindgen]
extern "C" {
    #[wasm_bindgen(js_name = fetch, catch)]
    fn global_fetch(url: &str, init: &RequestInit) -> Result<JsValue, JsValue>;

    #[wasm_bindgen(js_name = setTimeout)]
    fn set_timeout(callback: &Function, ms: f64, argument: &JsValue) -> JsValue;

    #[wasm_bindgen(js_name = clearTimeout)]
    fn clear_timeout(timer: &JsValue);

    /// Whatever a `fetch` resolves to: of this realm or another, from a polyfill, a mock, or a mistake.
    type Response;

    #[wasm_bindgen(method, getter, catch)]
    fn status(this: &Response) -> Result<f64, JsValue>;

    #[wasm_bindgen(method, getter, catch)]
    fn headers(this: &Response) -> Result<Headers, JsValue>;

    #[wasm_bindgen(method, catch)]
    fn text(this: &Response) -> Result<JsValue, JsValue>;

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
    pub fetch: Option<Function>,
    /// Ends requests and pauses.
    pub signal: Option<AbortSignal>,
}

impl Fetch {
    /// Why the caller gave up.
    pub fn reason(&self) -> Option<JsValue> {
        self.signal.as_ref().map(AbortSignal::reason).filter(|reason| !reason.is_undefined())
    }

    async fn exchange(
        &self,
        request: &HttpRequest<'_>,
        controller: &AbortController,
        alarm: &Alarm<'_>,
    ) -> Result<HttpResponse, Stopped> {
        let headers = Object::new();
        for (name, value) in request.headers {
            Reflect::set(&headers, &name.into(), &value.into())?;
        }
        let init = RequestInit::new();
        init.set_method(Method::POST.as_str());
        init.set_headers(&headers);
        init.set_body(&request.body.into());
        init.set_signal(Some(&controller.signal()));
        let response = match &self.fetch {
            Some(fetch) => fetch.call2(&JsValue::UNDEFINED, &request.url.into(), &init)?,
            None => global_fetch(request.url, &init)?,
        };
        let response = alarm.unless_it_rings(&response).await?.unchecked_into::<Response>();
        let status = response.status()? as u16;
        let mut answer = HttpResponse { status, ..HttpResponse::default() };
        if !(200..300).contains(&status) {
            let header = |name| response.headers().and_then(|headers| headers.get(name)).ok()?.as_string();
            answer.headers = HEADERS.iter().filter_map(|name| Some((*name, header(name)?))).collect();
        }
        let body = alarm.unless_it_rings(&response.text()?).await?;
        answer.body = body.as_string().unwrap_or_default();
        Ok(answer)
    }
}

impl Transport for Fetch {
    async fn send(&self, request: &HttpRequest<'_>, timeout_ms: f64) -> Result<HttpResponse, Failure> {
        let controller = AbortController::new().map_err(|error| Failure::Network(describe(&error)))?;
        let alarm = Alarm::after(timeout_ms, self.signal.as_ref());
        let outcome = self.exchange(request, &controller, &alarm).await;
        outcome.map_err(|stopped| {
            // Hangs up, also where the answer was no answer and still goes on.
            controller.abort();
            match stopped {
                _ if self.aborted() => Failure::Aborted,
                Stopped::ByAlarm => Failure::Timeout,
                Stopped::ByError(error) => Failure::Network(describe(&error)),
            }
        })
    }

    async fn sleep(&self, ms: f64) {
        let alarm = Alarm::after(ms, self.signal.as_ref());
        // It never rejects.
        let _ = JsFuture::from(alarm.promise.clone()).await;
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
    ByAlarm,
    ByError(JsValue),
}

impl From<JsValue> for Stopped {
    fn from(error: JsValue) -> Self {
        Self::ByError(error)
    }
}

/// Rings when the time is over or the signal is aborted. Leaves neither timer nor listener behind.
struct Alarm<'s> {
    promise: Promise,
    ring: Function,
    timer: JsValue,
    signal: Option<&'s AbortSignal>,
}

impl<'s> Alarm<'s> {
    fn after(ms: f64, signal: Option<&'s AbortSignal>) -> Self {
        // Timers take no longer, and would go off at once.
        const LONGEST_MS: f64 = 2_147_483_647.0;
        let mut ring = JsValue::UNDEFINED;
        let promise = Promise::new(&mut |resolve, _| ring = resolve.into());
        let ring: Function = ring.unchecked_into();
        let timer = set_timeout(&ring, ms.min(LONGEST_MS), &ring);
        if let Some(signal) = signal {
            // It exists on every signal.
            let _ = signal.add_event_listener_with_callback("abort", &ring);
        }
        Self { promise, ring, timer, signal }
    }

    /// What a promise resolves to. Does not rely on `fetch` to heed a signal.
    async fn unless_it_rings(&self, promise: &JsValue) -> Result<JsValue, Stopped> {
        let first = Promise::race(&Array::of2(promise, &self.promise));
        let value = JsFuture::from(first).await?;
        // The timer resolves to the function itself, which nothing else can; the signal to an event.
        let rang = value == **self.ring || self.signal.is_some_and(AbortSignal::aborted);
        if rang { Err(Stopped::ByAlarm) } else { Ok(value) }
    }
}

impl Drop for Alarm<'_> {
    fn drop(&mut self) {
        clear_timeout(&self.timer);
        if let Some(signal) = self.signal {
            let _ = signal.remove_event_listener_with_callback("abort", &self.ring);
        }
    }
}

/// What was thrown, in one line; `fetch` puts what really happened into the `cause`.
pub(super) fn describe(thrown: &JsValue) -> String {
    let text = |value: &JsValue, key: &str| {
        let text = Reflect::get(value, &key.into()).ok()?.as_string();
        text.filter(|text| !text.is_empty())
    };
    let message = text(thrown, "message").or_else(|| thrown.as_string());
    let message = message.unwrap_or_else(|| "something was thrown that is no error".to_owned());
    let cause = Reflect::get(thrown, &"cause".into()).ok();
    match cause.and_then(|cause| text(&cause, "message").or_else(|| text(&cause, "code"))) {
        Some(cause) => format!("{message}: {cause}"),
        None => message,
    }
}
