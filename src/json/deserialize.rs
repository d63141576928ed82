//! Reads JSON text from the package into the Rust types that declare it: configurations, and answers that
//! already passed their schema. So an error here is a bug in the package.
//!
//! `serde-wasm-bindgen` would read JavaScript objects, but takes 17 KB of the binary; this module takes 3 KB.

use super::{Json, Number, Object, parse};
use crate::error::{Error, Result};
use serde::de::value::StrDeserializer;
use serde::de::{
    Deserialize, DeserializeSeed, Deserializer, EnumAccess, Expected, IntoDeserializer, SeqAccess,
    Unexpected, VariantAccess, Visitor,
};
use serde::forward_to_deserialize_any;
use std::fmt::Display;

/// Reads a value from JSON text. [`Number`] keeps the spelling of decimal numbers.
pub fn read<T: for<'de> Deserialize<'de>>(text: &str) -> Result<T> {
    T::deserialize(Value { name: "", json: &parse(text)? })
}

/// A value to deserialize.
struct Value<'de, 'j> {
    /// The name of the value in errors.
    name: &'static str,
    json: &'de Json<'j>,
}

// Each type names the shape that it expects, and gets only that shape. A generic `deserialize_any` would add
// code for reading lists, maps and so on to every struct, which is twice the size.
impl<'de> Deserializer<'de> for Value<'de, '_> {
    type Error = Error;

    /// A value without a declared shape is a number, in its exact spelling.
    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        match self.json {
            Json::Number(Number::Integer(value)) => visitor.visit_i64(*value),
            Json::Number(decimal) => visitor.visit_str(&decimal.to_string()),
            _ => Err(unfit(self.name)),
        }
    }

    fn deserialize_bool<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        match self.json {
            Json::Bool(value) => visitor.visit_bool(*value),
            _ => Err(unfit(self.name)),
        }
    }

    fn deserialize_i64<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        match self.json {
            Json::Number(Number::Integer(value)) => visitor.visit_i64(*value),
            _ => Err(unfit(self.name)),
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

    fn deserialize_f64<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        match self.json {
            Json::Number(value) => visitor.visit_f64(value.to_f64()),
            _ => Err(unfit(self.name)),
        }
    }

    fn deserialize_str<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        match self.json {
            Json::String(text) => visitor.visit_str(text),
            _ => Err(unfit(self.name)),
        }
    }

    fn deserialize_string<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        self.deserialize_str(visitor)
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        match self.json {
            Json::Null => visitor.visit_none(),
            _ => visitor.visit_some(self),
        }
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(self, _: &'static str, visitor: V) -> Result<V::Value> {
        visitor.visit_newtype_struct(self)
    }

    fn deserialize_seq<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        match self.json {
            Json::Array(elements) => visitor.visit_seq(Elements(elements.iter())),
            _ => Err(unfit(self.name)),
        }
    }

    fn deserialize_tuple<V: Visitor<'de>>(self, _: usize, visitor: V) -> Result<V::Value> {
        self.deserialize_seq(visitor)
    }

    /// Looks up the fields in the order of their declaration. Derived implementations map names to fields and check for
    /// missing fields instead, which is most of their code.
    fn deserialize_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        names: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value> {
        match self.json {
            Json::Object(object) => visitor.visit_seq(Fields { object, names: names.iter() }),
            _ => Err(unfit(self.name)),
        }
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        _: &'static str,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value> {
        match self.json {
            Json::String(name) => visitor.visit_enum(Variant(name, &Json::Null)),
            Json::Object(object) => match object.iter().next() {
                Some((name, value)) => visitor.visit_enum(Variant(name, value)),
                None => Err(unfit(self.name)),
            },
            _ => Err(unfit(self.name)),
        }
    }

    fn deserialize_ignored_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        visitor.visit_unit()
    }

    forward_to_deserialize_any! {
        i128 u128 f32 char bytes byte_buf unit unit_struct tuple_struct map identifier
    }
}

/// The remaining elements of an array.
struct Elements<'de, 'j>(std::slice::Iter<'de, Json<'j>>);

impl<'de> SeqAccess<'de> for Elements<'de, '_> {
    type Error = Error;

    fn next_element_seed<T: DeserializeSeed<'de>>(&mut self, seed: T) -> Result<Option<T::Value>> {
        self.0.next().map(|json| seed.deserialize(Value { name: "", json })).transpose()
    }
}

/// The remaining fields of an object. A missing field is `null`.
struct Fields<'de, 'j> {
    object: &'de Object<'j>,
    names: std::slice::Iter<'static, &'static str>,
}

impl<'de, 'j> Fields<'de, 'j> {
    #[inline(never)]
    fn next(&mut self) -> Value<'de, 'j> {
        let name = self.names.next().copied().unwrap_or_default();
        Value { name, json: self.object.get(name).unwrap_or(&Json::Null) }
    }
}

impl<'de> SeqAccess<'de> for Fields<'de, '_> {
    type Error = Error;

    /// Always `Some`, which saves the code for a missing element.
    fn next_element_seed<T: DeserializeSeed<'de>>(&mut self, seed: T) -> Result<Option<T::Value>> {
        seed.deserialize(self.next()).map(Some)
    }
}

/// An enum variant with a value: an object with one member.
struct Variant<'de, 'j>(&'de str, &'de Json<'j>);

impl<'de, 'j> EnumAccess<'de> for Variant<'de, 'j> {
    type Error = Error;
    type Variant = Value<'de, 'j>;

    fn variant_seed<V: DeserializeSeed<'de>>(self, seed: V) -> Result<(V::Value, Self::Variant)> {
        let name: StrDeserializer<'_, Error> = self.0.into_deserializer();
        Ok((seed.deserialize(name)?, Value { name: "", json: self.1 }))
    }
}

impl<'de> VariantAccess<'de> for Value<'de, '_> {
    type Error = Error;

    fn unit_variant(self) -> Result<()> {
        if *self.json == Json::Null { Ok(()) } else { Err(unfit("")) }
    }

    fn newtype_variant_seed<T: DeserializeSeed<'de>>(self, seed: T) -> Result<T::Value> {
        seed.deserialize(self)
    }

    fn tuple_variant<V: Visitor<'de>>(self, _: usize, _: V) -> Result<V::Value> {
        Err(unfit(""))
    }

    fn struct_variant<V: Visitor<'de>>(self, _: &'static [&'static str], _: V) -> Result<V::Value> {
        Err(unfit(""))
    }
}

/// One message for all errors: the compiler has checked what the package writes, and details take a kilobyte.
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
    Error::invalid_config(String::from_iter([
        "the package and its engine do not agree about a value: ",
        name,
    ]))
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
    fn reads_declared_types() {
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
    fn values_of_other_types_are_errors() {
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
