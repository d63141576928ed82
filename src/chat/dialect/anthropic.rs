//! Anthropic's messages, with structured outputs.
//!
//! Forced tools are not used: the models of late 2026 refuse them, and every model that is still served takes
//! `output_config.format`, with and without thinking.

use super::schema::{Rules, reduced};
use super::{Api, JsonBuilder, Members, OutputSchema, Part, data_uri, fill_template, member, system};
use crate::chat::ChatRequest;

pub const API: Api = Api {
    settings: "",
    limit: "max_tokens",
    // The API requires a limit. Every served model supports this one, which includes thinking.
    default_limit: Some(16_000),
    content: &["content"],
    reasons: &[&["stop_reason"]],
    explanations: &[&["stop_details", "explanation"], &["stop_details", "category"]],
    refusal: &[],
    model: &["model"],
    usage: &["usage"],
    // Tokens read from or written to a cache are not part of the first count.
    read: &["input_tokens", "cache_creation_input_tokens", "cache_read_input_tokens"],
    written: &["output_tokens"],
    thought: &["output_tokens_details", "thinking_tokens"],
    cached: &["cache_read_input_tokens"],
    cache_writes: &["cache_creation_input_tokens"],
};

/// The keywords of JSON Schema that structured outputs support.
#[rustfmt::skip]
pub const RULES: Rules = Rules {
    keywords: &[
        "$defs", "$ref", "additionalProperties", "anyOf", "const", "description", "enum", "items", "properties",
        "required", "title", "type",
    ],
    formats: &[],
    closed: true,
};

pub fn messages<'r>(body: &mut Members, request: &ChatRequest<'r>) -> Result<(), &'r Part> {
    let messages = super::messages(request, false, &|message| super::message(message, &block))?;
    body.push(member("messages", messages));
    body.extend(system(request, &block)?.map(|system| member("system", system)));
    Ok(())
}

/// The version, which Vertex AI takes in the body instead of a header.
pub fn vertex_version() -> (String, JsonBuilder) {
    member("anthropic_version", "vertex-2023-10-16".into())
}

/// Not finished JSON text but an object, since `params` may add `effort` to it.
pub fn format(schema: &OutputSchema) -> (String, JsonBuilder) {
    let schema = reduced(&schema.schema, &RULES);
    let format = fill_template(r#"{"type":"json_schema","schema":#}"#, &[&schema]);
    member("output_config", JsonBuilder::Object(vec![member("format", format)]))
}

fn block(part: &Part) -> Option<JsonBuilder> {
    let (kind, url) = match part {
        Part::Text(_) | Part::Prefix { .. } => return Some(part.to_json()),
        Part::Image(url) => ("image", url),
        Part::File { data, .. } => ("document", data),
        Part::Audio { .. } => return None,
    };
    match data_uri(url) {
        None => Some(fill_template(r#"{"type":?,"source":{"type":"url","url":?}}"#, &[kind, url])),
        // The API takes only PDF as documents in base64.
        Some((media_type, _)) if kind == "document" && media_type != "application/pdf" => None,
        Some((media_type, data)) => Some(fill_template(
            r#"{"type":?,"source":{"type":"base64","media_type":?,"data":?}}"#,
            &[kind, media_type, data],
        )),
    }
}
