//! Gemini's content generation.

use super::{Structure, conversation, data_uri, get, parts, said, schema, system, text, usage};
use crate::chat::{ChatRequest, Completion, Finish, Part, ProviderOptions, Role};
use crate::json::{Draft, Json};

/// The keywords that `responseJsonSchema` is documented to know. The older `responseSchema` knows fewer, and only
/// strings in an `enum`.
const KEYWORDS: &[&str] = &[
    "$anchor",
    "$defs",
    "$id",
    "$ref",
    "additionalProperties",
    "anyOf",
    "description",
    "enum",
    "format",
    "items",
    "maxItems",
    "maximum",
    "minItems",
    "minimum",
    "oneOf",
    "prefixItems",
    "properties",
    "propertyOrdering",
    "required",
    "title",
    "type",
];

/// A model as part of a path: `models/…`, unless it says itself what it is.
pub fn resource(model: &str) -> String {
    if model.contains('/') { model.to_owned() } else { format!("models/{model}") }
}

pub fn body<'r>(
    options: &ProviderOptions,
    request: &ChatRequest<'r>,
    structure: Structure,
) -> Result<Draft, &'r Part> {
    let mut contents = Vec::new();
    for message in conversation(request) {
        let role = if message.role == Role::Assistant { "model" } else { "user" };
        let parts = Draft::list(parts(&mut message.content.iter(), &part)?.into_iter());
        contents.push(Draft::object([("role", role.into()), ("parts", parts)]));
    }
    let mut body = Draft::object([("contents", Draft::list(contents.into_iter()))]);
    let system = parts(&mut system(request), &part)?;
    if !system.is_empty() {
        body.set("systemInstruction", Draft::object([("parts", Draft::list(system.into_iter()))]));
    }
    let mut settings = Draft::object([]);
    if let (Structure::Schema, Some(schema)) = (structure, request.schema) {
        settings.set("responseMimeType", "application/json".into());
        settings.set("responseJsonSchema", schema::reduced(&schema.schema, KEYWORDS));
    }
    if let Some(temperature) = &options.temperature {
        settings.set("temperature", Draft::verbatim(temperature));
    }
    if let Some(limit) = options.max_tokens {
        settings.set("maxOutputTokens", u64::from(limit).into());
    }
    if settings != Draft::object([]) {
        body.set("generationConfig", settings);
    }
    Ok(body)
}

fn part(part: &Part) -> Option<Draft> {
    Some(match part {
        Part::Text(text) => Draft::object([("text", text.as_str().into())]),
        Part::Image(url) | Part::File { data: url, .. } => match data_uri(url) {
            Some((media_type, data)) => inline(media_type, data),
            None => {
                let mut file = Draft::object([("fileUri", url.as_str().into())]);
                if let Some(media_type) = media_type(url) {
                    file.set("mimeType", media_type.into());
                }
                Draft::object([("fileData", file)])
            }
        },
        Part::Audio { data, format } => inline(&format!("audio/{format}"), data),
    })
}

/// What an address is likely to lead to.
fn media_type(url: &str) -> Option<&'static str> {
    const TYPES: [(&str, &str); 7] = [
        (".jpg", "image/jpeg"),
        (".jpeg", "image/jpeg"),
        (".png", "image/png"),
        (".webp", "image/webp"),
        (".gif", "image/gif"),
        (".heic", "image/heic"),
        (".pdf", "application/pdf"),
    ];
    let path = url.split(['?', '#']).next().unwrap_or_default().to_ascii_lowercase();
    TYPES.iter().find(|(ending, _)| path.ends_with(ending)).map(|(_, media_type)| *media_type)
}

fn inline(media_type: &str, data: &str) -> Draft {
    Draft::object([("inlineData", Draft::object([("mimeType", media_type.into()), ("data", data.into())]))])
}

pub fn read(answer: &Json<'_>) -> Option<Completion> {
    let candidate = get(answer, "candidates").and_then(|list| list.as_array()?.first());
    let (finish, text_of_parts) = match candidate {
        Some(candidate) => {
            let parts = get(candidate, "content").and_then(|content| get(content, "parts"));
            // Thoughts are no part of the answer.
            let thought = |part: &Json<'_>| get(part, "thought") == Some(&Json::Bool(true));
            (finish(candidate), parts.map(|parts| said(parts, thought)).unwrap_or_default())
        }
        // The prompt was blocked; there is no candidate then.
        None => {
            let reason = get(get(answer, "promptFeedback")?, "blockReason").and_then(text)?;
            (Finish::Refused(reason), String::new())
        }
    };
    Some(Completion {
        text: text_of_parts,
        finish,
        model: get(answer, "modelVersion").and_then(text),
        usage: usage(
            get(answer, "usageMetadata"),
            &["promptTokenCount", "toolUsePromptTokenCount"],
            &["candidatesTokenCount", "thoughtsTokenCount"],
        ),
        attempts: 1,
    })
}

fn finish(candidate: &Json<'_>) -> Finish {
    let reason = get(candidate, "finishReason").and_then(Json::as_str).unwrap_or("STOP");
    match reason {
        "STOP" | "FINISH_REASON_UNSPECIFIED" => Finish::Complete,
        "MAX_TOKENS" | "CONTINUATION" => Finish::Truncated,
        // The model's mistakes: what it wrote is read, and asked for again.
        "MALFORMED_RESPONSE" | "MALFORMED_FUNCTION_CALL" | "UNEXPECTED_TOOL_CALL" | "TOO_MANY_TOOL_CALLS" => {
            Finish::Complete
        }
        // SAFETY, RECITATION, LANGUAGE, BLOCKLIST, PROHIBITED_CONTENT, SPII, OTHER, and what is still to come.
        _ => {
            let message = get(candidate, "finishMessage").and_then(text);
            Finish::Refused(message.unwrap_or_else(|| reason.to_owned()))
        }
    }
}
