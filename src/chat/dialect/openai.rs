//! OpenAI's chat completions, with structured outputs; and Mistral's, which differ in names.

use super::{Api, Draft, Members, OutputSchema, Part, member, parts};
use crate::chat::ChatRequest;

/// OpenAI's reasoning models refuse the older name of the limit; many compatible servers do not know the newer one.
pub const API: Api = Api { limit: "max_completion_tokens", ..COMPATIBLE_API };

pub const COMPATIBLE_API: Api = Api {
    settings: "",
    limit: "max_tokens",
    default_limit: None,
    // A text, or parts from Mistral's reasoning models.
    content: &["choices", "message", "content"],
    reason: &["choices", "finish_reason"],
    truncated: &["length", "model_length"],
    refused: &["content_filter"],
    others_refuse: false,
    explanations: &[],
    refusal: &["choices", "message", "refusal"],
    model: &["model"],
    usage: &["usage"],
    read: &["prompt_tokens"],
    written: &["completion_tokens"],
};

pub fn messages<'r>(
    body: &mut Members,
    request: &ChatRequest<'r>,
    part: &dyn Fn(&Part) -> Option<Draft>,
) -> Result<(), &'r Part> {
    let messages = super::messages(request, true, &|message| {
        Ok(vec![member("role", message.role.name().into()), content(&message.content, part)?])
    })?;
    body.push(member("messages", messages));
    Ok(())
}

/// Words alone are a text.
pub fn content<'r>(
    content: &'r [Part],
    part: &dyn Fn(&Part) -> Option<Draft>,
) -> Result<(String, Draft), &'r Part> {
    let content = match content {
        [Part::Text(text)] => text.as_str().into(),
        content => Draft::list(parts(content, part)?.into_iter()),
    };
    Ok(member("content", content))
}

pub fn part(part: &Part) -> Option<Draft> {
    Some(part.to_json())
}

/// Recordings are bare base64 there, and documents have an address, which may be a `data:` URI.
pub fn mistral_part(part: &Part) -> Option<Draft> {
    let (kind, value) = match part {
        Part::Audio { data, .. } => ("input_audio", data),
        Part::File { data, .. } => ("document_url", data),
        _ => return Some(part.to_json()),
    };
    Some(Draft::Object(vec![member("type", kind.into()), member(kind, value.as_str().into())]))
}

pub fn format(schema: &OutputSchema) -> (String, Draft) {
    let json_schema = vec![
        member("name", schema.name.as_str().into()),
        member("strict", schema.strict.into()),
        member("schema", Draft::verbatim(&schema.schema)),
    ];
    response_format("json_schema", Some(member("json_schema", Draft::Object(json_schema))))
}

pub fn json_object() -> (String, Draft) {
    response_format("json_object", None)
}

fn response_format(kind: &str, more: Option<(String, Draft)>) -> (String, Draft) {
    let mut format = vec![member("type", kind.into())];
    format.extend(more);
    member("response_format", Draft::Object(format))
}
