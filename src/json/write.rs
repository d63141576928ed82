//! Writing JSON values as text.

use super::{Json, MARK};
use crate::text::beginning;
use std::fmt::{self, Write};

impl fmt::Display for Json<'_> {
    /// The compact JSON text, cut after 80 characters, for messages.
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut text = String::new();
        self.write(&mut text)?;
        write_beginning(&text, formatter)
    }
}

/// Writes a JSON text, cut after 80 characters.
pub(super) fn write_beginning(text: &str, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
    match beginning(text, 80) {
        Some(start) => write!(formatter, "{start}…"),
        None => formatter.write_str(text),
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

/// Writes a string in quotes. Lone surrogates, encoded as described at [`parse`](super::parse()), become
/// escapes again.
pub(crate) fn write_string(string: &str, text: &mut String) {
    text.push('"');
    let mut written = 0;
    for (at, byte) in string.bytes().enumerate() {
        // Fast path: nearly all bytes are written unchanged.
        if byte >= 0x20 && byte != b'"' && byte != b'\\' && byte != FIRST_OF_MARK {
            continue;
        }
        let (escape, length) = match byte {
            b'"' => ("\\\"", 1),
            b'\\' => ("\\\\", 1),
            b'\n' => ("\\n", 1),
            b'\r' => ("\\r", 1),
            b'\t' => ("\\t", 1),
            0x08 => ("\\b", 1),
            0x0C => ("\\f", 1),
            0..0x20 => ("\\u00", 1),
            FIRST_OF_MARK if at >= written => match marked(string, at) {
                Some(Marked::Surrogate) => ("\\u", MARK.len_utf8()),
                Some(Marked::Mark) => ("\\udbff\\udfff", 2 * MARK.len_utf8()),
                None => continue,
            },
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

/// The first byte of the mark in UTF-8, which few other characters have.
const FIRST_OF_MARK: u8 = 0xF4;

/// The meaning of a mark.
pub(super) enum Marked {
    /// A lone surrogate, whose four digits follow.
    Surrogate,
    /// The mark itself, which is written twice.
    Mark,
}

/// The meaning of the mark at `at`. `None` if there is no mark, or if a text from elsewhere has it without
/// the encoding.
pub(super) fn marked(string: &str, at: usize) -> Option<Marked> {
    let rest = string.get(at..)?.strip_prefix(MARK)?;
    if rest.starts_with(MARK) {
        return Some(Marked::Mark);
    }
    let unit = u16::from_str_radix(rest.get(..4)?, 16).ok()?;
    (0xD800..=0xDFFF).contains(&unit).then_some(Marked::Surrogate)
}
