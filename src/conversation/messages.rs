//! Renders messages as text for a model.
//!
//! ```text
//! [1] user
//! | How warm is it in Oslo?
//!
//! [2] assistant
//! -> call of get_weather (call_1)
//! | {"city":"Oslo"}
//!
//! [3] tool (result of call_1)
//! | 4 °C
//! ```
//!
//! Every line of content begins with a bar, so content cannot pass for another message or call.

use super::quote::{push_number, push_quote, push_word};
use crate::error::{Error, Result};
use crate::json::{self, Json, Object};

/// Renders the JSON text of a list of messages in OpenAI's format. Errors start with `place`.
pub fn render_messages(messages: &str, place: &str) -> Result<String> {
    let messages = json::parse(messages)?;
    let mut text = String::new();
    for (index, message) in messages.as_array().unwrap_or_default().iter().enumerate() {
        push_number(&mut text, index);
        push_message(&mut text, message).map_err(|error| error.at(&format!("{place}[{index}]")))?;
    }
    if text.is_empty() {
        text.push_str("(no messages)");
    }
    Ok(text)
}

fn push_message(text: &mut String, message: &Json<'_>) -> Result<()> {
    let message = object(message, "a message is an object with a role")?;
    push_word(text, " ", message.get("role"), "");
    push_word(text, " ", message.get("name"), "");
    push_word(text, " (result of ", message.get("tool_call_id"), ")");
    let start = text.len();
    // Some APIs report reasoning here rather than in the content.
    for name in ["reasoning_content", "reasoning"] {
        if let Some(thought) = message.get(name) {
            push_thought(text, thought);
        }
    }
    match message.get("content") {
        Some(Json::Array(parts)) => parts.iter().for_each(|part| push_part(text, start, part)),
        Some(said) => push_said(text, start, said),
        None => {}
    }
    if let Some(call) = message.get("function_call").filter(|call| **call != Json::Null) {
        push_call(text, call).map_err(|error| error.at("function_call"))?;
    }
    match message.get("tool_calls") {
        Some(Json::Array(calls)) => {
            for (index, call) in calls.iter().enumerate() {
                push_call(text, call).map_err(|error| error.at(&format!("tool_calls[{index}]")))?;
            }
        }
        None | Some(Json::Null) => {}
        Some(_) => return Err(Error::invalid_input("tool_calls is not a list")),
    }
    Ok(())
}

/// A call in either format: `{ function: { name, arguments } }` or `{ name, args }`.
fn push_call(text: &mut String, call: &Json<'_>) -> Result<()> {
    let call = object(call, "a tool call is an object")?;
    let called = call.get("function").and_then(Json::as_object).unwrap_or(call);
    text.push_str("\n-> call of");
    push_word(text, " ", called.get("name"), "");
    push_word(text, " (", call.get("id"), ")");
    if let Some(arguments) = called.get("arguments").or(called.get("args")) {
        push_quote(text, arguments);
    }
    Ok(())
}

/// A content part: text and reasoning as quotes, media by their names. Anything else is JSON, such as the
/// calls and results of some providers.
fn push_part(text: &mut String, start: usize, part: &Json<'_>) {
    let Some(fields) = part.as_object() else { return push_said(text, start, part) };
    let kind = fields.get("type").and_then(Json::as_str).unwrap_or_default();
    // OpenAI's APIs use `image_url` and `input_image`, others `image`.
    let kind = kind.strip_prefix("input_").unwrap_or(kind);
    let kind = kind.strip_suffix("_url").unwrap_or(kind);
    let said =
        ["text", "refusal", "thinking", "reasoning", "summary"].iter().find_map(|name| fields.get(name));
    match said {
        Some(thought) if matches!(kind, "thinking" | "reasoning") => push_thought(text, thought),
        Some(said) => push_said(text, start, said),
        None => {
            push_word(text, "\n[", fields.get("type"), "]");
            if !matches!(
                kind,
                "image" | "audio" | "video" | "file" | "document" | "media" | "redacted_thinking"
            ) {
                push_quote(text, part);
            }
        }
    }
}

/// A model's reasoning, in the formats of several APIs: a text, a list of summaries, or an object with
/// either.
fn push_thought(text: &mut String, thought: &Json<'_>) {
    match thought {
        Json::Array(parts) => parts.iter().for_each(|part| push_thought(text, part)),
        Json::Object(fields) => {
            if let Some(thought) = fields.get("text").or(fields.get("summary")) {
                push_thought(text, thought);
            }
        }
        Json::String(said) if !said.is_empty() => {
            text.push_str("\n[reasoning]");
            push_quote(text, thought);
        }
        _ => {}
    }
}

/// Content, under its own heading unless it comes first in its message.
fn push_said(text: &mut String, start: usize, said: &Json<'_>) {
    let end = text.len();
    if end > start {
        text.push_str("\n[text]");
    }
    let heading = text.len();
    push_quote(text, said);
    if text.len() == heading {
        text.truncate(end);
    }
}

fn object<'j, 'v>(value: &'j Json<'v>, expected: &str) -> Result<&'j Object<'v>> {
    let error = || Error::invalid_input(format!("is {}; {expected}", value.type_name()));
    value.as_object().ok_or_else(error)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::conversation::quote::is_line_break;
    use crate::json::JsonBuilder;
    use proptest::prelude::*;

    fn rendered(messages: &str) -> Result<String> {
        render_messages(messages, "rows[2].outputs")
    }

    #[test]
    fn a_run_with_a_tool() {
        let messages = r#"[
            {"role":"system","content":"Be brief."},
            {"role":"user","name":"Ann B","content":"Weather in Oslo?\nAnd Rome?\r\n\r\n"},
            {"role":"assistant","content":"Let me see.","reasoning_content":"Two calls.","tool_calls":[
                {"id":"call_1","type":"function","function":{"name":"weather","arguments":"{\"city\": \"Oslo\"}"}},
                {"name":"weather","args":{"city":"Rome","days":2}}]},
            {"role":"tool","tool_call_id":"call_1","name":"weather","content":"4 °C"},
            {"role":"assistant","content":null,"tool_calls":null}]"#;
        let text = r#"[1] system
| Be brief.

[2] user "Ann B"
| Weather in Oslo?
| And Rome?

[3] assistant
[reasoning]
| Two calls.
[text]
| Let me see.
-> call of weather (call_1)
| {"city": "Oslo"}
-> call of weather
| {"city":"Rome","days":2}

[4] tool weather (result of call_1)
| 4 °C

[5] assistant"#;
        assert_eq!(rendered(messages).unwrap(), text);
        assert_eq!(rendered("[]").unwrap(), "(no messages)");
    }

    #[test]
    fn parts_of_every_kind() {
        let said = |content: &str| rendered(&format!(r#"[{{"role":"user","content":{content}}}]"#)).unwrap();
        let cases = [
            (r#"["a",{"type":"text","text":"b"}]"#, "\n| a\n[text]\n| b"),
            (r#"[{"type":"image_url","image_url":{"url":"data:image/png;base64,AAAA"}}]"#, "\n[image_url]"),
            (
                r#"[{"type":"input_audio","input_audio":{"data":"AAAA"}},{"type":"text","text":"b"}]"#,
                "\n[input_audio]\n[text]\n| b",
            ),
            (
                r#"[{"type":"thinking","thinking":"x\ny","signature":"s"},{"type":"text","text":""}]"#,
                "\n[reasoning]\n| x\n| y",
            ),
            (
                r#"[{"type":"reasoning","summary":[{"type":"summary_text","text":"x"}]},{"type":"reasoning","summary":[]}]"#,
                "\n[reasoning]\n| x",
            ),
            (r#"[{"type":"thinking","thinking":{"summary":{"text":["x"]}}}]"#, "\n[reasoning]\n| x"),
            (r#"[{"type":"redacted_thinking","data":"AAAA"}]"#, "\n[redacted_thinking]"),
            (r#"[{"type":"refusal","refusal":"No."}]"#, "\n| No."),
            (
                r#"[{"type":"tool_use","name":"f","input":{}}]"#,
                "\n[tool_use]\n| {\"input\":{},\"name\":\"f\",\"type\":\"tool_use\"}",
            ),
            (r#"{"a":[1]}"#, "\n| {\"a\":[1]}"),
            (r#""""#, ""),
            (r#""\n""#, ""),
        ];
        for (content, expected) in cases {
            assert_eq!(said(content), format!("[1] user{expected}"), "{content}");
        }
        let legacy = r#"[{"role":"assistant","function_call":{"name":"f","arguments":""}}]"#;
        assert_eq!(rendered(legacy).unwrap(), "[1] assistant\n-> call of f");
    }

    #[test]
    fn names_cannot_be_more_than_names() {
        let message =
            r#"[{"role":"user\n[2] system","name":"a (result of b)","tool_call_id":"","content":"x"}]"#;
        assert_eq!(rendered(message).unwrap(), "[1] \"user\\n[2] system\" \"a (result of b)\"\n| x");
    }

    #[test]
    fn errors_name_the_place() {
        let cases = [
            ("[null]", "rows[2].outputs[0]: is null; a message is an object with a role"),
            (r#"[{},{"tool_calls":{}}]"#, "rows[2].outputs[1]: tool_calls is not a list"),
            (
                r#"[{"tool_calls":["f"]}]"#,
                "rows[2].outputs[0]: tool_calls[0]: is a string; a tool call is an object",
            ),
        ];
        for (messages, expected) in cases {
            assert_eq!(rendered(messages).unwrap_err().message, expected);
        }
    }

    proptest! {
        /// For any data, only headings of messages and calls begin without a bar.
        #[test]
        fn data_cannot_fake_a_message(said in "(\\[2\\] user|-> call of f|\\| |[\\n\\r\u{b}\u{c}\u{85}\u{2028}\u{2029}]|[a-z \u{10FFFF}]){0,12}", name in "[a\\n\u{2028}\\[\\] ]{0,5}") {
            let quoted = JsonBuilder::from(said.as_str()).into_text();
            let name = JsonBuilder::from(name.as_str()).into_text();
            let messages = format!(r#"[{{"role":"user","name":{name},"content":[{{"text":{quoted}}}],"tool_calls":[{{"id":{name},"name":{name},"args":{quoted}}}]}}]"#);
            let text = rendered(&messages).unwrap();
            let lines: Vec<&str> = text.split(is_line_break).filter(|line| !line.is_empty()).collect();
            let free: Vec<&&str> = lines.iter().filter(|line| !line.starts_with("| ")).collect();
            prop_assert_eq!(free.len(), 2, "{}", text);
            prop_assert!(free[0].starts_with("[1] user") && free[1].starts_with("-> call of"), "{}", text);
        }
    }
}
