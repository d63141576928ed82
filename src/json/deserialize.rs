//! What the package passes as JSON text, read into the types that declare it: configurations, and what was asked for by
//! a schema and is checked already. So errors here tell of a mistake in the package.
//!
//! `serde-wasm-bindgen` would read JavaScript objects, for 17 KB more of the binary; this is 3.

use super::{Json, Number, Object, parse};
use crate::error::{Error, Result};
use serde::de::value::{MapAccessDeserializer, MapDeserializer, SeqDeserializer, StrDeserializer};
use serde::de::{Deserialize, Deserializer, Expected, IntoDeserializer, Unexpected, Visitor};
use serde::forward_to_deserialize_any;
use std::fmt::Display;

/// What a text stands for. Decimal numbers are not read: what is to be passed on as it was spelled is a text.
pub fn read<T: for<'de> Deserialize<'de>>(text: &str) -> Result<T> {
    T::deserialize(Value(&parse(text)?))
}

/// A value that is read.
struct Value<'de, 'j>(&'de Json<'j>);

impl<'de> Deserializer<'de> for Value<'de, '_> {
    type Error = Error;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        match self.0 {
            Json::Null | Json::Number(Number::Decimal(_)) => visitor.visit_unit(),
            Json::Bool(value) => visitor.visit_bool(*value),
            Json::Number(Number::Integer(value)) => visitor.visit_i64(*value),
            Json::String(text) => visitor.visit_str(text),
            Json::Array(list) => visitor.visit_seq(SeqDeserializer::new(list.iter().map(Value))),
            Json::Object(object) => visitor.visit_map(members(object)),
        }
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        match self.0 {
            Json::Null => visitor.visit_none(),
            _ => visitor.visit_some(self),
        }
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(self, _: &'static str, visitor: V) -> Result<V::Value> {
        visitor.visit_newtype_struct(self)
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        _: &'static str,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value> {
        match self.0 {
            // A variant with a value.
            Json::Object(object) => visitor.visit_enum(MapAccessDeserializer::new(members(object))),
            name => visitor.visit_enum(StrDeserializer::new(name.as_str().unwrap_or_default())),
        }
    }

    // What a derived visitor has for other forms, such as lists in the place of objects, is so left out of the binary.
    fn deserialize_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value> {
        match self.0 {
            Json::Object(object) => visitor.visit_map(members(object)),
            _ => Err(unfit("")),
        }
    }

    fn deserialize_seq<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        match self.0 {
            Json::Array(list) => visitor.visit_seq(SeqDeserializer::new(list.iter().map(Value))),
            _ => Err(unfit("")),
        }
    }

    fn deserialize_tuple<V: Visitor<'de>>(self, _: usize, visitor: V) -> Result<V::Value> {
        self.deserialize_seq(visitor)
    }

    fn deserialize_string<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        match self.0 {
            Json::String(text) => visitor.visit_str(text),
            _ => Err(unfit("")),
        }
    }

    fn deserialize_bool<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        match self.0 {
            Json::Bool(value) => visitor.visit_bool(*value),
            _ => Err(unfit("")),
        }
    }

    fn deserialize_i64<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        match self.0 {
            Json::Number(Number::Integer(value)) => visitor.visit_i64(*value),
            _ => Err(unfit("")),
        }
    }

    fn deserialize_u32<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        self.deserialize_i64(visitor)
    }

    fn deserialize_u64<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        self.deserialize_i64(visitor)
    }

    forward_to_deserialize_any! {
        i8 i16 i32 i128 u8 u16 u128 f32 f64 char str bytes byte_buf unit unit_struct tuple_struct map identifier
        ignored_any
    }
}

fn members<'de, 'j>(
    object: &'de Object<'j>,
) -> MapDeserializer<'de, impl Iterator<Item = (&'de str, Value<'de, 'j>)>, Error> {
    MapDeserializer::new(object.iter().map(|(name, value)| (name, Value(value))))
}

impl<'de> IntoDeserializer<'de, Error> for Value<'de, '_> {
    type Deserializer = Self;

    fn into_deserializer(self) -> Self {
        self
    }
}

/// One message for all, since the compiler has checked what the package writes: to say more takes a kilobyte.
impl serde::de::Error for Error {
    fn custom<T: Display>(_: T) -> Self {
        unfit("")
    }

    fn invalid_type(_: Unexpected<'_>, _: &dyn Expected) -> Self {
        unfit("")
    }

    fn invalid_value(_: Unexpected<'_>, _: &dyn Expected) -> Self {
        unfit("")
    }

    fn invalid_length(_: usize, _: &dyn Expected) -> Self {
        unfit("")
    }

    fn unknown_variant(name: &str, _: &'static [&'static str]) -> Self {
        unfit(name)
    }

    fn unknown_field(name: &str, _: &'static [&'static str]) -> Self {
        unfit(name)
    }

    fn missing_field(name: &'static str) -> Self {
        unfit(name)
    }

    fn duplicate_field(name: &'static str) -> Self {
        unfit(name)
    }
}

#[cold]
#[inline(never)]
fn unfit(name: &str) -> Error {
    Error::invalid_config(["the package and its engine do not agree about a value: ", name].concat())
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde::Deserialize;

    #[derive(Debug, PartialEq, Deserialize)]
    #[serde(rename_all = "camelCase")]
    struct Options {
        max_tokens: Option<u32>,
        mode: Mode,
        names: Vec<String>,
        pairs: Vec<(String, bool)>,
    }

    #[derive(Debug, PartialEq, Deserialize)]
    #[serde(rename_all = "snake_case")]
    enum Mode {
        SameElements,
    }

    #[test]
    fn what_a_type_declares_is_read() {
        let read = read::<Options>(
            r#"{"mode":"same_elements","names":["a","\ud83d\ude00"],"pairs":[["x",true]],"more":[1.5]}"#,
        );
        let expected = Options {
            max_tokens: None,
            mode: Mode::SameElements,
            names: vec!["a".to_owned(), "😀".to_owned()],
            pairs: vec![("x".to_owned(), true)],
        };
        assert_eq!(read, Ok(expected));
    }

    #[test]
    fn what_does_not_fit_is_an_error() {
        for (text, name) in [
            (r#"{"mode":"same_elements","pairs":[]}"#, "names"),
            (r#"{"mode":"same_elements","names":[],"pairs":[["x"]]}"#, ""),
            (r#"{"maxTokens":-1,"mode":"same_elements","names":[],"pairs":[]}"#, ""),
            (r#"{"maxTokens":1.5,"mode":"same_elements","names":[],"pairs":[]}"#, ""),
            ("[", ""),
        ] {
            let error = read::<Options>(text).unwrap_err();
            assert!(error.message.ends_with(name), "{text}: {error}");
        }
    }
}
