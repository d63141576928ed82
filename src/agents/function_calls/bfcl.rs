//! Compares calls as the checker of the Berkeley Function-Calling Leaderboard does, for tools with Python's types.
//!
//! The rules, even surprising ones, are as in `bfcl-eval`, so that scores are comparable with published ones.
//! Where its checker raises an exception, a call does not fit.

use super::call::{
    Call, Fault, FunctionTool, ParameterType, is_optional, missing, mistyped, refused, unexpected, unreadable,
};
use crate::agents::{Lowercase, equal_in_python as equal, lowered};
use crate::json::{Written, WrittenValue};
use std::borrow::Cow;

/// The type of a value in Python.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    None,
    Bool,
    Int,
    Float,
    Str,
    List,
    Dict,
}

impl From<ParameterType> for Kind {
    fn from(kind: ParameterType) -> Self {
        match kind {
            ParameterType::String => Self::Str,
            ParameterType::Integer => Self::Int,
            ParameterType::Float => Self::Float,
            ParameterType::Boolean => Self::Bool,
            ParameterType::Array => Self::List,
            ParameterType::Dict => Self::Dict,
        }
    }
}

fn kind_of(value: &Written<'_>) -> Kind {
    match value.value {
        WrittenValue::Null => Kind::None,
        WrittenValue::Bool(_) => Kind::Bool,
        WrittenValue::Integer(_) => Kind::Int,
        WrittenValue::Float(_) => Kind::Float,
        WrittenValue::String(_) => Kind::Str,
        WrittenValue::Array(_) => Kind::List,
        WrittenValue::Object(_) => Kind::Dict,
    }
}

/// The problem of a call with the right name, if any.
pub fn fault(
    tool: &FunctionTool,
    call: &Call<'_>,
    accepted: &Call<'_>,
    lowercase: Lowercase,
) -> Option<Fault> {
    let (Some(args), Some(accepted)) = (&call.args, &accepted.args) else { return Some(unreadable()) };
    if let Some(name) = tool.required.iter().find(|name| args.get(name).is_none()) {
        return Some(missing(name));
    }
    for (name, value) in args.members().unwrap_or_default() {
        let (Some(parameter), Some(values)) = (tool.parameter(name), accepted.get(name)) else {
            return Some(unexpected(name));
        };
        let list = values.elements().unwrap_or_default();
        let expected = parameter.kind.map(Kind::from);
        let items = parameter.items.filter(|_| expected == Some(Kind::List)).map(Kind::from);
        // Only here, an integer is a float.
        let is_float = expected == Some(Kind::Float) && kind_of(value) == Kind::Int;
        let kind = if is_float { Kind::Float } else { kind_of(value) };
        let Some(is_other_type) = checked_type(value, kind, list, expected, items) else {
            return Some(mistyped(name, value));
        };
        let fits = match expected.filter(|_| !is_other_type) {
            Some(Kind::Dict) => fits_dict(value, list, lowercase),
            Some(Kind::List) if items == Some(Kind::Dict) => {
                list.iter().any(|accepted| fits_dicts(value, accepted, lowercase))
            }
            Some(Kind::Str) => list.iter().any(|accepted| fits_text(value, accepted, lowercase)),
            Some(Kind::List) => list.iter().any(|accepted| fits_list(value, accepted, lowercase)),
            _ => list.iter().any(|accepted| equal(value, accepted)),
        };
        if !fits {
            return Some(refused(name, value, values));
        }
    }
    let accepted = accepted.members().unwrap_or_default();
    let lacking = accepted.iter().find(|(name, values)| args.get(name).is_none() && !is_optional(values));
    lacking.map(|(name, _)| missing(name))
}

/// Whether the type of the accepted values differs from the declared one; `None` if a value has neither type.
fn checked_type(
    value: &Written<'_>,
    kind: Kind,
    accepted: &[Written<'_>],
    expected: Option<Kind>,
    items: Option<Kind>,
) -> Option<bool> {
    let known = accepted.iter().find(|value| value.as_str() != Some("")).map(kind_of);
    if expected != Some(kind) {
        return (known == Some(kind)).then_some(true);
    }
    let is_other_type = known.is_some_and(|known| known != kind);
    let (Some(items), Some(elements)) = (items, value.elements()) else { return Some(is_other_type) };
    let element_fits = |element: &Written<'_>, accepted: &[Written<'_>]| {
        checked_type(element, kind_of(element), accepted, Some(items), None).is_some()
    };
    let mut alternatives = accepted.iter().map(|alternative| match alternative.elements() {
        Some(accepted) => elements.iter().all(|element| element_fits(element, accepted)),
        None => true,
    });
    alternatives.any(|fits| fits).then_some(is_other_type)
}

/// The elements of a list, or the characters of a text, as Python's indices find them.
fn indexed<'w>(value: &'w Written<'w>) -> Option<Vec<Cow<'w, Written<'w>>>> {
    match &value.value {
        WrittenValue::Array(elements) => Some(elements.iter().map(Cow::Borrowed).collect()),
        WrittenValue::String(text) => {
            Some(text.char_indices().map(|(at, c)| Cow::Owned(char_at(text, at, c))).collect())
        }
        _ => None,
    }
}

fn char_at(text: &str, at: usize, c: char) -> Written<'_> {
    let text = text.get(at..at + c.len_utf8()).unwrap_or_default();
    Written { text, value: WrittenValue::String(text.into()) }
}

/// Compares texts without case and some punctuation, and other values exactly.
fn fits_text(value: &Written<'_>, accepted: &Written<'_>, lowercase: Lowercase) -> bool {
    match (value.as_str(), accepted.as_str()) {
        (Some(value), Some(accepted)) => standardized(value, lowercase) == standardized(accepted, lowercase),
        _ => equal(value, accepted),
    }
}

fn standardized(text: &str, lowercase: Lowercase) -> String {
    let kept = text.chars().filter(|c| !matches!(c, ' ' | ',' | '.' | '/' | '-' | '_' | '*' | '^'));
    lowered(kept.map(|c| if c == '\'' { '"' } else { c }), lowercase)
}

fn fits_list(value: &Written<'_>, accepted: &Written<'_>, lowercase: Lowercase) -> bool {
    let (Some(elements), Some(accepted)) = (value.elements(), indexed(accepted)) else { return false };
    elements.len() == accepted.len()
        && elements.iter().zip(&accepted).all(|(one, other)| fits_text(one, other, lowercase))
}

/// Whether an object has only keys with accepted values. A missing key has to be optional.
fn fits_dict(value: &Written<'_>, accepted: &[Written<'_>], lowercase: Lowercase) -> bool {
    let Some(members) = value.members() else { return false };
    accepted.iter().any(|alternative| {
        let Some(expected) = alternative.members() else { return false };
        let fits = |value: &Written<'_>, key: &str| {
            let values = alternative.get(key).and_then(indexed).unwrap_or_default();
            values.iter().any(|accepted| fits_text(value, accepted, lowercase))
        };
        members.iter().all(|(key, value)| fits(value, key))
            && expected.iter().all(|(key, values)| {
                value.get(key).is_some() || is_optional(values) || values.as_str().is_some()
            })
    })
}

fn fits_dicts(value: &Written<'_>, accepted: &Written<'_>, lowercase: Lowercase) -> bool {
    let (Some(elements), Some(accepted)) = (value.elements(), indexed(accepted)) else { return false };
    elements.len() == accepted.len()
        && elements
            .iter()
            .zip(accepted)
            .all(|(one, other)| fits_dict(one, std::slice::from_ref(&*other), lowercase))
}
