//! `Converse` of Amazon Bedrock, one form for the models of all its makers.

use super::anthropic::RULES;
use super::schema::reduced;
use super::{Api, JsonBuilder, Members, OutputSchema, Part, data_uri, fill_template, member, parts, system};
use crate::chat::ChatRequest;
use std::cell::Cell;

pub const API: Api = Api {
    settings: "inferenceConfig",
    limit: "maxTokens",
    default_limit: None,
    content: &["output", "message", "content"],
    reasons: &[&["stopReason"]],
    explanations: &[],
    refusal: &[],
    model: &[],
    usage: &["usage"],
    // Tokens read from or written to a cache are not part of the first count.
    read: &["inputTokens", "cacheReadInputTokens", "cacheWriteInputTokens"],
    written: &["outputTokens"],
    thought: &[],
    cached: &["cacheReadInputTokens"],
    cache_writes: &["cacheWriteInputTokens"],
};

pub fn messages<'r>(body: &mut Members, request: &ChatRequest<'r>) -> Result<(), &'r Part> {
    let documents = Cell::new(0);
    let block = |part: &Part| block(part, &documents);
    let messages = super::messages(request, false, &|message| {
        let content = JsonBuilder::list(parts(&message.content, &block)?.into_iter());
        Ok(fill_template(r#"{"role":?,"content":#}"#, &[message.role.name(), &content.into_text()]))
    })?;
    body.push(member("messages", messages));
    body.extend(system(request, &block)?.map(|system| member("system", system)));
    Ok(())
}

/// Not finished JSON text but an object, since `params` may add `effort` to it. The API takes the schema as a string.
pub fn format(schema: &OutputSchema) -> (String, JsonBuilder) {
    let reduced = reduced(&schema.schema, &RULES);
    let format = fill_template(
        r#"{"type":"json_schema","structure":{"jsonSchema":{"name":?,"schema":?}}}"#,
        &[&schema.name, &reduced],
    );
    member("outputConfig", JsonBuilder::Object(vec![member("textFormat", format)]))
}

fn block(part: &Part, documents: &Cell<u32>) -> Option<JsonBuilder> {
    let url = match part {
        Part::Text(text) | Part::Prefix { text, .. } => return Some(fill_template(r#"{"text":?}"#, &[text])),
        Part::Audio { data, format } => {
            return Some(fill_template(r#"{"audio":{"format":?,"source":{"bytes":?}}}"#, &[format, data]));
        }
        Part::Image(url) | Part::File { data: url, .. } => url,
    };
    let (media_type, data) = data_uri(url)?;
    if let Some(format @ ("png" | "jpeg" | "gif" | "webp")) = media_type.strip_prefix("image/") {
        return Some(fill_template(r#"{"image":{"format":?,"source":{"bytes":?}}}"#, &[format, data]));
    }
    if media_type != "application/pdf" {
        return None;
    }
    // Names have to be unique, with a limited character set. A caller's name could also inject instructions.
    documents.set(documents.get() + 1);
    let number = JsonBuilder::from(u64::from(documents.get())).into_text();
    let document = r#"{"document":{"format":"pdf","name":?,"source":{"bytes":?}}}"#;
    Some(fill_template(document, &[&["document-", &number].concat(), data]))
}
