//! Anthropic's messages, with structured outputs.
//!
//! A forced tool was the way before them. The models of late 2026 refuse one, and every model that is still served
//! takes `output_config.format`, with and without thinking.

use super::{Structure, conversation, data_uri, get, messages, parts, said, schema, system, text, usage};
use crate::chat::{ChatRequest, Completion, Finish, Part, ProviderOptions};
use crate::json::{Draft, Json};

/// The version of the API. The next one, 2026-10-21, refuses `temperature`, which older models take, and adds nothing
/// that is needed here.
pub const VERSION: (&str, &str) = ("anthropic-version", "2023-06-01");

/// The API wants a limit. Every model that is served can write this much, and thinking counts, too.
const MAX_TOKENS: u32 = 16_000;

/// The keywords of JSON Schema that structured outputs know.
const KEYWORDS: &[&str] = &[
    "$defs",
    "$ref",
    "additionalProperties",
    "anyOf",
    "const",
    "description",
    "enum",
    "items",
    "properties",
    "required",
    "title",
    "type",
];

pub fn body<'r>(
    options: &ProviderOptions,
    request: &ChatRequest<'r>,
    structure: Structure,
) -> Result<Draft, &'r Part> {
    let mut body = Draft::object([
        ("model", options.endpoint.model.as_str().into()),
        ("max_tokens", u64::from(options.max_tokens.unwrap_or(MAX_TOKENS)).into()),
        ("messages", messages(&mut conversation(request), &block)?),
    ]);
    let system = parts(&mut system(request), &block)?;
    if !system.is_empty() {
        body.set("system", Draft::list(system.into_iter()));
    }
    if let (Structure::Schema, Some(schema)) = (structure, request.schema) {
        let schema = schema::reduced(&schema.schema, KEYWORDS);
        let format = Draft::object([("type", "json_schema".into()), ("schema", schema)]);
        body.set("output_config", Draft::object([("format", format)]));
    }
    if let Some(temperature) = &options.temperature {
        body.set("temperature", Draft::verbatim(temperature));
    }
    Ok(body)
}

fn block(part: &Part) -> Option<Draft> {
    let (kind, content) = match part {
        Part::Text(text) => ("text", ("text", text.as_str().into())),
        Part::Image(url) => ("image", ("source", source(url))),
        // Of documents in base64, the API takes PDF.
        Part::File { data, .. } if data_uri(data).is_none_or(|(kind, _)| kind == "application/pdf") => {
            ("document", ("source", source(data)))
        }
        _ => return None,
    };
    Some(Draft::object([("type", kind.into()), content]))
}

fn source(url: &str) -> Draft {
    match data_uri(url) {
        Some((media_type, data)) => Draft::object([
            ("type", "base64".into()),
            ("media_type", media_type.into()),
            ("data", data.into()),
        ]),
        None => Draft::object([("type", "url".into()), ("url", url.into())]),
    }
}

pub fn read(answer: &Json<'_>) -> Option<Completion> {
    let content = get(answer, "content")?;
    content.as_array()?;
    let reason = get(answer, "stop_reason").and_then(Json::as_str);
    let finish = match reason {
        Some("refusal") => {
            let detail = |name| get(get(answer, "stop_details")?, name).and_then(text);
            let why = detail("explanation").or_else(|| detail("category"));
            Finish::Refused(why.unwrap_or_else(|| "refusal".to_owned()))
        }
        Some("max_tokens" | "model_context_window_exceeded" | "pause_turn") => Finish::Truncated,
        _ => Finish::Complete,
    };
    Some(Completion {
        text: said(content, |block| get(block, "type").and_then(Json::as_str) != Some("text")),
        finish,
        model: get(answer, "model").and_then(text),
        usage: usage(
            get(answer, "usage"),
            // What is read from a cache or written to one is not part of the first.
            &["input_tokens", "cache_creation_input_tokens", "cache_read_input_tokens"],
            &["output_tokens"],
        ),
        attempts: 1,
    })
}
