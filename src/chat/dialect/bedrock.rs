//! `Converse` of Amazon Bedrock, one form for the models of all its makers.

use super::anthropic::RULES;
use super::schema::reduced;
use super::{Api, Draft, Members, OutputSchema, Part, data_uri, filled, member, parts, system};
use crate::chat::ChatRequest;
use std::cell::Cell;

pub const API: Api = Api {
    settings: "inferenceConfig",
    limit: "maxTokens",
    default_limit: None,
    content: &["output", "message", "content"],
    reasons: &[&["stopReason"]],
    truncated: &["max_tokens", "model_context_window_exceeded"],
    refused: &["content_filtered", "guardrail_intervened", "refusal"],
    others_refuse: false,
    explanations: &[],
    refusal: &[],
    model: &[],
    usage: &["usage"],
    // What is read from a cache or written to one is not part of the first.
    read: &["inputTokens", "cacheReadInputTokens", "cacheWriteInputTokens"],
    written: &["outputTokens"],
    thought: &[],
    cached: &["cacheReadInputTokens"],
};

pub fn messages<'r>(body: &mut Members, request: &ChatRequest<'r>) -> Result<(), &'r Part> {
    let documents = Cell::new(0);
    let block = |part: &Part| block(part, &documents);
    let messages = super::messages(request, false, &|message| {
        let content = Draft::list(parts(&message.content, &block)?.into_iter());
        Ok(filled(r#"{"role":?,"content":#}"#, &[message.role.name(), &content.into_text()]))
    })?;
    body.push(member("messages", messages));
    body.extend(system(request, &block)?.map(|system| member("system", system)));
    Ok(())
}

/// An object that stays open, since callers may set the effort beside the format. The schema is a text there.
pub fn format(schema: &OutputSchema) -> (String, Draft) {
    let reduced = reduced(&schema.schema, &RULES);
    let format = filled(
        r#"{"type":"json_schema","structure":{"jsonSchema":{"name":?,"schema":?}}}"#,
        &[&schema.name, &reduced],
    );
    member("outputConfig", Draft::Object(vec![member("textFormat", format)]))
}

fn block(part: &Part, documents: &Cell<u32>) -> Option<Draft> {
    let url = match part {
        Part::Text(text) | Part::Prefix { text, .. } => return Some(filled(r#"{"text":?}"#, &[text])),
        Part::Audio { data, format } => {
            return Some(filled(r#"{"audio":{"format":?,"source":{"bytes":?}}}"#, &[format, data]));
        }
        Part::Image(url) | Part::File { data: url, .. } => url,
    };
    let (media_type, data) = data_uri(url)?;
    if let Some(format @ ("png" | "jpeg" | "gif" | "webp")) = media_type.strip_prefix("image/") {
        return Some(filled(r#"{"image":{"format":?,"source":{"bytes":?}}}"#, &[format, data]));
    }
    if media_type != "application/pdf" {
        return None;
    }
    // Each has another name, of few characters; and a model may take a name for an instruction.
    documents.set(documents.get() + 1);
    let number = Draft::from(u64::from(documents.get())).into_text();
    let document = r#"{"document":{"format":"pdf","name":?,"source":{"bytes":?}}}"#;
    Some(filled(document, &[&["document-", &number].concat(), data]))
}
