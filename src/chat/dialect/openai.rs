//! OpenAI's chat completions, with structured outputs.

use super::{Dialect, get, model_and_messages, text, usage};
use crate::chat::{ChatRequest, Completion, Finish, ProviderOptions};
use crate::json::{Draft, Json};

pub fn body(dialect: Dialect, options: &ProviderOptions, request: &ChatRequest<'_>) -> Draft {
    let mut body = model_and_messages(options, request);
    if let Some(schema) = request.schema {
        let format = Draft::object([("type", "json_schema".into()), ("json_schema", schema.to_json())]);
        body.set("response_format", format);
    }
    if let Some(temperature) = &options.temperature {
        body.set("temperature", Draft::verbatim(temperature));
    }
    if let Some(limit) = options.max_tokens {
        // OpenAI's reasoning models refuse the older name; many compatible servers do not know the newer one.
        let name = if dialect == Dialect::OpenAi { "max_completion_tokens" } else { "max_tokens" };
        body.set(name, u64::from(limit).into());
    }
    body
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
