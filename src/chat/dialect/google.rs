//! Gemini's content generation.

use super::schema::{Rules, reduced};
use super::{Api, JsonBuilder, Members, OutputSchema, Part, data_uri, fill_template, member, parts, system};
use crate::chat::{ChatRequest, Role};

pub const API: Api = Api {
    settings: "generationConfig",
    limit: "maxOutputTokens",
    default_limit: None,
    content: &["candidates", "content", "parts"],
    reasons: &[&["candidates", "finishReason"]],
    explanations: &[&["candidates", "finishMessage"]],
    // A blocked prompt has no candidate.
    refusal: &["promptFeedback", "blockReason"],
    model: &["modelVersion"],
    usage: &["usageMetadata"],
    read: &["promptTokenCount", "toolUsePromptTokenCount"],
    written: &["candidatesTokenCount", "thoughtsTokenCount"],
    thought: &["thoughtsTokenCount"],
    cached: &["cachedContentTokenCount"],
    cache_writes: &[],
};

/// The keywords that `responseJsonSchema` is documented to know. The older `responseSchema` knows fewer, and only
/// strings in an `enum`.
#[rustfmt::skip]
const RULES: Rules = Rules {
    keywords: &[
        "$anchor", "$defs", "$id", "$ref", "additionalProperties", "anyOf", "description", "enum", "format", "items",
        "maxItems", "maximum", "minItems", "minimum", "oneOf", "prefixItems", "properties", "propertyOrdering",
        "required", "title", "type",
    ],
    formats: &[],
    closed: false,
};

pub fn messages<'r>(body: &mut Members, request: &ChatRequest<'r>) -> Result<(), &'r Part> {
    let contents = super::messages(request, false, &|message| {
        let role = if message.role == Role::Assistant { "model" } else { "user" };
        let parts = JsonBuilder::list(parts(&message.content, &part)?.into_iter());
        Ok(fill_template(r#"{"role":?,"parts":#}"#, &[role, &parts.into_text()]))
    })?;
    body.push(member("contents", contents));
    if let Some(parts) = system(request, &part)? {
        body.push(member("systemInstruction", fill_template(r#"{"parts":#}"#, &[&parts.into_text()])));
    }
    Ok(())
}

pub fn format(schema: &OutputSchema) -> [(String, JsonBuilder); 2] {
    let schema = JsonBuilder::Text(reduced(&schema.schema, &RULES));
    [member("responseMimeType", "application/json".into()), member("responseJsonSchema", schema)]
}

fn part(part: &Part) -> Option<JsonBuilder> {
    const INLINE: &str = r#"{"inlineData":{"mimeType":?,"data":?}}"#;
    Some(match part {
        Part::Text(text) | Part::Prefix { text, .. } => fill_template(r#"{"text":?}"#, &[text]),
        Part::Audio { data, format } => fill_template(INLINE, &[&format!("audio/{format}"), data]),
        Part::Image(url) | Part::File { data: url, .. } => match (data_uri(url), media_type(url)) {
            (Some((media_type, data)), _) => fill_template(INLINE, &[media_type, data]),
            (None, "") => fill_template(r#"{"fileData":{"fileUri":?}}"#, &[url]),
            (None, media_type) => {
                fill_template(r#"{"fileData":{"fileUri":?,"mimeType":?}}"#, &[url, media_type])
            }
        },
    })
}

/// The likely media type of a URL, by its extension.
fn media_type(url: &str) -> &'static str {
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
    TYPES.iter().find(|(ending, _)| path.ends_with(ending)).map_or("", |(_, media_type)| media_type)
}
