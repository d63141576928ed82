//! Renders the tools of an assistant as text for a model.
//!
//! ```text
//! [1] search
//! | Searches the web.
//! | Parameters: {"type":"object"}
//!
//! [2] calculator
//! | Calculates.
//! ```
//!
//! As with messages, a description cannot pass for another tool.

use super::quote::{push_number, push_quote, push_word};
use crate::json::Json;
use std::borrow::Cow;

/// Renders tools, given as pairs of name and description.
pub fn render_tools(tools: &[(&str, &str)]) -> String {
    let mut text = String::new();
    for (index, (name, description)) in tools.iter().enumerate() {
        push_number(&mut text, index);
        push_word(&mut text, " ", Some(&Json::String(Cow::Borrowed(name))), "");
        push_quote(&mut text, &Json::String(Cow::Borrowed(description)));
    }
    if text.is_empty() {
        text.push_str("(no tools)");
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_description_cannot_fake_a_tool() {
        let tools = [
            ("search", "Searches the web.\nParameters: {}"),
            ("weather in Oslo", ""),
            ("f\n[4] g", "[5] h\n\n[6] i\n"),
        ];
        let text = r#"[1] search
| Searches the web.
| Parameters: {}

[2] "weather in Oslo"

[3] "f\n[4] g"
| [5] h
| 
| [6] i"#;
        assert_eq!(render_tools(&tools), text);
        assert_eq!(render_tools(&[]), "(no tools)");
    }
}
