//! A hash of a JSON value, computed from its text. Equal values have equal digests, so values can be grouped
//! without building trees.

use super::scan::{NeedsTree, Scanner};
use super::{Json, Number, Object};
use rustc_hash::FxHasher;
use std::hash::{Hash, Hasher};

/// The digest of the value in a text, equal to [`Json::digest`]. `None` if the text is not valid JSON, or has
/// an object with many or duplicate keys: then only a tree has a digest.
pub fn digest(text: &str) -> Option<u64> {
    let mut reader = DigestReader { scanner: Scanner::new(text), keys: Vec::new() };
    let digest = reader.value(0).ok()?;
    reader.scanner.ends().ok()?;
    Some(digest)
}

impl Json<'_> {
    /// A hash of the value. Equal values have equal digests; other values rarely do.
    pub fn digest(&self) -> u64 {
        match self {
            Json::Null => NULL,
            Json::Bool(value) => of_bool(*value),
            Json::Number(number) => of_number(number),
            Json::String(text) => of_text(text),
            Json::Array(elements) => {
                elements.iter().fold(LIST, |digest, element| of_pair(digest, element.digest()))
            }
            Json::Object(Object(members)) => members.iter().fold(OBJECT, |digest, (key, value)| {
                digest.wrapping_add(of_pair(of_text(key), value.digest()))
            }),
        }
    }
}

const NULL: u64 = 1;
const LIST: u64 = 2;
const OBJECT: u64 = 3;

fn of_bool(value: bool) -> u64 {
    if value { 4 } else { 5 }
}

fn of_number(number: &Number<'_>) -> u64 {
    let mut hasher = FxHasher::default();
    number.hash(&mut hasher);
    hasher.finish()
}

fn of_text(text: &str) -> u64 {
    let mut hasher = FxHasher::default();
    hasher.write(text.as_bytes());
    hasher.finish()
}

fn of_pair(first: u64, second: u64) -> u64 {
    let mut hasher = FxHasher::default();
    hasher.write_u64(first);
    hasher.write_u64(second);
    hasher.finish()
}

/// Objects with more keys are left to trees, which sort them.
const MAX_KEYS: usize = 16;

struct DigestReader<'a> {
    scanner: Scanner<'a>,
    /// The digests of the keys of all objects that enclose the current position.
    keys: Vec<u64>,
}

impl DigestReader<'_> {
    fn value(&mut self, depth: usize) -> Result<u64, NeedsTree> {
        match self.scanner.next() {
            Some(b'"') => Ok(of_text(&self.scanner.string()?.text())),
            Some(b'-' | b'0'..=b'9') => Ok(of_number(&self.scanner.number()?)),
            Some(b'[') => self.list(depth),
            Some(b'{') => self.object(depth),
            Some(b't') => Ok(self.scanner.literal("true").map(|()| of_bool(true))?),
            Some(b'f') => Ok(self.scanner.literal("false").map(|()| of_bool(false))?),
            Some(b'n') => Ok(self.scanner.literal("null").map(|()| NULL)?),
            _ => Err(NeedsTree),
        }
    }

    fn list(&mut self, depth: usize) -> Result<u64, NeedsTree> {
        let depth = self.scanner.open(depth)?;
        let mut digest = LIST;
        let mut ended = self.scanner.takes(b']');
        while !ended {
            digest = of_pair(digest, self.value(depth)?);
            ended = self.scanner.list_ends()?;
        }
        Ok(digest)
    }

    /// Adds up the members, since their order does not matter.
    fn object(&mut self, depth: usize) -> Result<u64, NeedsTree> {
        let depth = self.scanner.open(depth)?;
        let start = self.keys.len();
        let mut digest = OBJECT;
        let mut ended = self.scanner.takes(b'}');
        while !ended {
            let key = of_text(&self.scanner.key()?.text());
            let others = self.keys.get(start..).unwrap_or_default();
            if others.len() == MAX_KEYS || others.contains(&key) {
                return Err(NeedsTree);
            }
            self.keys.push(key);
            digest = digest.wrapping_add(of_pair(key, self.value(depth)?));
            ended = self.scanner.object_ends()?;
        }
        self.keys.truncate(start);
        Ok(digest)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::json::parse;
    use proptest::prelude::*;

    #[test]
    fn equal_values_have_the_same_digest() {
        let equal = [
            (r#"{"a":1,"b":[true,null]}"#, r#" { "b" : [ true , null ] , "\u0061" : 1.0 } "#),
            (r#"{"a":{"b":1,"c":2},"d":[]}"#, r#"{"d":[],"a":{"c":2e0,"b":1}}"#),
            (r#""é\n""#, r#""\u00e9\u000a""#),
            ("0", "-0.0"),
        ];
        for (one, other) in equal {
            assert_eq!(digest(one), digest(other), "{one} {other}");
        }
        let different = ["{}", "[]", "null", "false", "true", "0", "\"\"", "[[]]", "[null]", r#"{"a":null}"#];
        for (index, one) in different.iter().enumerate() {
            for other in different.iter().skip(index + 1) {
                assert_ne!(digest(one), digest(other), "{one} {other}");
            }
        }
        assert_ne!(digest(r#"{"a":{"b":1}}"#), digest(r#"{"b":{"a":1}}"#));
        assert_ne!(digest("[1,2]"), digest("[2,1]"));
    }

    #[test]
    fn values_that_need_a_tree_have_no_digest() {
        let many: Vec<String> = (0..17).map(|key| format!("\"{key}\":0")).collect();
        let many = format!("{{{}}}", many.join(","));
        for text in ["", "{", "[1,]", "1 2", "nul", r#"{"a":1,"a":2}"#, r#"{"a":1,"\u0061":1}"#, &many] {
            assert_eq!(digest(text), None, "{text}");
        }
    }

    proptest! {
        #[test]
        fn a_text_has_the_digest_of_its_tree(text in "[\\[\\]{}\",:\\\\ubntfalse0-9.eE -]{0,16}") {
            let tree = parse(&text).ok().map(|tree| tree.digest());
            let digest = digest(&text);
            prop_assert!(digest == tree || digest.is_none(), "{:?} {:?}", digest, tree);
        }
    }
}
