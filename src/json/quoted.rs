//! JSON strings in their original spelling.

use super::MARK;
use std::borrow::Cow;

/// The spelling of a string, without its quotes. Two are equal if they represent the same text.
#[derive(Clone, Copy)]
pub(super) struct Quoted<'a> {
    pub raw: &'a str,
    pub has_escapes: bool,
}

impl<'a> Quoted<'a> {
    /// The length of the spelling, in bytes.
    pub fn len(self) -> usize {
        self.raw.len()
    }

    /// The text that it represents: borrowed unless it has an escape.
    #[inline]
    pub fn text(self) -> Cow<'a, str> {
        if self.has_escapes { Cow::Owned(unescaped(self.raw)) } else { Cow::Borrowed(self.raw) }
    }
}

impl PartialEq for Quoted<'_> {
    #[inline]
    fn eq(&self, other: &Self) -> bool {
        equal(self.raw.as_bytes(), other.raw.as_bytes())
            || (self.has_escapes || other.has_escapes) && self.text() == other.text()
    }
}

/// Whether two byte strings are equal, eight bytes at a time: WebAssembly's `memcmp` compares one at a time.
#[inline]
pub(super) fn equal(a: &[u8], b: &[u8]) -> bool {
    let ((a_chunks, a_rest), (b_chunks, b_rest)) = (a.as_chunks::<8>(), b.as_chunks::<8>());
    a.len() == b.len()
        && a_chunks.iter().zip(b_chunks).all(|(a, b)| u64::from_le_bytes(*a) == u64::from_le_bytes(*b))
        && a_rest.iter().zip(b_rest).all(|(a, b)| a == b)
}

/// The text of a string with escapes. See [`super::parse()`] for lone surrogates.
#[inline(never)]
fn unescaped(raw: &str) -> String {
    let mut text = String::with_capacity(raw.len());
    let mut pieces = raw.split('\\');
    text.push_str(pieces.next().unwrap_or_default());
    while let Some(piece) = pieces.next() {
        let Some((kind, rest)) = piece.split_at_checked(1) else {
            // An empty piece between two backslashes is an escaped backslash.
            text.push('\\');
            text.push_str(pieces.next().unwrap_or_default());
            continue;
        };
        let mut rest = rest;
        match kind {
            "b" => text.push('\u{8}'),
            "f" => text.push('\u{c}'),
            "n" => text.push('\n'),
            "r" => text.push('\r'),
            "t" => text.push('\t'),
            "u" => {
                let (unit, digits, after) = code_unit(rest);
                rest = after;
                let mut ahead = pieces.clone();
                let low = ahead.next().filter(|_| rest.is_empty()).and_then(|next| next.strip_prefix('u'));
                match low.map(code_unit) {
                    Some((low @ 0xDC00..0xE000, _, after)) if (0xD800..0xDC00).contains(&unit) => {
                        let code_point = 0x10000 + ((unit - 0xD800) << 10) + (low - 0xDC00);
                        let character = char::from_u32(code_point);
                        text.extend(character);
                        text.extend(character.filter(|character| *character == MARK));
                        (pieces, rest) = (ahead, after);
                    }
                    _ => match char::from_u32(unit) {
                        Some(character) => text.push(character),
                        None => {
                            text.push(MARK);
                            text.push_str(&digits.to_ascii_lowercase());
                        }
                    },
                }
            }
            itself => text.push_str(itself),
        }
        text.push_str(rest);
    }
    text
}

/// The number in four hexadecimal digits, and the text after them.
fn code_unit(text: &str) -> (u32, &str, &str) {
    let (digits, rest) = text.split_at_checked(4).unwrap_or_default();
    (u32::from_str_radix(digits, 16).unwrap_or_default(), digits, rest)
}
