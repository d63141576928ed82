//! The tools of an assistant as a text for a model to read.
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
//! As with messages, nothing that is said of a tool can be taken for another one.

use super::quote::{push_number, push_quote, push_word};
use crate::json::Json;

/// Renders a list of `{ toolName, toolText }`.
pub fn render_tools(tools: &[Json<'_>]) -> String {
    let mut text = String::new();
    for (index, tool) in tools.iter().enumerate() {
        push_number(&mut text, index);
        let Some(tool) = tool.as_object() else { continue };
        push_word(&mut text, " ", tool.get("toolName"), "");
        push_quote(&mut text, tool.get("toolText").unwrap_or(&Json::Null));
    }
    if text.is_empty() {
        text.push_str("(no tools)");
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::json;

    #[test]
    fn nothing_that_is_said_of_a_tool_is_another_one() {
        let tools = r#"[
            {"toolName":"search","toolText":"Searches the web.\nParameters: {}"},
            {"toolName":"weather in Oslo","toolText":""},
            {"toolName":"f\n[4] g","toolText":"[5] h\n\n[6] i\n"}]"#;
        let text = r#"[1] search
| Searches the web.
| Parameters: {}

[2] "weather in Oslo"

[3] "f\n[4] g"
| [5] h
| 
| [6] i"#;
        assert_eq!(render_tools(json::parse(tools).unwrap().as_array().unwrap()), text);
        assert_eq!(render_tools(&[]), "(no tools)");
    }
}
