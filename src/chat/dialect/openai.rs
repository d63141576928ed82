//! OpenAI's chat completions, with structured outputs; and Mistral's, which differ in names.

use super::{Dialect, Structure, get, messages, said, text, usage};
use crate::chat::{ChatRequest, Completion, Finish, Part, ProviderOptions};
use crate::json::{Draft, Json};

pub fn body<'r>(
    dialect: Dialect,
    options: &ProviderOptions,
    request: &ChatRequest<'r>,
    structure: Structure,
) -> Result<Draft, &'r Part> {
    let is_mistral = dialect == Dialect::Mistral;
    let part = |part: &Part| Some(if is_mistral { mistral_part(part) } else { part.to_json() });
    let mut body = Draft::object([
        ("model", options.endpoint.model.as_str().into()),
        ("messages", messages(&mut request.messages.iter(), &part)?),
    ]);
    match (structure, request.schema) {
        (Structure::Schema, Some(schema)) => {
            let json_schema = Draft::object([
                ("name", schema.name.as_str().into()),
                ("strict", schema.strict.into()),
                ("schema", Draft::verbatim(&schema.schema)),
            ]);
            let format = Draft::object([("type", "json_schema".into()), ("json_schema", json_schema)]);
            body.set("response_format", format);
        }
        (Structure::JsonObject, Some(_)) => {
            body.set("response_format", Draft::object([("type", "json_object".into())]));
        }
        _ => {}
    }
    if let Some(temperature) = &options.temperature {
        body.set("temperature", Draft::verbatim(temperature));
    }
    if let Some(limit) = options.max_tokens {
        // OpenAI's reasoning models refuse the older name; many compatible servers do not know the newer one.
        let name = if dialect == Dialect::OpenAi { "max_completion_tokens" } else { "max_tokens" };
        body.set(name, u64::from(limit).into());
    }
    Ok(body)
}

/// Recordings are bare base64 there, and documents have an address, which may be a `data:` URI.
fn mistral_part(part: &Part) -> Draft {
    match part {
        Part::Audio { data, .. } => {
            Draft::object([("type", "input_audio".into()), ("input_audio", data.as_str().into())])
        }
        Part::File { name, data } => Draft::object([
            ("type", "document_url".into()),
            ("document_url", data.as_str().into()),
            ("document_name", name.as_str().into()),
        ]),
        _ => part.to_json(),
    }
}

pub fn read(answer: &Json<'_>) -> Option<Completion> {
    let choice = get(answer, "choices")?.as_array()?.first()?;
    let message = get(choice, "message")?;
    let reason = get(choice, "finish_reason").and_then(Json::as_str);
    let refusal = get(message, "refusal").and_then(text).filter(|refusal| !refusal.is_empty());
    let finish = match (refusal, reason) {
        (Some(refusal), _) => Finish::Refused(refusal),
        (None, Some(reason @ "content_filter")) => Finish::Refused(reason.to_owned()),
        (None, Some("length" | "model_length")) => Finish::Truncated,
        _ => Finish::Complete,
    };
    let content = get(message, "content");
    Some(Completion {
        // Mistral's reasoning models answer in parts; only some of them are of type text.
        text: content.and_then(text).or_else(|| Some(said(content?, |_| false))).unwrap_or_default(),
        finish,
        model: get(answer, "model").and_then(text),
        usage: usage(get(answer, "usage"), &["prompt_tokens"], &["completion_tokens"]),
        attempts: 1,
    })
}
