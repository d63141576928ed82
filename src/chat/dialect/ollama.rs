//! Ollama's chat, whose `format` is a JSON schema.

use super::{get, model_and_messages, text, usage};
use crate::chat::{ChatRequest, Completion, Finish, ProviderOptions};
use crate::json::{Draft, Json};

pub fn body(options: &ProviderOptions, request: &ChatRequest<'_>) -> Draft {
    let mut body = model_and_messages(options, request);
    // Ollama streams unless told not to.
    body.set("stream", false.into());
    if let Some(schema) = request.schema {
        body.set("format", Draft::Text(schema.schema.clone()));
    }
    let mut settings = Draft::object([]);
    if let Some(temperature) = &options.temperature {
        settings.set("temperature", Draft::verbatim(temperature));
    }
    if let Some(limit) = options.max_tokens {
        settings.set("num_predict", u64::from(limit).into());
    }
    if settings != Draft::object([]) {
        body.set("options", settings);
    }
    body
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
