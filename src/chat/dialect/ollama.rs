//! Ollama's chat, whose `format` is a JSON schema.

use super::{Api, JsonBuilder, Members, Part, data_uri, fill_template, member};
use crate::chat::{ChatRequest, Message};

pub const API: Api = Api {
    settings: "options",
    limit: "num_predict",
    default_limit: None,
    content: &["message", "content"],
    reasons: &[&["done_reason"]],
    explanations: &[],
    refusal: &[],
    model: &["model"],
    usage: &[],
    read: &["prompt_eval_count"],
    written: &["eval_count"],
    thought: &[],
    cached: &[],
    cache_writes: &[],
};

pub fn messages<'r>(body: &mut Members, request: &ChatRequest<'r>) -> Result<(), &'r Part> {
    body.push(member("messages", super::messages(request, true, &message)?));
    // Ollama streams unless told not to.
    body.push(member("stream", false.into()));
    Ok(())
}

/// The context size for the messages and the answer, if it exceeds the smallest default: a server silently cuts the start
/// of a prompt that exceeds its context.
pub fn context(messages: &[Message], max_tokens: Option<u32>) -> Option<(String, JsonBuilder)> {
    /// The smallest default of a server.
    const LEAST: usize = 4096;
    /// The assumed length of an answer without a limit.
    const ANSWER: usize = 1024;
    const PICTURE: usize = 1024;
    let size = |part: &Part| match part {
        // A token is about four bytes of English, and three or fewer of other scripts and of numbers.
        Part::Text(text) | Part::Prefix { text, .. } => text.len() / 3,
        _ => PICTURE,
    };
    let asked: usize = messages.iter().flat_map(|message| &message.content).map(size).sum();
    let answered = max_tokens.and_then(|tokens| usize::try_from(tokens).ok()).unwrap_or(ANSWER);
    let tokens = asked.saturating_add(answered);
    let rounded = tokens.checked_next_power_of_two().filter(|_| tokens > LEAST)?;
    Some(member("num_ctx", (rounded as u64).into()))
}

/// The text of a message is one string; its images, in bare base64, are in a separate list.
fn message(message: &Message) -> Result<JsonBuilder, &Part> {
    let mut words = String::new();
    let mut images = Vec::new();
    for part in &message.content {
        match part {
            Part::Text(text) | Part::Prefix { text, .. } => words.push_str(text),
            Part::Image(url) => images.push(JsonBuilder::from(data_uri(url).ok_or(part)?.1)),
            _ => return Err(part),
        }
    }
    let (role, with_images) = (message.role.name(), r#"{"role":?,"content":?,"images":#}"#);
    Ok(match images.as_slice() {
        [] => fill_template(r#"{"role":?,"content":?}"#, &[role, &words]),
        _ => fill_template(with_images, &[role, &words, &JsonBuilder::list(images.into_iter()).into_text()]),
    })
}
