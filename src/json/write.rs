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
            Self::String(string) => write_string(string, text),
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
                    write_string(key, text);
                    text.push(':');
                    value.write(text)?;
                }
                text.push('}');
            }
        }
        Ok(())
    }
}

/// Writes a string in quotes. Lone surrogates, held as described at [`parse`](super::parse()), become escapes again.
pub(super) fn write_string(string: &str, text: &mut String) {
    text.push('"');
    let mut written = 0;
    for (at, byte) in string.bytes().enumerate() {
        let (escape, length) = match byte {
            b'"' => ("\\\"", 1),
            b'\\' => ("\\\\", 1),
            b'\n' => ("\\n", 1),
            b'\r' => ("\\r", 1),
            b'\t' => ("\\t", 1),
            0x08 => ("\\b", 1),
            0x0C => ("\\f", 1),
            0..0x20 => ("\\u00", 1),
            MARK if marks_surrogate(string, at) => ("\\u", '\u{10FFFF}'.len_utf8()),
            _ => continue,
        };
        text.push_str(string.get(written..at).unwrap_or_default());
        text.push_str(escape);
        written = at + length;
        if escape.ends_with('0') {
            let digit = |value: u8| char::from_digit(u32::from(value), 16).unwrap_or_default();
            text.extend([digit(byte >> 4), digit(byte & 15)]);
        }
    }
    text.push_str(string.get(written..).unwrap_or_default());
    text.push('"');
}

/// What U+10FFFF begins with in UTF-8, and few other characters.
const MARK: u8 = 0xF4;

/// Whether U+10FFFF and the digits of a surrogate stand at `at`.
fn marks_surrogate(string: &str, at: usize) -> bool {
    let digits = string.get(at..).and_then(|rest| rest.strip_prefix('\u{10FFFF}')?.get(..4));
    let unit = digits.and_then(|digits| u16::from_str_radix(digits, 16).ok());
    unit.is_some_and(|unit| (0xD800..=0xDFFF).contains(&unit))
}
