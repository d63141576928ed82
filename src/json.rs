//! JSON values as the evaluators compare them.
//!
//! `serde_json::Value` would do, but comparing is what this crate exists for, and [`Json`] borrows its strings
//! from the text, keeps object members sorted so that equality is one pass, and reads nesting that is deeper
//! than serde_json's own limit. Equality is equality of JSON values: member order never matters, array order
//! does, `1` equals `1.0` and `-0` equals `0`. Integers of up to 64 bits compare exactly, beyond that as doubles.

use crate::error::{Error, Result};
use serde::de::{DeserializeSeed, Deserializer, MapAccess, SeqAccess, Visitor};
use serde::ser::{Serialize, SerializeMap, Serializer};
use std::borrow::Cow;
use std::fmt;

/// How deep arrays and objects may nest. Reading recurses, and the stack of a wasm instance is small.
pub const MAX_DEPTH: usize = 1024;

/// A JSON value that borrows from the text it was read from.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Json<'a> {
    /// `null`, and what JavaScript turns into it: `undefined`, `NaN`, infinities.
    Null,
    /// `true` or `false`.
    Bool(bool),
    /// A number, in the one form that all its spellings share.
    Number(Number),
    /// A string. A lone surrogate is held as described at [`parse`].
    String(Cow<'a, str>),
    /// An array, in order.
    Array(Vec<Json<'a>>),
    /// An object.
    Object(Object<'a>),
}

/// The members of an object, sorted by key, each key once (the last one of duplicates, as `JSON.parse` has it).
#[derive(Debug, Clone, PartialEq, Eq, Hash, Default)]
pub struct Object<'a>(Vec<(Cow<'a, str>, Json<'a>)>);

/// A number whose derived equality is numeric equality: whole numbers are integers wherever they fit.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Number {
    /// A whole number from -2^63 to 2^64 - 1.
    Integer(i128),
    /// The bits of any other double; never those of NaN, which JSON does not have.
    Float(u64),
}

impl From<f64> for Number {
    fn from(value: f64) -> Self {
        const BOUND: f64 = 18_446_744_073_709_551_616.0;
        // The cast is exact: a double without a fraction below 2^64 is an integer that fits.
        if value.fract() == 0.0 && (-BOUND / 2.0..BOUND).contains(&value) {
            return Self::Integer(value as i128);
        }
        Self::Float(value.to_bits())
    }
}

impl<'a> Object<'a> {
    fn from_members(mut members: Vec<(Cow<'a, str>, Json<'a>)>) -> Self {
        if !members.is_sorted_by(|a, b| a.0 < b.0) {
            // Stable, so that of equal keys the last one read stands last, and is the one that is kept.
            members.sort_by(|a, b| a.0.cmp(&b.0));
            members.dedup_by(|later, earlier| {
                let duplicate = later.0 == earlier.0;
                if duplicate {
                    std::mem::swap(later, earlier);
                }
                duplicate
            });
        }
        Self(members)
    }

    /// The value at `key`.
    pub fn get(&self, key: &str) -> Option<&Json<'a>> {
        let index = self.0.binary_search_by(|(k, _)| k.as_ref().cmp(key)).ok()?;
        self.0.get(index).map(|(_, value)| value)
    }

    /// The members in the order of their keys.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &Json<'a>)> {
        self.0.iter().map(|(key, value)| (key.as_ref(), value))
    }

    /// How many members there are.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether there is no member.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

impl<'a> Json<'a> {
    /// The object, if this is one.
    pub fn as_object(&self) -> Option<&Object<'a>> {
        match self {
            Self::Object(object) => Some(object),
            _ => None,
        }
    }

    /// The elements, if this is an array.
    pub fn as_array(&self) -> Option<&[Json<'a>]> {
        match self {
            Self::Array(elements) => Some(elements),
            _ => None,
        }
    }

    /// The text, if this is a string.
    pub fn as_str(&self) -> Option<&str> {
        match self {
            Self::String(text) => Some(text),
            _ => None,
        }
    }

    /// What a message calls a value of this type, with its article.
    pub fn type_name(&self) -> &'static str {
        match self {
            Self::Null => "null",
            Self::Bool(_) => "a boolean",
            Self::Number(_) => "a number",
            Self::String(_) => "a string",
            Self::Array(_) => "a list",
            Self::Object(_) => "an object",
        }
    }
}

/// Reads one JSON text.
///
/// JavaScript strings may hold lone surrogates, which `JSON.stringify` writes as escapes and Rust strings cannot
/// hold. They are read as the noncharacter U+10FFFF followed by their four hexadecimal digits: distinct from each
/// other and from all text that is meant for interchange.
pub fn parse(text: &str) -> Result<Json<'_>> {
    match read(text) {
        Err(error) => match escape_lone_surrogates(text) {
            Some(escaped) => read(&escaped).map(Json::into_owned),
            None => Err(error),
        },
        json => json,
    }
    .map_err(|error| Error::invalid_input(format!("not JSON that can be read: {error}")))
}

/// Scores each row of a JSON text `[[outputs, referenceOutputs], …]`; an error says which row it is about.
pub fn parse_pairs<T>(rows: &str, score: impl Fn(&Json<'_>, &Json<'_>) -> Result<T>) -> Result<Vec<T>> {
    let rows = parse(rows)?;
    let score_row = |(index, row): (usize, &Json<'_>)| {
        match row.as_array() {
            Some([outputs, reference_outputs]) => score(outputs, reference_outputs),
            _ => Err(Error::invalid_input("not a pair of outputs and referenceOutputs")),
        }
        .map_err(|error| error.at(&format!("rows[{index}]")))
    };
    rows.as_array().unwrap_or_default().iter().enumerate().map(score_row).collect()
}

fn read(text: &str) -> serde_json::Result<Json<'_>> {
    let mut deserializer = serde_json::Deserializer::from_str(text);
    deserializer.disable_recursion_limit();
    let json = Reader { depth: 0 }.deserialize(&mut deserializer)?;
    deserializer.end()?;
    Ok(json)
}

/// `None` when there is no lone surrogate in the text.
fn escape_lone_surrogates(text: &str) -> Option<String> {
    let mut escaped = String::with_capacity(text.len());
    let mut rest = text;
    let mut found = false;
    while let Some((before, after)) = rest.split_once('\\') {
        escaped.push_str(before);
        let next = after.get(5..).and_then(|next| next.strip_prefix('\\')).and_then(surrogate);
        match (surrogate(after), next) {
            (Some(high), Some(low)) if high < 0xDC00 && low >= 0xDC00 => {
                escaped.push('\\');
                escaped.push_str(after.get(..11)?);
                rest = after.get(11..)?;
            }
            (Some(_), _) => {
                found = true;
                escaped.push('\u{10FFFF}');
                escaped.push_str(&after.get(1..5)?.to_ascii_lowercase());
                rest = after.get(5..)?;
            }
            (None, _) => {
                // Any other escape, two characters long: a backslash that it escapes must not start a new one.
                let escape = after.chars().next()?;
                escaped.push('\\');
                escaped.push(escape);
                rest = after.get(escape.len_utf8()..)?;
            }
        }
    }
    escaped.push_str(rest);
    found.then_some(escaped)
}

/// The surrogate whose escape `text` starts with, the backslash left out.
fn surrogate(text: &str) -> Option<u16> {
    let digits = text.strip_prefix('u')?.get(..4)?;
    let unit = u16::from_str_radix(digits, 16).ok()?;
    (0xD800..=0xDFFF).contains(&unit).then_some(unit)
}

/// A text as it can be shown and sent: what [`parse`] made of lone surrogates becomes the replacement character.
pub fn without_lone_surrogates(text: &str) -> Cow<'_, str> {
    let mut parts = text.split('\u{10FFFF}');
    let first = parts.next().unwrap_or_default();
    if first.len() == text.len() {
        return Cow::Borrowed(text);
    }
    let rest = parts.flat_map(|part| ["\u{FFFD}", part.get(4..).unwrap_or(part)]);
    Cow::Owned(std::iter::once(first).chain(rest).collect())
}

impl Json<'_> {
    /// The same value, borrowing nothing.
    pub fn into_owned(self) -> Json<'static> {
        match self {
            Json::Null => Json::Null,
            Json::Bool(value) => Json::Bool(value),
            Json::Number(value) => Json::Number(value),
            Json::String(text) => Json::String(Cow::Owned(text.into_owned())),
            Json::Array(elements) => Json::Array(elements.into_iter().map(Json::into_owned).collect()),
            Json::Object(Object(members)) => Json::Object(Object(
                members.into_iter().map(|(k, v)| (Cow::Owned(k.into_owned()), v.into_owned())).collect(),
            )),
        }
    }
}

#[derive(Clone, Copy)]
struct Reader {
    depth: usize,
}

impl Reader {
    fn deeper<E: serde::de::Error>(self) -> std::result::Result<Self, E> {
        if self.depth >= MAX_DEPTH {
            return Err(E::custom(format!("it nests deeper than {MAX_DEPTH} levels")));
        }
        Ok(Self { depth: self.depth + 1 })
    }
}

impl<'de> DeserializeSeed<'de> for Reader {
    type Value = Json<'de>;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> std::result::Result<Json<'de>, D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Reader {
    type Value = Json<'de>;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("a JSON value")
    }

    fn visit_unit<E>(self) -> std::result::Result<Json<'de>, E> {
        Ok(Json::Null)
    }

    fn visit_bool<E>(self, value: bool) -> std::result::Result<Json<'de>, E> {
        Ok(Json::Bool(value))
    }

    fn visit_i64<E>(self, value: i64) -> std::result::Result<Json<'de>, E> {
        Ok(Json::Number(Number::Integer(value.into())))
    }

    fn visit_u64<E>(self, value: u64) -> std::result::Result<Json<'de>, E> {
        Ok(Json::Number(Number::Integer(value.into())))
    }

    fn visit_f64<E>(self, value: f64) -> std::result::Result<Json<'de>, E> {
        Ok(Json::Number(value.into()))
    }

    fn visit_borrowed_str<E>(self, text: &'de str) -> std::result::Result<Json<'de>, E> {
        Ok(Json::String(Cow::Borrowed(text)))
    }

    fn visit_str<E>(self, text: &str) -> std::result::Result<Json<'de>, E> {
        Ok(Json::String(Cow::Owned(text.to_owned())))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut access: A) -> std::result::Result<Json<'de>, A::Error> {
        let inner = self.deeper()?;
        let mut elements = Vec::new();
        while let Some(element) = access.next_element_seed(inner)? {
            elements.push(element);
        }
        Ok(Json::Array(elements))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut access: A) -> std::result::Result<Json<'de>, A::Error> {
        let inner = self.deeper()?;
        let mut members = Vec::new();
        while let Some(Key(key)) = access.next_key()? {
            members.push((key, access.next_value_seed(inner)?));
        }
        Ok(Json::Object(Object::from_members(members)))
    }
}

/// Borrows where serde's own `Cow` would copy.
#[derive(serde::Deserialize)]
struct Key<'a>(#[serde(borrow)] Cow<'a, str>);

impl Serialize for Json<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error> {
        match self {
            Self::Null => serializer.serialize_unit(),
            Self::Bool(value) => serializer.serialize_bool(*value),
            Self::Number(Number::Integer(value)) => serializer.serialize_i128(*value),
            Self::Number(Number::Float(bits)) => serializer.serialize_f64(f64::from_bits(*bits)),
            Self::String(text) => serializer.serialize_str(text),
            Self::Array(elements) => serializer.collect_seq(elements),
            Self::Object(Object(members)) => {
                let mut map = serializer.serialize_map(Some(members.len()))?;
                for (key, value) in members {
                    map.serialize_entry(key, value)?;
                }
                map.end()
            }
        }
    }
}

impl fmt::Display for Json<'_> {
    /// The compact JSON text, cut after 80 characters: this is for messages that people read.
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        const LIMIT: usize = 80;
        let text = serde_json::to_string(self).map_err(|_| fmt::Error)?;
        match text.char_indices().nth(LIMIT).and_then(|(end, _)| text.get(..end)) {
            Some(start) => write!(formatter, "{start}…"),
            None => formatter.write_str(&text),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn equal(a: &str, b: &str) -> bool {
        parse(a).unwrap() == parse(b).unwrap()
    }

    #[test]
    fn equality_is_that_of_json_values() {
        assert!(equal(r#"{"a":1,"b":[1,2]}"#, r#"{"b":[1,2],"a":1}"#));
        assert!(!equal("[1,2]", "[2,1]"));
        assert!(equal("1", "1.0"));
        assert!(equal("1000", "1e3"));
        assert!(equal("0", "-0.0"));
        assert!(equal("0.1", "0.10"));
        assert!(!equal("1", "\"1\""));
        assert!(!equal("null", "false"));
        assert!(!equal("{}", "[]"));
        assert!(!equal(r#"{"a":null}"#, "{}"));
    }

    #[test]
    fn integers_of_64_bits_are_exact() {
        assert!(!equal("9007199254740993", "9007199254740992"));
        assert!(!equal("18446744073709551615", "18446744073709551614"));
        assert!(equal("18446744073709551616", "18446744073709551616.0"));
        assert!(equal("9007199254740992", "9007199254740992.0"));
    }

    #[test]
    fn the_last_of_duplicate_keys_counts() {
        assert!(equal(r#"{"b":1,"a":1,"b":2,"b":3}"#, r#"{"a":1,"b":3}"#));
    }

    #[test]
    fn lone_surrogates_are_told_apart() {
        assert!(equal(r#""\ud800""#, r#""\uD800""#));
        assert!(!equal(r#""\ud800""#, r#""\ud801""#));
        assert!(!equal(r#""\ud800""#, r#""\ufffd""#));
        assert!(!equal(r#""\ud800""#, r#""\\ud800""#));
        assert!(equal(r#"["\ud83d\ude00","\udc00"]"#, "[\"😀\",\"\\udc00\"]"));
    }

    #[test]
    fn depth_is_bounded_and_said() {
        let nested = |depth| format!("{}{}", "[".repeat(depth), "]".repeat(depth));
        assert!(parse(&nested(MAX_DEPTH)).is_ok());
        let error = parse(&nested(MAX_DEPTH + 1)).unwrap_err();
        assert!(error.message.contains("deeper than 1024 levels"), "{}", error.message);
        assert!(parse(&"[".repeat(100_000)).is_err());
    }

    #[test]
    fn display_is_compact_and_short() {
        assert_eq!(
            parse(r#"{"b": [1.5, null], "a": "x"}"#).unwrap().to_string(),
            r#"{"a":"x","b":[1.5,null]}"#
        );
        let long = format!("\"{}\"", "é".repeat(100));
        assert_eq!(parse(&long).unwrap().to_string().chars().count(), 81);
    }

    proptest! {
        #[test]
        fn reading_never_panics(text in "[\\[\\]{}\",:\\\\udD89abc0-9.eE+ -]{0,40}") {
            let _ = parse(&text);
        }

        #[test]
        fn a_value_equals_its_own_text(numbers in proptest::collection::vec(any::<f64>().prop_filter("finite", |n| n.is_finite()), 0..8), key in ".{0,6}") {
            let text = serde_json::json!({ "n": numbers, &key: key }).to_string();
            let value = parse(&text).unwrap();
            let again = serde_json::to_string(&value).unwrap();
            prop_assert_eq!(&value, &parse(&again).unwrap());
        }
    }
}
