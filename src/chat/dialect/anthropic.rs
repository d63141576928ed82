//! Anthropic's messages, with structured outputs.
//!
//! A forced tool was the way before them. The models of late 2026 refuse one, and every model that is still served
//! takes `output_config.format`, with and without thinking.

use super::schema::{Rules, reduced};
use super::{Api, Draft, Members, OutputSchema, Part, data_uri, filled, member, system};
use crate::chat::ChatRequest;

pub const API: Api = Api {
    settings: "",
    limit: "max_tokens",
    // The API wants a limit. Every model that is served can write this much, and thinking counts, too.
    default_limit: Some(16_000),
    content: &["content"],
    reasons: &[&["stop_reason"]],
    truncated: &["max_tokens", "model_context_window_exceeded", "pause_turn"],
    refused: &["refusal"],
    others_refuse: false,
    explanations: &[&["stop_details", "explanation"], &["stop_details", "category"]],
    refusal: &[],
    model: &["model"],
    usage: &["usage"],
    // What is read from a cache or written to one is not part of the first.
    read: &["input_tokens", "cache_creation_input_tokens", "cache_read_input_tokens"],
    written: &["output_tokens"],
    thought: &[],
    cached: &["cache_read_input_tokens"],
};

/// The keywords of JSON Schema that structured outputs know.
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

/// What Vertex AI has in the place of a header.
pub fn vertex_version() -> (String, Draft) {
    member("anthropic_version", "vertex-2023-10-16".into())
}

/// An object that stays open, since callers may set the effort beside the format.
pub fn format(schema: &OutputSchema) -> (String, Draft) {
    let schema = reduced(&schema.schema, &RULES);
    let format = filled(r#"{"type":"json_schema","schema":#}"#, &[&schema]);
    member("output_config", Draft::Object(vec![member("format", format)]))
}

fn block(part: &Part) -> Option<Draft> {
    let (kind, url) = match part {
        Part::Text(_) | Part::Prefix { .. } => return Some(part.to_json()),
        Part::Image(url) => ("image", url),
        Part::File { data, .. } => ("document", data),
        Part::Audio { .. } => return None,
    };
    match data_uri(url) {
        None => Some(filled(r#"{"type":?,"source":{"type":"url","url":?}}"#, &[kind, url])),
        // Of documents in base64, the API takes PDF.
        Some((media_type, _)) if kind == "document" && media_type != "application/pdf" => None,
        Some((media_type, data)) => Some(filled(
            r#"{"type":?,"source":{"type":"base64","media_type":?,"data":?}}"#,
            &[kind, media_type, data],
        )),
    }
}
