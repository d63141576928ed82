//! Reads errors in the forms of all APIs.

use super::{Path, at, responses, text_at};
use crate::json::{self, Json, Number};
use crate::text::find;

/// The message of an error response.
pub fn error_message(answer: &Json<'_>) -> Option<String> {
    let message = first_message(answer)?;
    // OpenRouter: the error of the upstream provider.
    let upstream = text_at(answer, &["error", "metadata", "raw"]).filter(|raw| !raw.is_empty());
    Some(upstream.map_or_else(|| message.to_owned(), |raw| format!("{message}: {raw}")))
}

/// The HTTP status of an error in a response with status 200: OpenRouter relays the errors of other providers this way, and
/// the Responses API those of failed responses.
pub fn relayed_status(body: &str) -> Option<u16> {
    // A quick search first: answers are long, and those of most APIs do not contain the word.
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

/// Whether an error is a refusal by a filter of the provider.
pub fn is_moderation(answer: &Json<'_>) -> bool {
    let code = text_at(answer, &["error", "code"]);
    // `invalid_prompt`: OpenAI's reasoning models reject a prompt that violates the usage policy.
    code.is_some_and(|code| {
        ["content_filter", "invalid_prompt"].contains(&code) || find(code, "_policy").is_some()
    }) || at(answer, &["error", "metadata", "flagged_input"]).is_some()
        || text_at(answer, &["error", "innererror", "code"]) == Some("ResponsibleAIPolicyViolation")
}

/// The pause in seconds that Gemini requests, in the body rather than a header.
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
        // Mistral, and others that validate requests with pydantic.
        &["message", "detail", "msg"],
        &["detail", "msg"],
        // OpenRouter, for late errors.
        &["choices", "error", "message"],
        // Cloudflare.
        &["errors", "message"],
        // Amazon, for errors outside of the model.
        &["Message"],
    ];
    PATHS.iter().find_map(|path| text_at(answer, path))
}
