//! OpenAI's chat completions, with structured outputs.

use super::{Dialect, get, text, usage};
use crate::chat::{ChatRequest, Completion, Finish, Message, ProviderOptions};
use crate::json::Json;
use serde::Serialize;
use serde_json::value::RawValue;

#[derive(Serialize)]
struct Body<'r> {
    model: &'r str,
    messages: &'r [Message],
    #[serde(skip_serializing_if = "Option::is_none")]
    response_format: Option<ResponseFormat<'r>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    temperature: Option<f64>,
    /// OpenAI's reasoning models refuse the older name.
    #[serde(skip_serializing_if = "Option::is_none")]
    max_completion_tokens: Option<u32>,
    /// Many compatible servers ignore the newer name.
    #[serde(skip_serializing_if = "Option::is_none")]
    max_tokens: Option<u32>,
}

#[derive(Serialize)]
struct ResponseFormat<'r> {
    r#type: &'static str,
    json_schema: JsonSchema<'r>,
}

#[derive(Serialize)]
struct JsonSchema<'r> {
    name: &'r str,
    strict: bool,
    schema: &'r RawValue,
}

pub fn body(
    dialect: Dialect,
    options: &ProviderOptions,
    request: &ChatRequest<'_>,
) -> serde_json::Result<String> {
    let is_openai = dialect == Dialect::OpenAi;
    serde_json::to_string(&Body {
        model: &options.model,
        messages: request.messages,
        response_format: request.schema.map(|schema| ResponseFormat {
            r#type: "json_schema",
            json_schema: JsonSchema { name: &schema.name, strict: schema.strict, schema: &schema.schema },
        }),
        temperature: options.temperature,
        max_completion_tokens: options.max_tokens.filter(|_| is_openai),
        max_tokens: options.max_tokens.filter(|_| !is_openai),
    })
}

pub fn read(answer: &Json<'_>) -> Option<Completion> {
    let choice = get(answer, "choices")?.as_array()?.first()?;
    let message = get(choice, "message")?;
    let reason = get(choice, "finish_reason").and_then(Json::as_str);
    let finish = match (get(message, "refusal").and_then(text), reason) {
        (Some(refusal), _) => Finish::Refused(refusal),
        (None, Some("content_filter")) => Finish::Refused("content_filter".to_owned()),
        (None, Some("length")) => Finish::Truncated,
        _ => Finish::Complete,
    };
    let tokens = get(answer, "usage");
    Some(Completion {
        text: get(message, "content").and_then(text).unwrap_or_default(),
        finish,
        model: get(answer, "model").and_then(text),
        usage: usage(
            tokens.and_then(|tokens| get(tokens, "prompt_tokens")),
            tokens.and_then(|tokens| get(tokens, "completion_tokens")),
        ),
        attempts: 1,
    })
}
