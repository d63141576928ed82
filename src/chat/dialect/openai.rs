//! OpenAI's chat completions, with structured outputs; and Mistral's, which differ in names.

use super::schema::{Rules, reduced};
use super::{Api, JsonBuilder, Members, OutputSchema, Part, data_uri, fill_template, member};
use crate::chat::ChatRequest;

/// OpenAI's reasoning models refuse the older name of the limit; many compatible servers do not know the newer one.
pub const API: Api = Api { limit: "max_completion_tokens", ..COMPATIBLE_API };

pub const COMPATIBLE_API: Api = Api {
    settings: "",
    limit: "max_tokens",
    default_limit: None,
    // A text, or parts from Mistral's reasoning models.
    content: &["choices", "message", "content"],
    reasons: &[&["choices", "finish_reason"]],
    explanations: &[],
    refusal: &["choices", "message", "refusal"],
    model: &["model"],
    usage: &["usage"],
    read: &["prompt_tokens"],
    written: &["completion_tokens"],
    thought: &["completion_tokens_details", "reasoning_tokens"],
    cached: &["prompt_tokens_details", "cached_tokens"],
    // OpenRouter reports these.
    cache_writes: &["prompt_tokens_details", "cache_write_tokens"],
};

/// The keywords that structured outputs support in strict mode.
#[rustfmt::skip]
const STRICT_RULES: Rules = Rules {
    keywords: &[
        "$defs", "$ref", "$schema", "additionalProperties", "anyOf", "const", "description", "enum", "exclusiveMaximum",
        "exclusiveMinimum", "format", "items", "maxItems", "maximum", "minItems", "minimum", "multipleOf", "pattern",
        "properties", "required", "title", "type",
    ],
    formats: &["date", "date-time", "duration", "email", "hostname", "ipv4", "ipv6", "time", "uuid"],
    closed: false,
};

pub fn messages<'r>(
    body: &mut Members,
    request: &ChatRequest<'r>,
    part: &dyn Fn(&Part) -> Option<JsonBuilder>,
) -> Result<(), &'r Part> {
    let messages = super::messages(request, true, &|message| super::message(message, part))?;
    body.push(member("messages", messages));
    Ok(())
}

/// A content part, if OpenAI supports it: it reads neither documents by URL nor audio other than WAV and MP3.
pub fn part(part: &Part) -> Option<JsonBuilder> {
    match part {
        Part::File { data, .. } if data_uri(data).is_none() => None,
        Part::Audio { format, .. } if format != "wav" && format != "mp3" => None,
        _ => Some(part.to_json()),
    }
}

/// A content part for Mistral: audio is bare base64, and a document is a URL, which may be a `data:` URI.
pub fn mistral_part(part: &Part) -> Option<JsonBuilder> {
    Some(match part {
        Part::Audio { data, .. } => fill_template(r#"{"type":"input_audio","input_audio":?}"#, &[data]),
        Part::File { name, data } => {
            fill_template(r#"{"type":"document_url","document_url":?,"document_name":?}"#, &[data, name])
        }
        _ => part.to_json(),
    })
}

/// The schema; in strict mode, reduced to the supported keywords, which the API checks in no other mode.
pub fn supported(schema: &OutputSchema) -> OutputSchema {
    match schema.strict {
        true => OutputSchema { schema: reduced(&schema.schema, &STRICT_RULES), ..schema.clone() },
        false => schema.clone(),
    }
}

pub fn format(schema: &OutputSchema) -> (String, JsonBuilder) {
    let schema = supported(schema).to_json().into_text();
    member("response_format", fill_template(r#"{"type":"json_schema","json_schema":#}"#, &[&schema]))
}

pub fn json_object() -> (String, JsonBuilder) {
    member("response_format", fill_template(r#"{"type":"json_object"}"#, &[]))
}
