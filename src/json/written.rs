//! JSON values that keep how they are written, for languages in which `5` and `5.0` have different types.

use super::scan::{Problem, Scanner};
use super::write::write_beginning;
use super::{MAX_DEPTH, Number, Result};
use crate::error::Error;
use crate::sort::sorted;
use std::borrow::Cow;
use std::fmt;

/// A JSON value with its text.
#[derive(Debug, Clone)]
pub struct Written<'a> {
    /// The text that it was read from.
    pub text: &'a str,
    /// The value.
    pub value: WrittenValue<'a>,
}

/// The value of a [`Written`].
#[derive(Debug, Clone)]
pub enum WrittenValue<'a> {
    /// `null`.
    Null,
    /// `true` or `false`.
    Bool(bool),
    /// A number without a fraction and an exponent, such as `5`.
    Integer(Number<'a>),
    /// Any other number, such as `5.0`.
    Float(Number<'a>),
    /// A string.
    String(Cow<'a, str>),
    /// An array, in order.
    Array(Vec<Written<'a>>),
    /// The members of an object, sorted by key. Of duplicate keys the last one counts.
    Object(Vec<(Cow<'a, str>, Written<'a>)>),
}

impl<'a> Written<'a> {
    /// Reads one JSON text. Its values take more of the stack than those of [`super::parse()`], so it may nest less deep.
    pub fn parse(text: &'a str) -> Result<Self> {
        const MAX_LEVELS: usize = 256;
        let mut scanner = Scanner::new(text);
        read(&mut scanner, MAX_DEPTH - MAX_LEVELS)
            .and_then(|value| scanner.ends().map(|()| value))
            .map_err(|_| Error::invalid_input("not JSON, or it nests deeper than 256 levels"))
    }

    /// The members, if this is an object.
    pub fn members(&self) -> Option<&[(Cow<'a, str>, Self)]> {
        match &self.value {
            WrittenValue::Object(members) => Some(members),
            _ => None,
        }
    }

    /// The value at `key`, if this is an object that has it.
    pub fn get(&self, key: &str) -> Option<&Self> {
        let members = self.members()?;
        let at = members.binary_search_by(|(name, _)| name.as_ref().cmp(key)).ok()?;
        members.get(at).map(|(_, value)| value)
    }

    /// The elements, if this is an array.
    pub fn elements(&self) -> Option<&[Self]> {
        match &self.value {
            WrittenValue::Array(elements) => Some(elements),
            _ => None,
        }
    }

    /// The text, if this is a string.
    pub fn as_str(&self) -> Option<&str> {
        match &self.value {
            WrittenValue::String(text) => Some(text),
            _ => None,
        }
    }
}

/// Equality of JSON values: `5` equals `5.0`.
impl PartialEq for Written<'_> {
    fn eq(&self, other: &Self) -> bool {
        use WrittenValue::{Array, Bool, Float, Integer, Null, Object, String};
        match (&self.value, &other.value) {
            (Null, Null) => true,
            (Bool(one), Bool(other)) => one == other,
            (Integer(one) | Float(one), Integer(other) | Float(other)) => one == other,
            (String(one), String(other)) => one == other,
            (Array(one), Array(other)) => one == other,
            (Object(one), Object(other)) => one == other,
            _ => false,
        }
    }
}

impl fmt::Display for Written<'_> {
    /// Its text, cut after 80 characters, for messages.
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_beginning(self.text, formatter)
    }
}

fn read<'a>(scanner: &mut Scanner<'a>, depth: usize) -> Result<Written<'a>, Problem> {
    let next = scanner.next();
    let start = scanner.position;
    let value = match next {
        Some(b'"') => WrittenValue::String(scanner.string()?.text()),
        Some(b'{') => WrittenValue::Object(members(scanner, depth)?),
        Some(b'[') => WrittenValue::Array(elements(scanner, depth)?),
        Some(b'-' | b'0'..=b'9') => {
            let number = scanner.number()?;
            let is_float = scanner.since(start).contains(['.', 'e', 'E']);
            if is_float { WrittenValue::Float(number) } else { WrittenValue::Integer(number) }
        }
        Some(b't') => scanner.literal("true").map(|()| WrittenValue::Bool(true))?,
        Some(b'f') => scanner.literal("false").map(|()| WrittenValue::Bool(false))?,
        Some(b'n') => scanner.literal("null").map(|()| WrittenValue::Null)?,
        _ => return Err(scanner.no_value()),
    };
    Ok(Written { text: scanner.since(start), value })
}

fn elements<'a>(scanner: &mut Scanner<'a>, depth: usize) -> Result<Vec<Written<'a>>, Problem> {
    let depth = scanner.open(depth)?;
    let mut elements = Vec::new();
    if scanner.takes(b']') {
        return Ok(elements);
    }
    loop {
        elements.push(read(scanner, depth)?);
        if scanner.list_ends()? {
            return Ok(elements);
        }
    }
}

type Members<'a> = Vec<(Cow<'a, str>, Written<'a>)>;

fn members<'a>(scanner: &mut Scanner<'a>, depth: usize) -> Result<Members<'a>, Problem> {
    let depth = scanner.open(depth)?;
    let mut read_members: Vec<Option<(Cow<'a, str>, Written<'a>)>> = Vec::new();
    if scanner.takes(b'}') {
        return Ok(Vec::new());
    }
    loop {
        let key = scanner.key()?.text();
        read_members.push(Some((key, read(scanner, depth)?)));
        if scanner.object_ends()? {
            break;
        }
    }
    let key = |at: usize| read_members.get(at).and_then(Option::as_ref).map(|(key, _)| key);
    let order = sorted(read_members.len(), &|one, other| key(one).cmp(&key(other)));
    let mut members: Members<'a> = Vec::with_capacity(order.len());
    for at in order {
        let Some(member) = read_members.get_mut(at).and_then(Option::take) else { continue };
        match members.last_mut() {
            Some(last) if last.0 == member.0 => *last = member,
            _ => members.push(member),
        }
    }
    Ok(members)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Written<'_> {
        Written::parse(text).unwrap()
    }

    #[test]
    fn numbers_keep_how_they_are_written() {
        for (text, is_float) in [("5", false), ("5.0", true), ("-0", false), ("5e0", true), ("1E2", true)] {
            assert_eq!(matches!(read(text).value, WrittenValue::Float(_)), is_float, "{text}");
        }
        assert_eq!(read("5"), read("5.0"));
        assert_ne!(read("1"), read("true"));
    }

    #[test]
    fn objects_are_sorted_and_the_last_duplicate_counts() {
        let value = read(r#" {"b": 1, "a": [ 1, 2.50 ], "b": "é\u0041"} "#);
        assert_eq!(value.get("b").and_then(Written::as_str), Some("éA"));
        assert_eq!(value.get("a").map(|value| value.text), Some("[ 1, 2.50 ]"));
        assert_eq!(value.members().map(<[_]>::len), Some(2));
        assert_eq!(value, read(r#"{"a":[1,2.5],"b":"éA"}"#));
    }

    #[test]
    fn rejects_invalid_json() {
        for text in ["", "{", "[1,]", "{\"a\"}", "1 2", "nul"] {
            assert!(Written::parse(text).is_err(), "{text}");
        }
        assert!(Written::parse(&"[".repeat(100_000)).is_err());
    }
}
