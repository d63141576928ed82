//! The tokenizers of sacrebleu, which separate tokens by spaces.

use super::characters::{CharacterClass, CharacterClasses, is_space};
use crate::text::{find, replace};
use serde::Deserialize;

/// A tokenizer for BLEU.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
pub enum BleuTokenizer {
    /// `mteval-v13a`, the script of the WMT.
    #[serde(rename = "13a")]
    V13a,
    /// Language-independent tokenization, as in `mteval-v14 --international-tokenization`.
    Intl,
    /// Chinese characters one by one, and the rest as `13a`.
    Zh,
    /// Each character is a token.
    Char,
    /// No tokenization: splits at white space.
    None,
}

impl BleuTokenizer {
    /// The name in sacrebleu's signatures.
    pub fn name(self) -> &'static str {
        match self {
            Self::V13a => "13a",
            Self::Intl => "intl",
            Self::Zh => "zh",
            Self::Char => "char",
            Self::None => "none",
        }
    }

    /// The text with spaces between tokens.
    pub fn separated(self, text: &str, classes: &Option<CharacterClasses>) -> String {
        match self {
            Self::V13a => {
                let text = replace(&replace(text, "<skipped>", ""), "-\n", "");
                western(&[" ", &unescaped(&replace(&text, "\n", " ")), " "].concat(), &|text| text)
            }
            Self::Intl => classes.as_ref().map_or_else(String::new, |classes| international(text, classes)),
            Self::Zh => western(&around(text.trim_matches(is_space), is_chinese), &|text| text),
            Self::Char => around(text, |_| true),
            Self::None => text.to_owned(),
        }
    }

    /// The character classes, if the tokenizer needs them.
    pub fn classes(self) -> Option<CharacterClasses> {
        (self == Self::Intl).then(CharacterClasses::read)
    }
}

/// The text with its basic XML entities decoded.
pub fn unescaped(text: &str) -> String {
    let mut text = text.to_owned();
    // The order matters: `&amp;lt;` becomes `<`.
    for (entity, character) in [("&quot;", "\""), ("&amp;", "&"), ("&lt;", "<"), ("&gt;", ">")] {
        if find(&text, entity).is_some() {
            text = replace(&text, entity, character);
        }
    }
    text
}

/// `mteval`'s tokenization of western languages: spaces around punctuation, except periods and commas between
/// digits, and dashes that do not follow a digit.
///
/// `then` is applied before periods and commas are.
pub fn western(text: &str, then: &dyn Fn(String) -> String) -> String {
    let is_digit = |character: char| character.is_ascii_digit();
    let is_stop = |character: char| matches!(character, '.' | ',');
    let text = then(around(text, is_separate));
    let text = pairs(&text, &|first, second| !is_digit(first) && is_stop(second), &|text, first, second| {
        text.extend([first, ' ', second, ' ']);
    });
    let text = pairs(&text, &|first, second| is_stop(first) && !is_digit(second), &|text, first, second| {
        text.extend([' ', first, ' ', second]);
    });
    pairs(&text, &|first, second| is_digit(first) && second == '-', &|text, first, second| {
        text.extend([first, ' ', second, ' ']);
    })
}

/// ASCII punctuation that is always a token.
fn is_separate(character: char) -> bool {
    matches!(character, '{'..='~' | '['..='`' | ' '..='&' | '('..='+' | ':'..='@' | '/')
}

fn international(text: &str, classes: &CharacterClasses) -> String {
    let is_number = |character: char| classes.of(character) == CharacterClass::Number;
    let is_punctuation = |character: char| classes.of(character) == CharacterClass::Punctuation;
    let text =
        pairs(text, &|first, second| !is_number(first) && is_punctuation(second), &|text, first, second| {
            text.extend([first, ' ', second, ' ']);
        });
    let text =
        pairs(&text, &|first, second| is_punctuation(first) && !is_number(second), &|text, first, second| {
            text.extend([' ', first, ' ', second]);
        });
    around(&text, |character| classes.of(character) == CharacterClass::Symbol)
}

/// The text with spaces around the characters for which `is_token` is true.
pub fn around(text: &str, is_token: impl Fn(char) -> bool) -> String {
    let mut separated = String::with_capacity(2 * text.len());
    for character in text.chars() {
        if is_token(character) {
            separated.extend([' ', character, ' ']);
        } else {
            separated.push(character);
        }
    }
    separated
}

/// Replaces pairs of characters. Pairs do not overlap.
fn pairs(
    text: &str,
    matches: &dyn Fn(char, char) -> bool,
    write: &dyn Fn(&mut String, char, char),
) -> String {
    let mut written = String::with_capacity(text.len() + 16);
    let mut characters = text.chars();
    let mut before = characters.next();
    while let Some(first) = before {
        before = characters.next();
        match before {
            Some(second) if matches(first, second) => {
                write(&mut written, first, second);
                before = characters.next();
            }
            _ => written.push(first),
        }
    }
    written
}

/// The characters that sacrebleu treats as Chinese. Two of its ranges are meant for higher planes but written
/// with four digits, so they cover everything from U+2001 on.
fn is_chinese(character: char) -> bool {
    matches!(character,
        '\u{3400}'..='\u{4db5}' | '\u{4e00}'..='\u{9fa5}' | '\u{9fa6}'..='\u{9fbb}'
        | '\u{f900}'..='\u{fa2d}' | '\u{fa30}'..='\u{fa6a}' | '\u{fa70}'..='\u{fad9}'
        | '\u{2001}'..='\u{2a6d}' | '\u{2f81}'..='\u{2fa1}' | '\u{ff00}'..='\u{ffef}'
        | '\u{2e80}'..='\u{2eff}' | '\u{3000}'..='\u{303f}' | '\u{31c0}'..='\u{31ef}'
        | '\u{2f00}'..='\u{2fdf}' | '\u{2ff0}'..='\u{2fff}' | '\u{3100}'..='\u{312f}'
        | '\u{31a0}'..='\u{31bf}' | '\u{fe10}'..='\u{fe1f}' | '\u{fe30}'..='\u{fe4f}'
        | '\u{3200}'..='\u{33ff}')
}

#[cfg(test)]
mod tests {
    use super::super::characters::words;
    use super::*;

    #[test]
    fn texts_become_tokens_as_in_sacrebleu() {
        for (tokenizer, text, tokens) in [
            (
                BleuTokenizer::V13a,
                "It's 1,000.5 m-long (3-4), &amp;lt; ok.",
                "It's 1,000.5 m-long ( 3 - 4 ) , < ok .",
            ),
            (BleuTokenizer::V13a, "<skipped>hy-\nphen\nend", "hyphen end"),
            (BleuTokenizer::Intl, "It's 1,000.5€ «là»…", "It ' s 1,000.5 € « là » …"),
            (BleuTokenizer::Zh, "我说“yes” 3.5。", "我 说 “ yes ” 3.5 。"),
            (BleuTokenizer::Char, "a b", "a b"),
            (BleuTokenizer::None, " a. b", "a. b"),
        ] {
            let separated = tokenizer.separated(text, &tokenizer.classes());
            assert_eq!(words(&separated).collect::<Vec<_>>().join(" "), tokens);
        }
    }
}
