//! OpenAI's Responses API: the answer is in messages, among items with reasoning, commentary and calls.

use super::{
    Api, JsonBuilder, Members, OutputSchema, Part, Structure, at, data_uri, fill_template, member, openai,
    text_at,
};
use crate::chat::{ChatRequest, Message, Role};
use crate::json::Json;

pub const API: Api = Api {
    settings: "",
    limit: "max_output_tokens",
    default_limit: None,
    content: &["output"],
    reasons: &[&["incomplete_details", "reason"], &["status"]],
    explanations: &[],
    refusal: &[],
    model: &["model"],
    usage: &["usage"],
    read: &["input_tokens"],
    written: &["output_tokens"],
    thought: &["output_tokens_details", "reasoning_tokens"],
    cached: &["input_tokens_details", "cached_tokens"],
    cache_writes: &[],
};

pub fn messages<'r>(body: &mut Members, request: &ChatRequest<'r>) -> Result<(), &'r Part> {
    body.push(member("input", super::messages(request, true, &message)?));
    // Unlike chat completions, responses are stored for 30 days by default.
    body.push(member("store", false.into()));
    Ok(())
}

/// Not finished JSON text but an object, since `params` may add `verbosity` to it.
pub fn format(schema: &OutputSchema, structure: Structure) -> (String, JsonBuilder) {
    let OutputSchema { name, schema, strict } = openai::supported(schema);
    let strict = if strict { "true" } else { "false" };
    let format = match structure {
        Structure::Schema => fill_template(
            r#"{"type":"json_schema","name":?,"strict":#,"schema":#}"#,
            &[&name, strict, &schema],
        ),
        _ => fill_template(r#"{"type":"json_object"}"#, &[]),
    };
    member("text", JsonBuilder::Object(vec![member("format", format)]))
}

/// The final answer and the refusal of the model. Messages with commentary are skipped.
pub fn said<'j>(answer: &'j Json<'_>) -> (String, Option<&'j str>) {
    let (mut said, mut refusal) = (String::new(), None);
    for item in list(answer, "output") {
        if text_at(item, &["type"]) != Some("message") || text_at(item, &["phase"]) == Some("commentary") {
            continue;
        }
        for part in list(item, "content") {
            said.push_str(text_at(part, &["text"]).unwrap_or_default());
            refusal = refusal.or_else(|| text_at(part, &["refusal"]));
        }
    }
    (said, refusal)
}

/// Whether a part of the answer was cut off, whatever the status of the whole response.
pub fn is_unfinished(answer: &Json<'_>) -> bool {
    list(answer, "output").iter().any(|item| text_at(item, &["status"]) == Some("incomplete"))
}

/// The HTTP status that corresponds to the error code of a failed response.
pub fn status_of(code: &str) -> u16 {
    match code {
        "server_error" | "vector_store_timeout" => 500,
        "rate_limit_exceeded" => 429,
        _ => 400,
    }
}

fn list<'j, 'v>(value: &'j Json<'v>, name: &str) -> &'j [Json<'v>] {
    at(value, &[name]).and_then(Json::as_array).unwrap_or_default()
}

/// Earlier answers of the model are plain text.
fn message(message: &Message) -> Result<JsonBuilder, &Part> {
    if message.role != Role::Assistant {
        return super::message(message, &part);
    }
    let mut words = String::new();
    for part in &message.content {
        let Part::Text(text) = part else { return Err(part) };
        words.push_str(text);
    }
    Ok(fill_template(r#"{"role":"assistant","content":?}"#, &[&words]))
}

fn part(part: &Part) -> Option<JsonBuilder> {
    Some(match part {
        Part::Text(text) | Part::Prefix { text, .. } => {
            fill_template(r#"{"type":"input_text","text":?}"#, &[text])
        }
        Part::Image(url) => fill_template(r#"{"type":"input_image","image_url":?,"detail":"auto"}"#, &[url]),
        Part::File { name, data } if data_uri(data).is_some() => {
            fill_template(r#"{"type":"input_file","filename":?,"file_data":?}"#, &[name, data])
        }
        Part::File { data, .. } => fill_template(r#"{"type":"input_file","file_url":?}"#, &[data]),
        Part::Audio { .. } => return None,
    })
}
