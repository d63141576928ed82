//! Ollama's chat, whose `format` is a JSON schema.

use super::{Structure, data_uri, get, text, usage};
use crate::chat::{ChatRequest, Completion, Finish, Message, Part, ProviderOptions};
use crate::json::{Draft, Json};

pub fn body<'r>(
    options: &ProviderOptions,
    request: &ChatRequest<'r>,
    structure: Structure,
) -> Result<Draft, &'r Part> {
    let messages = request.messages.iter().map(message).collect::<Result<Vec<_>, _>>()?;
    let mut body = Draft::object([
        ("model", options.endpoint.model.as_str().into()),
        ("messages", Draft::list(messages.into_iter())),
        // Ollama streams unless told not to.
        ("stream", false.into()),
    ]);
    if let (Structure::Schema, Some(schema)) = (structure, request.schema) {
        body.set("format", Draft::verbatim(&schema.schema));
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
    Ok(body)
}

/// The words of a message are one text; its pictures, in bare base64, stand beside it.
fn message(message: &Message) -> Result<Draft, &Part> {
    let mut words = String::new();
    let mut images = Vec::new();
    for part in &message.content {
        match part {
            Part::Text(text) => words.push_str(text),
            Part::Image(url) => images.push(Draft::from(data_uri(url).ok_or(part)?.1)),
            _ => return Err(part),
        }
    }
    let mut draft = Draft::object([("role", message.role.name().into()), ("content", words.as_str().into())]);
    if !images.is_empty() {
        draft.set("images", Draft::list(images.into_iter()));
    }
    Ok(draft)
}

pub fn read(answer: &Json<'_>) -> Option<Completion> {
    let message = get(answer, "message")?;
    let truncated = get(answer, "done_reason").and_then(Json::as_str) == Some("length");
    Some(Completion {
        text: get(message, "content").and_then(text)?,
        finish: if truncated { Finish::Truncated } else { Finish::Complete },
        model: get(answer, "model").and_then(text),
        usage: usage(Some(answer), &["prompt_eval_count"], &["eval_count"]),
        attempts: 1,
    })
}
