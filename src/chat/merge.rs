//! Merging JSON objects as they are written: numbers keep their spelling, members their order.

use serde::de::{Deserialize, Deserializer, MapAccess, Visitor};
use serde::ser::{Serialize, Serializer};
use serde_json::value::{RawValue, to_raw_value};
use std::fmt;

/// `base` with everything that is in `over`: objects are merged member by member, anything else is replaced.
pub fn merge(base: &RawValue, over: &RawValue) -> serde_json::Result<Box<RawValue>> {
    let (Some(mut base), Some(over)) = (Members::of(base), Members::of(over)) else {
        return Ok(over.to_owned());
    };
    for (name, value) in over.0 {
        match base.0.iter_mut().find(|(existing, _)| *existing == name) {
            Some((_, existing)) => *existing = merge(existing, &value)?,
            None => base.0.push((name, value)),
        }
    }
    to_raw_value(&base)
}

struct Members(Vec<(String, Box<RawValue>)>);

impl Members {
    /// `None` for anything but an object.
    fn of(value: &RawValue) -> Option<Self> {
        serde_json::from_str(value.get()).ok()
    }
}

impl<'de> Deserialize<'de> for Members {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Reader;

        impl<'de> Visitor<'de> for Reader {
            type Value = Members;

            fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
                formatter.write_str("an object")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut access: A) -> Result<Members, A::Error> {
                let mut members = Vec::new();
                while let Some(member) = access.next_entry()? {
                    members.push(member);
                }
                Ok(Members(members))
            }
        }

        deserializer.deserialize_map(Reader)
    }
}

impl Serialize for Members {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().map(|(name, value)| (name, value)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn objects_merge_and_the_rest_is_replaced() {
        let raw = |text: &str| RawValue::from_string(text.to_owned()).unwrap();
        let merged = |base, over| merge(&raw(base), &raw(over)).unwrap().get().to_owned();
        assert_eq!(merged(r#"{"b":1,"a":{"x":1}}"#, r#"{"c":2.50}"#), r#"{"b":1,"a":{"x":1},"c":2.50}"#);
        assert_eq!(
            merged(r#"{"b":1,"a":{"x":1,"y":[1]}}"#, r#"{"a":{"y":[2],"z":{"k":null}},"b":{}}"#),
            r#"{"b":{},"a":{"x":1,"y":[2],"z":{"k":null}}}"#
        );
        assert_eq!(merged(r#"{"a":1}"#, "{}"), r#"{"a":1}"#);
    }
}
