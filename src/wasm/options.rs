//! Reads options from JavaScript objects into Rust types.
//!
//! The package writes them with generated types, so the TypeScript compiler reports mistakes. There are no messages here,
//! because those of serde format numbers, which takes a tenth of a binary.

use js_sys::{Array, Number, Object};
use serde::de::value::{MapDeserializer, SeqDeserializer};
use serde::de::{
    self, DeserializeOwned, DeserializeSeed, Deserializer, EnumAccess, IntoDeserializer, VariantAccess,
    Visitor,
};
use serde::forward_to_deserialize_any;
use std::fmt;
use wasm_bindgen::{JsCast, JsValue};

/// Reads a value; `None` if it does not have the type.
pub fn read<T: DeserializeOwned>(value: JsValue) -> Option<T> {
    T::deserialize(Value(value)).ok()
}

/// A value does not have the type.
#[derive(Debug)]
struct Mismatch;

impl fmt::Display for Mismatch {
    fn fmt(&self, _: &mut fmt::Formatter) -> fmt::Result {
        Ok(())
    }
}

impl std::error::Error for Mismatch {}

impl de::Error for Mismatch {
    fn custom<T: fmt::Display>(_: T) -> Self {
        Self
    }
}

struct Value(JsValue);

impl IntoDeserializer<'_, Mismatch> for Value {
    type Deserializer = Self;

    fn into_deserializer(self) -> Self {
        self
    }
}

impl Value {
    fn is_nullish(&self) -> bool {
        self.0.is_null() || self.0.is_undefined()
    }

    /// The keys of an object with their values.
    fn entries(&self) -> Result<Vec<(String, Self)>, Mismatch> {
        if !self.0.is_object() {
            return Err(Mismatch);
        }
        let entries = Object::entries(self.0.unchecked_ref()).into_iter().map(|entry| {
            let entry = Array::from(&entry);
            Ok((entry.get(0).as_string().ok_or(Mismatch)?, Self(entry.get(1))))
        });
        entries.collect()
    }
}

impl<'de> Deserializer<'de> for Value {
    type Error = Mismatch;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Mismatch> {
        if self.is_nullish() {
            visitor.visit_unit()
        } else if let Some(value) = self.0.as_bool() {
            visitor.visit_bool(value)
        } else if let Some(value) = self.0.as_f64() {
            if Number::is_safe_integer(&self.0) {
                visitor.visit_i64(value as i64)
            } else {
                visitor.visit_f64(value)
            }
        } else if let Some(value) = self.0.as_string() {
            visitor.visit_string(value)
        } else if Array::is_array(&self.0) {
            visitor.visit_seq(SeqDeserializer::new(Array::from(&self.0).iter().map(Value)))
        } else {
            let entries = self.entries()?;
            visitor.visit_map(MapDeserializer::new(entries.into_iter()))
        }
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Mismatch> {
        if self.is_nullish() { visitor.visit_none() } else { visitor.visit_some(self) }
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        visitor: V,
    ) -> Result<V::Value, Mismatch> {
        visitor.visit_newtype_struct(self)
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        _: &'static str,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Mismatch> {
        let (name, content) = match self.0.as_string() {
            Some(name) => (name, Self(JsValue::UNDEFINED)),
            None => self.entries()?.pop().ok_or(Mismatch)?,
        };
        visitor.visit_enum(Variant { name, content })
    }

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf unit unit_struct seq tuple
        tuple_struct map struct identifier ignored_any
    }
}

/// A variant is its name, or an object with its name as the only key.
struct Variant {
    name: String,
    content: Value,
}

impl<'de> EnumAccess<'de> for Variant {
    type Error = Mismatch;
    type Variant = Value;

    fn variant_seed<V: DeserializeSeed<'de>>(self, seed: V) -> Result<(V::Value, Value), Mismatch> {
        Ok((seed.deserialize(self.name.into_deserializer())?, self.content))
    }
}

impl<'de> VariantAccess<'de> for Value {
    type Error = Mismatch;

    fn unit_variant(self) -> Result<(), Mismatch> {
        Ok(())
    }

    fn newtype_variant_seed<T: DeserializeSeed<'de>>(self, seed: T) -> Result<T::Value, Mismatch> {
        seed.deserialize(self)
    }

    fn tuple_variant<V: Visitor<'de>>(self, _: usize, visitor: V) -> Result<V::Value, Mismatch> {
        self.deserialize_any(visitor)
    }

    fn struct_variant<V: Visitor<'de>>(
        self,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Mismatch> {
        self.deserialize_any(visitor)
    }
}
