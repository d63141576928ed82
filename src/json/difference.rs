//! Explains where two values differ.

use super::Json;
use crate::text::beginning;
use std::borrow::Cow;
use std::fmt::Write;

/// How many characters of a text are shown, and how many of these precede the first difference.
const SHOWN: usize = 80;
const BEFORE: usize = 30;

/// The depth to which a difference is followed. Each step compares the values again.
const STEPS: usize = 32;

/// The first difference between two values: its path, and the value there on each side, cut. `None` if a side lacks the
/// value.
pub fn difference(place: &str, output: Option<&Json<'_>>, reference: Option<&Json<'_>>) -> String {
    let mut path = place.to_owned();
    match innermost(&mut path, output, reference) {
        (Some(Json::String(output)), Some(Json::String(reference))) => {
            path.push_str(&difference_of_texts(output, reference));
        }
        (output, reference) => {
            // Writing to a string cannot fail.
            let _ = match (output, reference) {
                (Some(output), Some(reference)) => write!(path, " is {output} instead of {reference}"),
                (Some(output), None) => write!(path, " is {output}, which the reference does not have"),
                (None, Some(reference)) => write!(path, " is missing instead of {reference}"),
                (None, None) => write!(path, " is missing on both sides"),
            };
        }
    }
    path
}

/// The values of a place on both sides.
type Sides<'j, 'v> = (Option<&'j Json<'v>>, Option<&'j Json<'v>>);

/// Follows the first difference into objects and lists. The path leads to it afterwards.
fn innermost<'j, 'v>(
    path: &mut String,
    mut output: Option<&'j Json<'v>>,
    mut reference: Option<&'j Json<'v>>,
) -> Sides<'j, 'v> {
    for _ in 0..STEPS {
        let (Some(of_output), Some(of_reference)) = (output, reference) else { break };
        let Some(inner) = step_inside(path, of_output, of_reference) else { break };
        (output, reference) = inner;
    }
    (output, reference)
}

/// The first members that differ, if both values have members.
fn step_inside<'j, 'v>(
    path: &mut String,
    output: &'j Json<'v>,
    reference: &'j Json<'v>,
) -> Option<Sides<'j, 'v>> {
    match (output, reference) {
        (Json::Object(output), Json::Object(reference)) => {
            let expected = reference.iter().map(|(key, value)| (key, output.get(key), Some(value)));
            let others = output.iter().filter(|(key, _)| reference.get(key).is_none());
            let mut members = expected.chain(others.map(|(key, value)| (key, Some(value), None)));
            let (key, output, reference) = members.find(|(_, output, reference)| output != reference)?;
            push_key(path, key);
            Some((output, reference))
        }
        (Json::Array(output), Json::Array(reference)) => {
            let mut indices = 0..output.len().max(reference.len());
            let index = indices.find(|index| output.get(*index) != reference.get(*index))?;
            push_index(path, index);
            Some((output.get(index), reference.get(index)))
        }
        _ => None,
    }
}

/// Two texts around their first difference.
fn difference_of_texts(output: &str, reference: &str) -> String {
    let same = output.chars().zip(reference.chars()).take_while(|(one, other)| one == other).count();
    let is_short = [output, reference].iter().all(|text| beginning(text, SHOWN).is_none());
    let start = if is_short { 0 } else { same.saturating_sub(BEFORE) };
    let part = |text: &str| {
        let mut chars = text.chars().skip(start);
        let mut part = if start > 0 { "…".to_owned() } else { String::new() };
        part.extend(chars.by_ref().take(SHOWN));
        if chars.next().is_some() {
            part.push('…');
        }
        Json::String(Cow::Owned(part)).to_text()
    };
    let place = if is_short { String::new() } else { format!(", from character {} on", same + 1) };
    format!(" is {} instead of {}{place}", part(output), part(reference))
}

/// Adds a key to a path, in quotes unless it is a name.
pub fn push_key(path: &mut String, key: &str) {
    // Of other scripts, the blocks of letters: not punctuation, spaces and symbols.
    let is_letter = |c: char| matches!(c, '\u{c0}'..='\u{1fff}' | '\u{2c00}'..='\u{d7ff}');
    let is_name = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '$' || is_letter(c);
    let is_plain = key.len() <= SHOWN && key.chars().all(is_name);
    if is_plain && !key.starts_with(|c: char| c.is_ascii_digit()) && !key.is_empty() {
        path.push('.');
        path.push_str(key);
    } else {
        path.push('[');
        path.push_str(&Json::String(Cow::Borrowed(key)).to_string());
        path.push(']');
    }
}

/// Adds the index of an element to a path.
pub fn push_index(path: &mut String, index: usize) {
    // Writing to a string cannot fail.
    let _ = write!(path, "[{index}]");
}

#[cfg(test)]
mod tests {
    use super::super::parse;
    use super::*;

    fn found(output: &str, reference: &str) -> String {
        difference("outputs", Some(&parse(output).unwrap()), Some(&parse(reference).unwrap()))
    }

    #[test]
    fn a_difference_is_followed_to_its_leaf() {
        let cases = [
            (r#"{"a":{"b":[1,2]}}"#, r#"{"a":{"b":[1,3]}}"#, "outputs.a.b[1] is 2 instead of 3"),
            (r#"[[],{"größe":1}]"#, r#"[[],{"größe":2}]"#, "outputs[1].größe is 1 instead of 2"),
            (r#"{"a":1,"b":2}"#, r#"{"b":2}"#, "outputs.a is 1, which the reference does not have"),
            (r#"{"b":2}"#, r#"{"a b":[1],"b":2}"#, r#"outputs["a b"] is missing instead of [1]"#),
            ("[1,2]", "[1]", "outputs[1] is 2, which the reference does not have"),
            (r#"{"a":[1]}"#, r#"{"a":{"b":1}}"#, r#"outputs.a is [1] instead of {"b":1}"#),
            (r#"{"a":"x"}"#, r#"{"a":"y"}"#, r#"outputs.a is "x" instead of "y""#),
        ];
        for (output, reference, expected) in cases {
            assert_eq!(found(output, reference), expected);
        }
    }

    #[test]
    fn long_texts_are_shown_around_their_difference() {
        let text = |middle: &str| format!("\"{}{middle}{}\"", "a".repeat(100), "z".repeat(100));
        let part = |middle: &str| format!("\"…{}{middle}{}…\"", "a".repeat(30), "z".repeat(47));
        let expected =
            format!("outputs is {} instead of {}, from character 101 on", part("one"), part("two"));
        assert_eq!(found(&text("one"), &text("two")), expected);
    }

    #[test]
    fn shows_deeper_values_at_the_end_of_the_path() {
        let nested = |value: u8| format!("{}{value}{}", "[".repeat(50), "]".repeat(50));
        let expected = format!("outputs{} is [[", "[0]".repeat(STEPS));
        assert!(found(&nested(1), &nested(2)).starts_with(&expected));
    }
}
