//! Models: a provider behind `fetch`, or a function of the caller's.

use super::fetch::{Fetch, Pass, Turnstile, describe};
use crate::chat::{
    ChatModel as _, ChatRequest, Completion, Dialect, Endpoint, EndpointOptions, Finish, Message,
    OutputSchema, Provider, ProviderOptions, Structure, Usage,
};
use crate::error::{Code, Error, Result};
use crate::json::Fields;
use crate::json::{Draft, Json};
use crate::simulation;
use js_sys::{Function, Promise, Reflect};
use std::cell::RefCell;
use wasm_bindgen::prelude::*;
use wasm_bindgen_futures::JsFuture;
use web_sys::AbortSignal;

/// A language model.
#[wasm_bindgen]
pub struct ChatModel(Model);

#[wasm_bindgen]
extern "C" {
    /// What has turned out about an API: it is known for as long as the model is, which is in here for one call
    /// (`chat.ts`).
    pub type Learnt;

    #[wasm_bindgen(method, getter, js_name = lacksStructure)]
    fn lacks_structure(this: &Learnt) -> bool;

    #[wasm_bindgen(method, setter, js_name = lacksStructure)]
    fn set_lacks_structure(this: &Learnt, lacks: bool);
}

enum Model {
    Provider(Provider<Fetch>, Option<Turnstile>, Learnt),
    Callback(Function),
}

#[wasm_bindgen]
impl ChatModel {
    /// A model behind an HTTP API, reached with the given `fetch` or else the global one, as many times at once as the
    /// turnstile allows. `options` is JSON text.
    #[wasm_bindgen(js_name = fromProvider)]
    pub fn from_provider(
        options: &str,
        fetch: Option<Function>,
        signal: Option<AbortSignal>,
        turnstile: Option<Turnstile>,
        learnt: Learnt,
    ) -> Result<ChatModel, JsValue> {
        let options = Fields::read(options)?;
        let endpoint = endpoint(&options, Fetch { fetch, signal })?;
        let mut own = provider_options(&options);
        if learnt.lacks_structure() {
            own.structure = Structure::Prompt;
        }
        Ok(Self(Model::Provider(Provider::new(endpoint, own), turnstile, learnt)))
    }

    /// A function `(messages, schema)` that gets both as JSON text and returns a promise of the completion's, or of `=`
    /// and the text where that is all there is.
    #[wasm_bindgen(js_name = fromCallback)]
    pub fn from_callback(callback: Function) -> ChatModel {
        Self(Model::Callback(callback))
    }

    /// Asks the model. `request` is the JSON text of what a callback is asked, `{ messages, name, strict, schema }` with
    /// the schema as text, and the answer is that of a callback; or it is that of `{ system, conversation }`, and the
    /// answer is what the user says next, who the model plays. One function for both: each that awaits a model costs a
    /// kilobyte and a half.
    pub async fn ask(&self, request: String) -> Result<String, JsValue> {
        let session = self.session();
        let answer = session.ask(&request).await;
        Ok(answer.map_err(|error| session.explain(error))?.into_text())
    }
}

fn provider_options(options: &Fields<'_>) -> ProviderOptions {
    ProviderOptions {
        structure: if options.flag("jsonObject") { Structure::JsonObject } else { Structure::Schema },
        attachments: options.get("attachments").map(|_| texts(options.list("attachments"))),
        temperature: options.get("temperature").map(Json::to_text),
        max_tokens: options.whole("maxTokens").ok(),
    }
}

pub(super) fn endpoint(options: &Fields<'_>, transport: Fetch) -> Result<Endpoint<Fetch>> {
    let options = EndpointOptions {
        dialect: Dialect::named(&options.text("dialect")?)
            .ok_or_else(|| Error::invalid_config("the dialect is unknown"))?,
        provider: options.text("provider")?,
        model: options.text("model")?,
        url: options.text("url")?,
        headers: options.pairs("headers"),
        secrets: texts(options.list("secrets")),
        max_retries: options.whole("maxRetries")?,
        timeout_ms: options.whole("timeoutMs")?,
        max_response_bytes: options.whole("maxResponseBytes")?,
        params: options.get("params").cloned().map(Json::into_owned),
    };
    Ok(Endpoint { options, transport })
}

fn texts(list: &[Json<'_>]) -> Vec<String> {
    list.iter().filter_map(Json::as_str).map(str::to_owned).collect()
}

/// The error as JavaScript gets it.
pub(super) fn with_cause(error: Error, cause: Option<JsValue>) -> JsValue {
    let error = JsValue::from(error);
    if let Some(cause) = cause {
        // Setting a property of a plain object cannot fail.
        let _ = Reflect::set(&error, &"cause".into(), &cause);
    }
    error
}

impl ChatModel {
    /// For one call into the engine.
    pub(super) fn session(&self) -> Session<'_> {
        Session { model: &self.0, thrown: RefCell::default() }
    }
}

/// A model in use. Keeps what a callback threw, which the engine's errors cannot hold.
pub(super) struct Session<'m> {
    model: &'m Model,
    thrown: RefCell<Option<JsValue>>,
}

impl Session<'_> {
    /// The error as JavaScript gets it: with the `cause`, where there is one.
    pub(super) fn explain(&self, error: Error) -> JsValue {
        let cause = self.cause(&error);
        with_cause(error, cause)
    }

    /// What is behind the error, if it is one of this model.
    pub(super) fn cause(&self, error: &Error) -> Option<JsValue> {
        match (self.model, error.code) {
            (Model::Provider(provider, ..), Code::Aborted) => provider.transport().reason(),
            _ => self.thrown.take(),
        }
    }

    async fn ask(&self, request: &str) -> Result<Draft> {
        let request = Fields::read(request)?;
        let (messages, schema) = match request.get("conversation") {
            Some(conversation) => (simulation::messages(&request.text("system")?, conversation)?, None),
            None => (
                request.list("messages").iter().map(Message::from_json).collect::<Result<_>>()?,
                form(&request)?,
            ),
        };
        let completion = self.complete(&ChatRequest { messages: &messages, schema: schema.as_ref() }).await?;
        match request.get("conversation") {
            Some(_) => Ok(Draft::from(simulation::said(completion)?.as_str())),
            None => Ok(answer(completion)),
        }
    }

    async fn call(&self, callback: &Function, request: &ChatRequest<'_>) -> Result<Completion> {
        let messages = Draft::list(request.messages.iter().map(Message::to_json)).into_text();
        let schema = request.schema.map_or(JsValue::UNDEFINED, |schema| schema.to_json().into_text().into());
        let answer = match callback.call2(&JsValue::UNDEFINED, &messages.into(), &schema) {
            Ok(promise) => JsFuture::from(Promise::resolve(&promise)).await,
            Err(thrown) => Err(thrown),
        };
        let answer = answer.map_err(|thrown| {
            let message = format!("The function that was asked failed: {}", describe(&thrown));
            self.thrown.replace(Some(thrown));
            Error::new(Code::CallbackFailed, message).with(|error| error.attempts = Some(1))
        })?;
        let answer = answer.as_string().unwrap_or_default();
        match answer.strip_prefix('=') {
            Some(text) => Ok(Completion { text: text.to_owned(), attempts: 1, ..Completion::default() }),
            None => completion(&Fields::read(&answer)?),
        }
    }
}

/// The form that the answer has to have, if any.
fn form(request: &Fields<'_>) -> Result<Option<OutputSchema>> {
    let Some(schema) = request.given("schema") else { return Ok(None) };
    Ok(Some(OutputSchema { name: request.text("name")?, schema, strict: request.flag("strict") }))
}

/// The answer that [`completion`] reads.
fn answer(Completion { text, finish, model, usage, attempts }: Completion) -> Draft {
    let mut answer =
        Draft::object([("text", text.as_str().into()), ("attempts", u64::from(attempts).into())]);
    if let Some(model) = model {
        answer.set("model", model.as_str().into());
    }
    if let Some(Usage { input_tokens, output_tokens }) = usage {
        answer.set("inputTokens", input_tokens.into());
        answer.set("outputTokens", output_tokens.into());
    }
    match finish {
        Finish::Complete => {}
        Finish::Truncated => answer.set("truncated", true.into()),
        Finish::Unreadable(problem) => answer.set("unreadable", problem.as_str().into()),
        Finish::Refused(reason) => answer.set("refusal", reason.as_str().into()),
    }
    answer
}

/// A completion as the package passes it, whoever gave it.
fn completion(answer: &Fields<'_>) -> Result<Completion> {
    let finish = if let Some(reason) = answer.given("refusal") {
        Finish::Refused(reason)
    } else if let Some(problem) = answer.given("unreadable") {
        Finish::Unreadable(problem)
    } else if answer.flag("truncated") {
        Finish::Truncated
    } else {
        Finish::Complete
    };
    let tokens = answer.whole("inputTokens").ok().zip(answer.whole("outputTokens").ok());
    let usage = tokens.map(|(input_tokens, output_tokens)| Usage {
        input_tokens: input_tokens.into(),
        output_tokens: output_tokens.into(),
    });
    let attempts = answer.whole("attempts").unwrap_or(1);
    Ok(Completion { text: answer.text("text")?, finish, model: answer.given("model"), usage, attempts })
}

impl crate::chat::ChatModel for Session<'_> {
    async fn complete(&self, request: &ChatRequest<'_>) -> Result<Completion> {
        match self.model {
            Model::Provider(provider, turnstile, learnt) => {
                let _pass = Pass::through(turnstile.as_ref()).await;
                let completion = provider.complete(request).await;
                if provider.structure() == Structure::Prompt {
                    learnt.set_lacks_structure(true);
                }
                completion
            }
            Model::Callback(callback) => self.call(callback, request).await,
        }
    }
}
