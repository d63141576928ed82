//! Models: a provider behind `fetch`, or a function of the caller.

use super::fetch::{Fetch, Permit, Requests, Slots, describe};
use super::objects::to_js;
use crate::chat::{
    self, ChatModel as _, ChatRequest, Completion, Endpoint, EndpointConfig, Finish, HttpResponse, Message,
    Provider, ProviderConfig, Spending,
};
use crate::error::{Code, Error, Result};
use crate::json;
use crate::simulation;
use js_sys::{Date, Function, Math, Promise, Reflect, Set};
use serde::Deserialize;
use std::cell::RefCell;
use wasm_bindgen::prelude::*;
use wasm_bindgen_futures::JsFuture;
use web_sys::AbortSignal;

/// The messages that [`Message`] reads and writes. They are in OpenAI's form instead of that of a Rust type:
/// the members of a part depend on its `type`, and `serde` would have to buffer the part to read that first.
#[wasm_bindgen(typescript_custom_section)]
const MESSAGES: &str = r#"
/**
 * A message in OpenAI's form. Roles other than `system`, `developer`, `user` and `assistant` are an error.
 */
export interface PromptMessage {
    role: unknown;
    content: string | ContentPart[];
}

/**
 * A part of a message.
 */
export type ContentPart =
    | { type: "text"; text: string }
    | { type: "image_url"; image_url: { url: string } }
    | { type: "input_audio"; input_audio: { data: string; format: string } }
    | { type: "file"; file: { filename: string; file_data: string } };

/**
 * Asks a model for an answer that fits the schema, or for free text without one. With `logprobs`, the completion has the
 * token probabilities, if the client reports them.
 */
export type Ask<Answer = Completion> = (
    messages: JsonOf<PromptMessage[]>,
    schema: JsonOf<OutputSchema> | undefined,
    logprobs: boolean,
) => Promise<JsonOf<Answer>>;

/** Reports that the answer to `asked` is the final answer to `question`. */
export type Used = (question: JsonOf<PromptMessage[]>, asked: JsonOf<PromptMessage[]>) => void;
"#;

/// A language model.
#[wasm_bindgen]
pub struct ChatModel(Model);

#[wasm_bindgen]
extern "C" {
    /// What earlier answers revealed about an API. The package stores it (`chat.ts`), because a model of the
    /// engine lasts for one call only.
    pub type ApiFacts;

    #[wasm_bindgen(method, getter, js_name = refusedSchemas)]
    fn refused_schemas(this: &ApiFacts) -> Set;

    #[wasm_bindgen(method, getter, js_name = refusesTemperature)]
    fn refuses_temperature(this: &ApiFacts) -> bool;

    #[wasm_bindgen(method, setter, js_name = refusesTemperature)]
    fn set_refuses_temperature(this: &ApiFacts, refuses: bool);

    #[wasm_bindgen(method, getter)]
    fn logprobs(this: &ApiFacts) -> u32;

    #[wasm_bindgen(method, setter)]
    fn set_logprobs(this: &ApiFacts, logprobs: u32);
}

enum Model {
    Provider(Box<Provider<Fetch>>, Option<Slots>, ApiFacts),
    /// Answers with a completion; the second function is called with the answers that were used.
    Client(Function, Option<Function>),
    /// Answers with a text.
    Function(Function),
}

/// A model behind an HTTP API.
#[derive(Deserialize, tsify::Tsify)]
pub struct ChatModelConfig {
    /// Its endpoint.
    pub endpoint: EndpointConfig,
    /// Its options.
    pub provider: ProviderConfig,
}

#[wasm_bindgen]
impl ChatModel {
    /// A model behind an HTTP API, reached with the given `fetch` or the global one, while there is a slot.
    #[wasm_bindgen(js_name = fromProvider)]
    pub fn from_provider(
        #[wasm_bindgen(unchecked_param_type = "JsonOf<ChatModelConfig>")] config: &str,
        fetch: Option<Function>,
        signal: Option<AbortSignal>,
        slots: Option<Slots>,
        #[wasm_bindgen(unchecked_param_type = "OpenAccess | undefined")] open: Option<Function>,
        requests: Requests,
        learnt: ApiFacts,
    ) -> Result<ChatModel, JsValue> {
        let ChatModelConfig { endpoint, mut provider } = json::read(config)?;
        if learnt.refuses_temperature() {
            provider.temperature = None;
        }
        provider.logprobs = learnt.logprobs();
        let endpoint = Endpoint { config: endpoint, transport: Fetch::new(fetch, signal, open, requests) };
        let provider = Box::new(Provider::new(endpoint, provider));
        Ok(Self(Model::Provider(provider, slots, learnt)))
    }

    /// A model behind a client, which returns a completion.
    #[wasm_bindgen(js_name = fromClient)]
    pub fn from_client(
        #[wasm_bindgen(unchecked_param_type = "Ask")] ask: Function,
        #[wasm_bindgen(unchecked_param_type = "Used | undefined")] used: Option<Function>,
    ) -> ChatModel {
        Self(Model::Client(ask, used))
    }

    /// A function of the caller as a model. It returns only text.
    #[wasm_bindgen(js_name = fromFunction)]
    pub fn from_function(#[wasm_bindgen(unchecked_param_type = "Ask<string>")] ask: Function) -> ChatModel {
        Self(Model::Function(ask))
    }

    /// Asks the model, as a client is asked.
    #[wasm_bindgen(unchecked_return_type = "JsonOf<Completion>")]
    pub async fn complete(
        &self,
        #[wasm_bindgen(unchecked_param_type = "JsonOf<PromptMessage[]>")] messages: String,
        #[wasm_bindgen(unchecked_param_type = "JsonOf<OutputSchema> | undefined")] schema: Option<String>,
        logprobs: bool,
    ) -> Result<String, JsValue> {
        let messages = json::parse(&messages)?;
        let messages = messages.as_array().unwrap_or_default().iter().map(Message::from_json);
        let messages = messages.collect::<Result<Vec<_>>>()?;
        let schema = schema.as_deref().map(json::read).transpose()?;
        let session = self.session();
        let request = ChatRequest { messages: &messages, schema: schema.as_ref(), logprobs };
        let completion = session.complete(&request).await;
        Ok(json::write(&completion.map_err(|error| session.explain(error))?)?)
    }

    /// The next message of a simulated user, who has seen `conversation`.
    #[wasm_bindgen(js_name = playUser, unchecked_return_type = "JsonOf<string>")]
    pub async fn play_user(
        &self,
        #[wasm_bindgen(unchecked_param_type = "JsonOf<string>")] system: String,
        #[wasm_bindgen(unchecked_param_type = "JsonOf<PromptMessage[]>")] conversation: String,
    ) -> Result<String, JsValue> {
        let system = json::parse(&system)?;
        let system = system.as_str().unwrap_or_default();
        let messages = simulation::messages(system, &json::parse(&conversation)?)?;
        let session = self.session();
        let completion =
            session.complete(&ChatRequest { messages: &messages, schema: None, logprobs: false }).await;
        let said = completion.and_then(simulation::said).map_err(|error| session.explain(error))?;
        session.used(&messages, &messages);
        Ok(json::write(&said)?)
    }
}

/// How many milliseconds to wait before a retry, counted from 1, of a request that the package sends without the engine.
#[wasm_bindgen(js_name = pauseAfter)]
pub fn pause_after(retry: u32, retry_after_ms: Option<String>, retry_after: Option<String>) -> f64 {
    let headers = (retry_after_ms.as_deref(), retry_after.as_deref());
    chat::pause_after(retry, headers.0, headers.1, Date::now(), Math::random())
}

/// Whether another attempt of such a request may succeed, by its status and the header `x-should-retry`.
#[wasm_bindgen(js_name = isRetryable)]
pub fn is_retryable(status: u16, should_retry: Option<String>) -> bool {
    let headers = should_retry.map(|value| ("x-should-retry", value)).into_iter().collect();
    chat::is_retryable(&HttpResponse { status, headers, ..HttpResponse::default() })
}

/// Removes secrets from a text of a server that the package asks without the engine.
#[wasm_bindgen]
pub fn redact(
    text: &str,
    #[wasm_bindgen(unchecked_param_type = "JsonOf<readonly string[]>")] secrets: &str,
) -> Result<String, JsValue> {
    let secrets = json::read::<Vec<String>>(secrets)?;
    Ok(chat::redact(text, &secrets))
}

/// The error of a call that asked these models: with its `cause`, and with what was used until then as `metadata`.
pub(super) fn explain(models: &[&Session<'_>], error: Error) -> JsValue {
    let cause = models.iter().find_map(|model| model.cause(&error));
    let mut spent = Spending::default();
    for Spending { model, usage } in models.iter().map(|model| model.spent.take()) {
        spent.add(&Completion { model, usage, attempts: 1, ..Completion::default() });
    }
    let error = with_cause(error, cause);
    if spent.usage.is_some()
        && let Ok(metadata) = to_js(&spent)
    {
        // Setting a property of a plain object cannot fail.
        let _ = Reflect::set(&error, &"metadata".into(), &metadata);
    }
    error
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
    /// The model in use during one call into the engine.
    pub(super) fn session(&self) -> Session<'_> {
        self.session_for(None)
    }

    /// The same for answers with one schema, in the form that callbacks receive.
    pub(super) fn session_for<'m>(&'m self, schema: Option<&'m JsValue>) -> Session<'m> {
        Session { model: &self.0, schema, thrown: RefCell::default(), spent: RefCell::default() }
    }
}

/// A model in use. It keeps the errors of callbacks, because errors of the engine cannot contain JavaScript
/// values.
pub(super) struct Session<'m> {
    model: &'m Model,
    schema: Option<&'m JsValue>,
    thrown: RefCell<Option<JsValue>>,
    /// What the answers so far used, for the error if one cannot be used.
    spent: RefCell<Spending>,
}

impl Session<'_> {
    /// The error for JavaScript, with its `cause` and what was used until then.
    pub(super) fn explain(&self, error: Error) -> JsValue {
        explain(&[self], error)
    }

    /// The cause of an error of this model.
    pub(super) fn cause(&self, error: &Error) -> Option<JsValue> {
        match self.model {
            Model::Provider(provider, ..) => provider.transport().cause(error),
            _ => self.thrown.take(),
        }
    }

    /// The JSON text that a function of the package resolves to.
    async fn call(&self, ask: &Function, request: &ChatRequest<'_>) -> Result<String> {
        // A middleware asks the model itself; other models are asked with the known facts.
        let messages = match self.model {
            Model::Client(_, Some(_)) => Message::list_to_json(request.messages),
            _ => Message::list_to_json(&chat::without_prefixes(request.messages)),
        };
        let schema = match (self.schema, request.schema) {
            (_, None) => JsValue::UNDEFINED,
            (Some(known), _) => known.clone(),
            (None, Some(schema)) => json::write(schema)?.into(),
        };
        let logprobs = request.logprobs.into();
        let answer = match ask.call3(&JsValue::UNDEFINED, &messages.into(), &schema, &logprobs) {
            Ok(promise) => JsFuture::from(promise.unchecked_into::<Promise>()).await,
            Err(thrown) => Err(thrown),
        };
        let answer = answer.map_err(|thrown| {
            let message = format!("The call to the model failed: {}", describe(&thrown));
            self.thrown.replace(Some(thrown));
            Error::new(Code::CallbackFailed, message).with(|error| error.attempts = Some(1))
        })?;
        Ok(answer.as_string().unwrap_or_default())
    }
}

impl chat::ChatModel for Session<'_> {
    async fn complete(&self, request: &ChatRequest<'_>) -> Result<Completion> {
        let completion = self.ask(request).await?;
        self.spent.borrow_mut().add(&completion);
        Ok(completion)
    }

    fn used(&self, question: &[Message], asked: &[Message]) {
        if let Model::Client(_, Some(used)) = self.model {
            let [question, asked] = [question, asked].map(|messages| Message::list_to_json(messages).into());
            // The function only records the answer.
            let _ = used.call2(&JsValue::UNDEFINED, &question, &asked);
        }
    }
}

impl Session<'_> {
    async fn ask(&self, request: &ChatRequest<'_>) -> Result<Completion> {
        match self.model {
            Model::Provider(provider, slots, learnt) => {
                let _permit = Permit::acquire(slots.as_ref()).await;
                let refused = learnt.refused_schemas();
                let schema = request.schema.map(|schema| (schema, JsValue::from(&schema.schema)));
                if let Some((schema, text)) = &schema
                    && refused.has(text)
                {
                    provider.set_refuses_schema(schema);
                }
                let completion = provider.complete(request).await;
                if let Some(discarded) = provider.take_discarded() {
                    self.spent.borrow_mut().add(&discarded);
                }
                if let Some((schema, text)) = &schema
                    && provider.refuses_schema(schema)
                {
                    refused.add(text);
                }
                if provider.refuses_temperature() {
                    learnt.set_refuses_temperature(true);
                }
                learnt.set_logprobs(provider.logprobs());
                completion
            }
            Model::Client(ask, _) => {
                let mut completion: Completion = json::read(&self.call(ask, request).await?)?;
                if let (Finish::Complete, Some(reason)) = (&completion.finish, completion.reason.take()) {
                    completion.finish = Finish::of_reason(&reason);
                }
                Ok(completion)
            }
            Model::Function(ask) => {
                let text = json::read(&self.call(ask, request).await?)?;
                Ok(Completion { text, attempts: 1, ..Completion::default() })
            }
        }
    }
}
