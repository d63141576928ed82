//! Ollama's chat, whose `format` is a JSON schema.

use super::{Api, Draft, Members, Part, data_uri, filled, member};
use crate::chat::{ChatRequest, Message};

pub const API: Api = Api {
    settings: "options",
    limit: "num_predict",
    default_limit: None,
    content: &["message", "content"],
    reason: &["done_reason"],
    truncated: &["length"],
    refused: &[],
    others_refuse: false,
    explanations: &[],
    refusal: &[],
    model: &["model"],
    usage: &[],
    read: &["prompt_eval_count"],
    written: &["eval_count"],
    thought: &[],
    cached: &[],
};

pub fn messages<'r>(body: &mut Members, request: &ChatRequest<'r>) -> Result<(), &'r Part> {
    body.push(member("messages", super::messages(request, true, &message)?));
    // Ollama streams unless told not to.
    body.push(member("stream", false.into()));
    Ok(())
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
    let (role, with_images) = (message.role.name(), r#"{"role":?,"content":?,"images":#}"#);
    Ok(match images.as_slice() {
        [] => filled(r#"{"role":?,"content":?}"#, &[role, &words]),
        _ => filled(with_images, &[role, &words, &Draft::list(images.into_iter()).into_text()]),
    })
}
