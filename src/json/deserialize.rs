//! What the package passes as JSON text, read into the types that declare it: configurations, and what was asked for by
//! a schema and is checked already. So errors here tell of a mistake in the package.
//!
//! `serde-wasm-bindgen` would read JavaScript objects, for 17 KB more of the binary; this is 3.

use super::{Json, Number, Object, parse};
use crate::error::{Error, Result};
use serde::de::value::{MapAccessDeserializer, StrDeserializer};
use serde::de::{
    Deserialize, DeserializeSeed, Deserializer, Expected, MapAccess, SeqAccess, Unexpected, Visitor,
};
use serde::forward_to_deserialize_any;
use std::borrow::Cow;
use std::fmt::Display;

/// What a text stands for. Decimal numbers are read as they were spelled, by [`Number`].
pub fn read<T: for<'de> Deserialize<'de>>(text: &str) -> Result<T> {
    T::deserialize(Value(&parse(text)?))
}

/// A value that is read.
struct Value<'de, 'j>(&'de Json<'j>);

// Each type says what it expects, and is only handed that: to hand out whatever there is would bring code for reading a
// list into every struct, and so on, which is twice as much.
impl<'de> Deserializer<'de> for Value<'de, '_> {
    type Error = Error;

    /// What is not said to be anything is a number, as exact as it was spelled.
    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        match self.0 {
            Json::Number(Number::Integer(value)) => visitor.visit_i64(*value),
            Json::Number(decimal) => visitor.visit_string(decimal.to_string()),
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

    fn deserialize_i8<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        self.deserialize_i64(visitor)
    }

    fn deserialize_i16<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        self.deserialize_i64(visitor)
    }

    fn deserialize_i32<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        self.deserialize_i64(visitor)
    }

    fn deserialize_u8<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        self.deserialize_i64(visitor)
    }

    fn deserialize_u16<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        self.deserialize_i64(visitor)
    }

    fn deserialize_u32<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        self.deserialize_i64(visitor)
    }

    fn deserialize_u64<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        self.deserialize_i64(visitor)
    }

    fn deserialize_str<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        match self.0 {
            Json::String(text) => visitor.visit_str(text),
            _ => Err(unfit("")),
        }
    }

    fn deserialize_string<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        self.deserialize_str(visitor)
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

    fn deserialize_seq<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        match self.0 {
            Json::Array(elements) => visitor.visit_seq(Elements(elements.iter())),
            _ => Err(unfit("")),
        }
    }

    fn deserialize_tuple<V: Visitor<'de>>(self, _: usize, visitor: V) -> Result<V::Value> {
        self.deserialize_seq(visitor)
    }

    fn deserialize_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value> {
        match self.0 {
            Json::Object(object) => visitor.visit_map(Members::of(object)),
            _ => Err(unfit("")),
        }
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        _: &'static str,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value> {
        match self.0 {
            // A variant with a value.
            Json::Object(object) => visitor.visit_enum(MapAccessDeserializer::new(Members::of(object))),
            name => visitor.visit_enum(StrDeserializer::new(name.as_str().unwrap_or_default())),
        }
    }

    fn deserialize_ignored_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        visitor.visit_unit()
    }

    forward_to_deserialize_any! {
        i128 u128 f32 f64 char bytes byte_buf unit unit_struct tuple_struct map identifier
    }
}

/// The elements of a list that are still to be read.
struct Elements<'de, 'j>(std::slice::Iter<'de, Json<'j>>);

impl<'de> SeqAccess<'de> for Elements<'de, '_> {
    type Error = Error;

    fn next_element_seed<T: DeserializeSeed<'de>>(&mut self, seed: T) -> Result<Option<T::Value>> {
        self.0.next().map(|element| seed.deserialize(Value(element))).transpose()
    }
}

/// The members of an object that are still to be read.
struct Members<'de, 'j> {
    rest: &'de [(Cow<'j, str>, Json<'j>)],
    value: Option<&'de Json<'j>>,
}

impl<'de, 'j> Members<'de, 'j> {
    fn of(object: &'de Object<'j>) -> Self {
        Self { rest: &object.0, value: None }
    }
}

impl<'de> MapAccess<'de> for Members<'de, '_> {
    type Error = Error;

    fn next_key_seed<K: DeserializeSeed<'de>>(&mut self, seed: K) -> Result<Option<K::Value>> {
        let Some(((name, value), rest)) = self.rest.split_first() else { return Ok(None) };
        (self.rest, self.value) = (rest, Some(value));
        seed.deserialize(Name(name)).map(Some)
    }

    fn next_value_seed<V: DeserializeSeed<'de>>(&mut self, seed: V) -> Result<V::Value> {
        seed.deserialize(Value(self.value.unwrap_or(&Json::Null)))
    }
}

/// The name of a member.
struct Name<'de>(&'de str);

impl<'de> Deserializer<'de> for Name<'de> {
    type Error = Error;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        visitor.visit_str(self.0)
    }

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf option unit unit_struct
        newtype_struct seq tuple tuple_struct map struct enum identifier ignored_any
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
