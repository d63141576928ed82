//! Lines that quote what somebody said: each begins with a bar, and what begins without one is never a quote.

use crate::json::Json;

/// The number of what follows, from 1 on, in brackets.
pub(super) fn push_number(text: &mut String, index: usize) {
    text.push_str(if index == 0 { "[" } else { "\n\n[" });
    text.push_str(&(index + 1).to_string());
    text.push(']');
}

/// Each line of a text behind a bar; of anything else, its JSON.
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

/// A name, with what stands before and behind it; in quotes where it is more than a word. Nothing if there is none.
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

/// A text with `mark` at the beginning of each of its lines but the first; on one line, if there is none.
fn push_lines(text: &mut String, said: &str, mark: &str) {
    let mut previous = ' ';
    for character in said.chars() {
        if is_line_break(previous) && (previous, character) != ('\r', '\n') {
            text.push_str(mark);
        }
        // JSON does not escape every line break.
        text.push(if mark.is_empty() && is_line_break(character) { ' ' } else { character });
        previous = character;
    }
}

/// Whatever somebody may take for the beginning of a new line.
pub(super) fn is_line_break(character: char) -> bool {
    matches!(character, '\n'..='\r' | '\u{85}' | '\u{2028}' | '\u{2029}')
}
