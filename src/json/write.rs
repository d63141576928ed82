//! Writing JSON values as text.

use super::Json;
use std::fmt::{self, Write};

impl fmt::Display for Json<'_> {
    /// The compact JSON text, cut after 80 characters: this is for messages that people read.
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        const LIMIT: usize = 80;
        let mut text = String::new();
        self.write(&mut text)?;
        match text.char_indices().nth(LIMIT).and_then(|(end, _)| text.get(..end)) {
            Some(start) => write!(formatter, "{start}…"),
            None => formatter.write_str(&text),
        }
    }
}

impl Json<'_> {
    /// The compact JSON text.
    pub fn to_text(&self) -> String {
        let mut text = String::new();
        // Writing to a string cannot fail.
        let _ = self.write(&mut text);
        text
    }

    fn write(&self, text: &mut String) -> fmt::Result {
        match self {
            Self::Null => text.push_str("null"),
            Self::Bool(value) => text.push_str(if *value { "true" } else { "false" }),
            Self::Number(number) => write!(text, "{number}")?,
            Self::String(string) => write_string(string, text)?,
            Self::Array(elements) => {
                text.push('[');
                for (index, element) in elements.iter().enumerate() {
                    if index > 0 {
                        text.push(',');
                    }
                    element.write(text)?;
                }
                text.push(']');
            }
            Self::Object(members) => {
                text.push('{');
                for (index, (key, value)) in members.iter().enumerate() {
                    if index > 0 {
                        text.push(',');
                    }
                    write_string(key, text)?;
                    text.push(':');
                    value.write(text)?;
                }
                text.push('}');
            }
        }
        Ok(())
    }
}

/// Lone surrogates, held as described at [`parse`], become escapes again.
pub(super) fn write_string(string: &str, text: &mut String) -> fmt::Result {
    let quoted = serde_json::to_string(string).map_err(|_| fmt::Error)?;
    let mut parts = quoted.split('\u{10FFFF}');
    text.push_str(parts.next().unwrap_or_default());
    for part in parts {
        let unit = part.get(..4).and_then(|digits| u16::from_str_radix(digits, 16).ok());
        let is_surrogate = unit.is_some_and(|unit| (0xD800..=0xDFFF).contains(&unit));
        text.push_str(if is_surrogate { "\\u" } else { "\u{10FFFF}" });
        text.push_str(part);
    }
    Ok(())
}
