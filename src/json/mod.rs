//! JSON values as the evaluators compare them.
//!
//! [`Json`] borrows its strings from the text and keeps object members sorted, which makes comparing two
//! values one pass. Equality is equality of JSON values: member order never matters, array order does.
//! Numbers are compared by their exact value: `1` equals `1.0`, `-0` equals `0`, and an integer of twenty
//! digits differs from the next one.

mod builder;
mod changed_number;
mod compare;
mod deserialize;
mod difference;
mod digest;
mod number;
mod parse;
mod quoted;
mod scan;
mod serialize;
mod write;
#[cfg(feature = "rows")]
mod written;

use crate::error::{Error, Result};
use crate::sort::sorted;
use crate::text::find;
pub use builder::{JsonBuilder, fill_template};
pub use changed_number::changed_number;
pub use compare::{same, same_pairs};
pub use deserialize::read;
pub use difference::{difference, push_index, push_key};
pub use digest::digest;
pub use number::Number;
pub use serialize::write;
use std::borrow::Cow;
use std::cmp::Ordering;
use write::Marked;
#[cfg(feature = "rows")]
pub(crate) use write::write_string as push_string;
#[cfg(feature = "rows")]
pub use written::{Written, WrittenValue};

/// The maximum depth of nested arrays and objects. Reading recurses, and the stack of a WebAssembly instance
/// is small.
pub const MAX_DEPTH: usize = 1024;

// A large text has millions of these values, so their size matters.
#[cfg(target_pointer_width = "32")]
const _: () = assert!(size_of::<Json<'_>>() == 16);

/// A JSON value that borrows from the text it was read from.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Default)]
pub enum Json<'a> {
    /// `null`, also for the JavaScript values that become it: `undefined`, `NaN` and infinities.
    #[default]
    Null,
    /// `true` or `false`.
    Bool(bool),
    /// A number. All spellings of a number are equal.
    Number(Number<'a>),
    /// A string. Lone surrogates are encoded as described at [`parse()`].
    String(Cow<'a, str>),
    /// An array, in order.
    Array(Vec<Json<'a>>),
    /// An object.
    Object(Object<'a>),
}

/// The members of an object, sorted by key. Of duplicate keys the last one counts, as in `JSON.parse`.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Default)]
pub struct Object<'a>(Vec<(Cow<'a, str>, Json<'a>)>);

impl<'a> Object<'a> {
    /// `twice` collects duplicate keys with different values.
    fn from_members(mut members: Vec<(Cow<'a, str>, Json<'a>)>, twice: &mut Vec<Cow<'a, str>>) -> Self {
        if members.is_sorted_by(|a, b| a.0 < b.0) {
            return Self(members);
        }
        /// Up to this number of members, insertion sort is faster than the library's sort.
        const FEW: usize = 16;
        if members.len() <= FEW {
            for end in 1..members.len() {
                let mut at = end;
                while let Some((before, member)) = members.get(at.wrapping_sub(1)).zip(members.get(at))
                    && before.0 > member.0
                {
                    members.swap(at - 1, at);
                    at -= 1;
                }
            }
        } else {
            let order = sorted(members.len(), &|a, b| match (members.get(a), members.get(b)) {
                (Some(a), Some(b)) => a.0.cmp(&b.0),
                _ => Ordering::Equal,
            });
            members =
                order.into_iter().filter_map(|index| members.get_mut(index).map(std::mem::take)).collect();
        }
        // The sort is stable, so the last of equal keys is the last one read. It is kept.
        members.dedup_by(|later, earlier| {
            let is_duplicate = later.0 == earlier.0;
            if is_duplicate {
                if later.1 != earlier.1 {
                    twice.push(later.0.clone());
                }
                std::mem::swap(later, earlier);
            }
            is_duplicate
        });
        Self(members)
    }

    /// The value at `key`.
    // Not inlined: it has many callers, and a copy for each would add 9 KB to the binary.
    #[inline(never)]
    pub fn get(&self, key: &str) -> Option<&Json<'a>> {
        let index = self.0.binary_search_by(|(k, _)| k.as_ref().cmp(key)).ok()?;
        self.0.get(index).map(|(_, value)| value)
    }

    /// The members in the order of their keys.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &Json<'a>)> {
        self.0.iter().map(|(key, value)| (key.as_ref(), value))
    }

    /// The number of members.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether the object has no members.
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

    /// The type as error messages name it, with its article.
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

/// Encodes characters that a Rust string cannot represent: see [`parse()`].
const MARK: char = '\u{10FFFF}';

/// Reads one JSON text.
///
/// JavaScript strings may hold lone surrogates, which `JSON.stringify` writes as escapes and Rust strings
/// cannot hold. They are read as the noncharacter U+10FFFF followed by their four hexadecimal digits. An
/// escaped U+10FFFF is read as two of them, so the encoding is unambiguous; the package escapes every
/// U+10FFFF in values to compare.
pub fn parse(text: &str) -> Result<Json<'_>> {
    parse::parse(text)
        .map_err(|problem| Error::invalid_input(format!("not JSON: {}", problem.describe(text))))
}

/// The JSON value at the start of a text.
#[derive(Debug)]
pub struct Prefix<'a> {
    /// The value.
    pub value: Json<'a>,
    /// The length of its text, in bytes.
    pub end: usize,
    /// Duplicate keys with different values in an object of the value.
    pub twice: Vec<Cow<'a, str>>,
}

/// Reads the JSON value at the start of a text. The error is the position where reading stopped, which is the
/// end of the text if the value is incomplete.
pub fn parse_prefix(text: &str) -> Result<Prefix<'_>, usize> {
    parse::parse_prefix(text)
}

/// Whether a text is valid JSON within the depth limit.
pub fn is_json(text: &str) -> bool {
    let mut scanner = scan::Scanner::new(text);
    scanner.skip(0).is_ok() && scanner.ends().is_ok()
}

/// Scores each row of a JSON text `[[outputs, referenceOutputs], …]`. An error names its row.
pub fn parse_pairs<T>(
    rows: &str,
    mut score: impl FnMut(&Json<'_>, &Json<'_>) -> Result<T>,
) -> Result<Vec<T>> {
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

/// The text for display: lone surrogates become the replacement character.
pub fn without_lone_surrogates(text: &str) -> Cow<'_, str> {
    if find(text, "\u{10FFFF}").is_none() {
        return Cow::Borrowed(text);
    }
    let mut shown = String::new();
    let mut rest = text;
    while let Some((before, after)) = rest.split_once(MARK) {
        shown.push_str(before);
        rest = match write::marked(rest, before.len()) {
            Some(Marked::Surrogate) => {
                shown.push('\u{FFFD}');
                after.get(4..).unwrap_or_default()
            }
            Some(Marked::Mark) => {
                shown.push(MARK);
                after.strip_prefix(MARK).unwrap_or(after)
            }
            None => {
                shown.push(MARK);
                after
            }
        };
    }
    shown.push_str(rest);
    Cow::Owned(shown)
}

impl Json<'_> {
    /// The same value as owned data.
    pub fn into_owned(self) -> Json<'static> {
        match self {
            Json::Null => Json::Null,
            Json::Bool(value) => Json::Bool(value),
            Json::Number(value) => Json::Number(value.into_owned()),
            Json::String(text) => Json::String(Cow::Owned(text.into_owned())),
            Json::Array(elements) => Json::Array(elements.into_iter().map(Json::into_owned).collect()),
            Json::Object(Object(members)) => Json::Object(Object(
                members.into_iter().map(|(k, v)| (Cow::Owned(k.into_owned()), v.into_owned())).collect(),
            )),
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
    fn numbers_are_exact() {
        assert!(!equal("9007199254740993", "9007199254740992"));
        assert!(!equal("123456789012345678901", "123456789012345678902"));
        assert!(equal("123456789012345678900", "123456789012345678900.0"));
        assert!(equal("123456789012345678900", "1.234567890123456789e20"));
        assert!(!equal("0.30000000000000004", "0.3"));
        assert!(equal("12e-1", "1.2"));
        assert!(equal("0.0012", "1.2E-3"));
        assert!(equal("1200", "1.2E+03"));
        assert!(equal("100e-2", "1"));
        assert!(equal("0e5", "-0.00"));
        assert!(!equal("1.2", "-1.2"));
        assert!(!equal("1e400", "1e401"));
        assert!(
            equal("1e99999999999999999999", "1e99999999999999999998"),
            "beyond that, all are equally far out"
        );
    }

    #[test]
    fn rejects_invalid_json_with_its_place() {
        let cases = [
            ("", "the text ends too early at line 1, column 1"),
            ("[1, 2", "a comma or a closing bracket is missing at line 1, column 6"),
            ("{\n  \"a\": 1,\n}", "a key in double quotes is missing at line 3, column 1"),
            ("{'a': 1}", "a key in double quotes is missing at line 1, column 2"),
            ("{\"a\" 1}", "a colon is missing at line 1, column 6"),
            ("[1] x", "the text goes on after the value at line 1, column 5"),
            ("nul", "a value is missing at line 1, column 1"),
            ("01", "a number starts with 0 at line 1, column 3"),
            ("1.", "a digit is missing at line 1, column 3"),
            ("-", "a digit is missing at line 1, column 2"),
            ("NaN", "a value is missing at line 1, column 1"),
            ("\"é\u{1}\"", "a control character in a string has to be escaped at line 1, column 3"),
            ("\"\\x\"", "a backslash has to be escaped at line 1, column 3"),
            ("\"\\u12g4\"", "four hexadecimal digits are missing at line 1, column 3"),
            ("\"abc", "the text ends too early at line 1, column 5"),
        ];
        for (text, problem) in cases {
            assert_eq!(parse(text).unwrap_err().message, format!("not JSON: {problem}"), "{text}");
        }
    }

    #[test]
    fn strings_are_unescaped() {
        assert_eq!(
            parse(r#""\"\\\/\b\f\n\r\t\u00e9\ud83d\ude00""#).unwrap().as_str(),
            Some("\"\\/\u{8}\u{c}\n\r\té😀")
        );
        assert!(equal(r#""\ud83d\n""#, r#""\uD83D\u000a""#));
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
        for text in [r#""a\udc00 b\ud800""#, "\"\u{10FFFF}\"", "\"\u{10FFFF}0041\"", "\"\u{10FFFF}é\""] {
            assert_eq!(parse(text).unwrap().to_text(), text);
        }
        // The package writes U+10FFFF as this pair of surrogates, which is not a lone one whatever follows.
        assert!(!equal(r#""\ud800""#, r#""\udbff\udfffd800""#));
        assert!(!equal(r#"{"\ud800":1,"\udbff\udfffd800":1}"#, r#"{"\ud800":1}"#));
        assert!(!equal(r#""\udbff\udfff\ud800""#, r#""\udbff\udfff\udbff\udfffd800""#));
        let text = r#""\udbff\udfff\ud800\udbff\udfffd800""#;
        assert_eq!(parse(text).unwrap().to_text(), text);
        let shown = |text: &str| without_lone_surrogates(parse(text).unwrap().as_str().unwrap()).into_owned();
        assert_eq!(shown(r#""a\ud83d b""#), "a\u{FFFD} b");
        assert_eq!(shown(text), "\u{10FFFF}\u{FFFD}\u{10FFFF}d800");
        assert_eq!(without_lone_surrogates("a\u{10FFFF}é"), "a\u{10FFFF}é");
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
        fn reads_the_same_texts_as_serde_json(text in "[\\[\\]{}\",:\\\\ubndD89abc0-9.eE+ -]{0,12}") {
            let theirs = serde_json::from_str::<serde_json::Value>(&text);
            // Only serde_json refuses lone surrogates and numbers beyond the range of doubles.
            let ours = parse(&text);
            prop_assert!(ours.is_ok() || theirs.is_err(), "{:?}", ours);
            if let (Err(theirs), Ok(_)) = (theirs, ours) {
                let message = theirs.to_string();
                prop_assert!(message.contains("surrogate") || message.contains("end of hex escape") || message.contains("out of range"), "{message}");
            }
        }

        #[test]
        fn is_json_agrees_with_the_reader(text in "[\\[\\]{}\",:\\\\ubntfalse0-9.eE+ -]{0,12}") {
            prop_assert_eq!(is_json(&text), parse(&text).is_ok());
        }

        #[test]
        fn a_value_equals_its_own_text(numbers in proptest::collection::vec(any::<f64>().prop_filter("finite", |n| n.is_finite()), 0..8), key in ".{0,6}") {
            let text = serde_json::json!({ "n": numbers, &key: key }).to_string();
            let value = parse(&text).unwrap();
            let again = value.to_text();
            prop_assert_eq!(&value, &parse(&again).unwrap());
        }

        #[test]
        fn numbers_are_equal_as_doubles_are(a in any::<f64>().prop_filter("finite", |n| n.is_finite()), bits in 0u64..3) {
            let b = f64::from_bits(a.to_bits() ^ bits);
            prop_assume!(b.is_finite());
            prop_assert_eq!(equal(&format!("{a}"), &format!("{b:e}")), a == b);
        }
    }
}
