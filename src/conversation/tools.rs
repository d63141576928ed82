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

use super::quote::{push_number, push_quote, push_word};
use crate::error::Result;
use crate::json;

/// Renders the JSON text of a list of pairs: the name of a tool, and what is said of it.
pub fn render_tools(tools: &str) -> Result<String> {
    let tools = json::parse(tools)?;
    let mut text = String::new();
    for (index, tool) in tools.as_array().unwrap_or_default().iter().enumerate() {
        push_number(&mut text, index);
        if let Some([name, said]) = tool.as_array() {
            push_word(&mut text, " ", Some(name), "");
            push_quote(&mut text, said);
        }
    }
    if text.is_empty() {
        text.push_str("(no tools)");
    }
    Ok(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_and_what_is_said_of_them() {
        let tools = r#"[["search","Searches the web.\nParameters: {}"],["weather in Oslo",""],["f\n[4] g","[5] h\u2028[6] i"]]"#;
        let text = "[1] search\n| Searches the web.\n| Parameters: {}\n\n[2] \"weather in Oslo\"\n\n\
            [3] \"f\\n[4] g\"\n| [5] h\u{2028}| [6] i";
        assert_eq!(render_tools(tools).unwrap(), text);
        assert_eq!(render_tools("[]").unwrap(), "(no tools)");
    }
}
