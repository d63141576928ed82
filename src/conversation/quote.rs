//! Quoted lines: each begins with a bar, and a line without a bar is never a quote.

use crate::json::Json;

/// The heading number, counted from 1, in brackets.
pub(super) fn push_number(text: &mut String, index: usize) {
    text.push_str(if index == 0 { "[" } else { "\n\n[" });
    text.push_str(&(index + 1).to_string());
    text.push(']');
}

/// A string with a bar before each line; any other value as JSON.
pub(super) fn push_quote(text: &mut String, said: &Json<'_>) {
    let json;
    let said = match said {
        Json::Null => return,
        Json::String(said) => said.as_ref(),
        said => {
            json = said.to_text();
            &json
        }
    };
    let said = said.trim_end_matches(is_line_break);
    if !said.is_empty() {
        text.push_str("\n| ");
        push_lines(text, said, "| ");
    }
}

/// A name between `before` and `after`, in quotes unless it is a single word. Writes nothing if there is no
/// name.
pub(super) fn push_word(text: &mut String, before: &str, word: Option<&Json<'_>>, after: &str) {
    let Some(word) = word else { return };
    let is_word = |byte: u8| byte.is_ascii_alphanumeric() || b"_-.:/".contains(&byte);
    let json;
    let word = match word {
        Json::Null => return,
        Json::String(word) if word.bytes().all(is_word) => word.as_ref(),
        word => {
            json = word.to_text();
            &json
        }
    };
    if !word.is_empty() {
        text.push_str(before);
        push_lines(text, word, "");
        text.push_str(after);
    }
}

/// A text with `mark` at the start of each line but the first. If the mark is empty, line breaks become
/// spaces.
fn push_lines(text: &mut String, said: &str, mark: &str) {
    let mut previous = ' ';
    for character in said.chars() {
        if is_line_break(previous) && (previous, character) != ('\r', '\n') {
            text.push_str(mark);
        }
        // JSON leaves some line breaks unescaped.
        text.push(if mark.is_empty() && is_line_break(character) { ' ' } else { character });
        previous = character;
    }
}

/// Whether a model may read the character as a line break.
pub(super) fn is_line_break(character: char) -> bool {
    matches!(character, '\n'..='\r' | '\u{85}' | '\u{2028}' | '\u{2029}')
}
