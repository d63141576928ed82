//! Ollama's chat, whose `format` is a JSON schema.

use super::{get, text, usage};
use crate::chat::{ChatRequest, Completion, Finish, Message, ProviderOptions};
use crate::json::Json;
use serde::Serialize;
use serde_json::value::RawValue;

#[derive(Serialize)]
struct Body<'r> {
    model: &'r str,
    messages: &'r [Message],
    /// Ollama streams unless told not to.
    stream: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    format: Option<&'r RawValue>,
    #[serde(skip_serializing_if = "Option::is_none")]
    options: Option<Options>,
}

#[derive(Serialize)]
struct Options {
    #[serde(skip_serializing_if = "Option::is_none")]
    temperature: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    num_predict: Option<u32>,
}

pub fn body(options: &ProviderOptions, request: &ChatRequest<'_>) -> serde_json::Result<String> {
    let settings = Options { temperature: options.temperature, num_predict: options.max_tokens };
    let any = settings.temperature.is_some() || settings.num_predict.is_some();
    serde_json::to_string(&Body {
        model: &options.model,
        messages: request.messages,
        stream: false,
        format: request.schema.map(|schema| schema.schema.as_ref()),
        options: any.then_some(settings),
    })
}

pub fn read(answer: &Json<'_>) -> Option<Completion> {
    let message = get(answer, "message")?;
    let truncated = get(answer, "done_reason").and_then(Json::as_str) == Some("length");
    Some(Completion {
        text: get(message, "content").and_then(text)?,
        finish: if truncated { Finish::Truncated } else { Finish::Complete },
        model: get(answer, "model").and_then(text),
        usage: usage(get(answer, "prompt_eval_count"), get(answer, "eval_count")),
        attempts: 1,
    })
}
