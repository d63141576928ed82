//! Errors, in all the forms that APIs have for them.

use super::{Path, at, responses, text_at};
use crate::json::{self, Json, Number};
use crate::text::find;

/// What an answer with an error says about it, in any of the forms that are in use.
pub fn error_message(answer: &Json<'_>) -> Option<String> {
    let message = first_message(answer)?;
    // OpenRouter's, of the provider behind it.
    let behind = text_at(answer, &["error", "metadata", "raw"]).filter(|raw| !raw.is_empty());
    Some(behind.map_or_else(|| message.to_owned(), |raw| format!("{message}: {raw}")))
}

/// The HTTP status of an error that came as a success: OpenRouter relays those of the providers behind it, and responses
/// that have failed say why.
pub fn relayed_status(body: &str) -> Option<u16> {
    // Answers are long, and few of them hold the word.
    find(body, "\"error\"")?;
    let answer = json::parse(body).ok()?;
    let is_answer = at(&answer, &["choices"]).is_some();
    match at(&answer, &["error", "code"]) {
        Some(Json::Number(Number::Integer(code))) if !is_answer => {
            u16::try_from(*code).ok().filter(|code| (400..600).contains(code))
        }
        Some(Json::String(code)) if text_at(&answer, &["status"]) == Some("failed") => {
            Some(responses::status_of(code))
        }
        _ => None,
    }
}

/// Whether an error means that a filter of the provider declined.
pub fn is_moderation(answer: &Json<'_>) -> bool {
    let code = text_at(answer, &["error", "code"]);
    // OpenAI calls a prompt invalid that its reasoning models may not see.
    code.is_some_and(|code| {
        ["content_filter", "invalid_prompt"].contains(&code) || find(code, "_policy").is_some()
    }) || at(answer, &["error", "metadata", "flagged_input"]).is_some()
        || text_at(answer, &["error", "innererror", "code"]) == Some("ResponsibleAIPolicyViolation")
}

/// How long Gemini asks to wait, in seconds: it says so in the body.
pub fn retry_delay<'j>(answer: &'j Json<'_>) -> Option<&'j str> {
    let details = at(answer, &["error", "details"])?.as_array()?;
    details.iter().find_map(|detail| text_at(detail, &["retryDelay"])?.strip_suffix('s'))
}

fn first_message<'j>(answer: &'j Json<'_>) -> Option<&'j str> {
    const PATHS: [Path; 9] = [
        &["error", "message"],
        &["error"],
        &["message"],
        &["detail"],
        // Mistral's, and everybody else's who checks requests with pydantic.
        &["message", "detail", "msg"],
        &["detail", "msg"],
        // OpenRouter's, when the error came late.
        &["choices", "error", "message"],
        // Cloudflare's.
        &["errors", "message"],
        // Amazon's, when it is not the model's.
        &["Message"],
    ];
    PATHS.iter().find_map(|path| text_at(answer, path))
}
