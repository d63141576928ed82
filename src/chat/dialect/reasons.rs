//! The reasons with which APIs end an answer. All dialects share one list, because gateways relay the reasons of other APIs.

use crate::chat::Finish;
use crate::json::JsonBuilder;
use crate::text::excerpt;

impl Finish {
    /// How an answer with this reason ended. An unknown reason, such as `abort` or `insufficient_system_resource`, may mean
    /// that the request failed.
    pub fn of_reason(reason: &str) -> Self {
        let lower = reason.to_ascii_lowercase().replace('-', "_");
        let is = |reasons: &[&str]| reasons.contains(&lower.as_str());
        if is(&COMPLETE) {
            Self::Complete
        } else if is(&TRUNCATED) {
            Self::Truncated
        } else if is(&REFUSED) {
            Self::Refused(reason.to_owned())
        } else {
            let reason = JsonBuilder::from(excerpt(reason).as_str()).into_text();
            Self::Unreadable(["the API ended it with the reason ", &reason].concat())
        }
    }
}

/// Whether the reason means that there is no answer: the request failed or is not finished.
pub fn is_failure(reason: &str) -> bool {
    ["error", "failed", "cancelled", "in_progress", "queued"]
        .iter()
        .any(|name| reason.eq_ignore_ascii_case(name))
}

#[rustfmt::skip]
const COMPLETE: [&str; 17] = [
    "", "stop", "complete", "completed", "end_turn", "end_of_text", "endoftext", "eos", "eos_token", "stop_sequence",
    "stop_token", "finished", "tool_call", "tool_calls", "tool_use", "function_call", "finish_reason_unspecified",
];

#[rustfmt::skip]
const TRUNCATED: [&str; 9] = [
    "length", "model_length", "max_tokens", "max_output_tokens", "max_messages", "incomplete", "continuation",
    "model_context_window_exceeded", "pause_turn",
];

#[rustfmt::skip]
const REFUSED: [&str; 14] = [
    "content_filter", "content_filtered", "guardrail_intervened", "refusal", "sensitive", "safety", "recitation", "language",
    "blocklist", "prohibited_content", "spii", "other", "image_safety", "model_armor",
];
