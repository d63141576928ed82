//! Writes the engine's results as JSON text: the counterpart of `deserialize`.
//!
//! Text keeps lone surrogates, which JavaScript strings created from Rust strings cannot hold. The package
//! also reads it faster than it takes an object from the engine.

use super::write::write_string;
use crate::error::{Error, Result};
use serde::ser::{Impossible, Serialize, SerializeSeq, SerializeStruct, SerializeTuple, Serializer};
use std::fmt::{Display, Write};

/// The JSON text of a value. Members that are `None` are omitted, as `JSON.stringify` omits `undefined`.
/// Floating-point numbers are scores, and are rounded to ten decimal places.
pub fn write<T: Serialize>(value: &T) -> Result<String> {
    let mut text = String::new();
    value.serialize(Writer(&mut text))?;
    Ok(text)
}

/// Appends values to a text.
struct Writer<'t>(&'t mut String);

impl Writer<'_> {
    fn number(self, value: impl Display) -> Result<()> {
        write!(self.0, "{value}").map_err(|_| unknown())
    }
}

impl<'t> Serializer for Writer<'t> {
    type Ok = ();
    type Error = Error;
    type SerializeSeq = Members<'t>;
    type SerializeTuple = Members<'t>;
    type SerializeStruct = Members<'t>;
    type SerializeTupleStruct = Impossible<(), Error>;
    type SerializeTupleVariant = Impossible<(), Error>;
    type SerializeMap = Impossible<(), Error>;
    type SerializeStructVariant = Impossible<(), Error>;

    fn serialize_bool(self, value: bool) -> Result<()> {
        self.0.push_str(if value { "true" } else { "false" });
        Ok(())
    }

    fn serialize_i8(self, value: i8) -> Result<()> {
        self.serialize_i64(value.into())
    }

    fn serialize_i16(self, value: i16) -> Result<()> {
        self.serialize_i64(value.into())
    }

    fn serialize_i32(self, value: i32) -> Result<()> {
        self.serialize_i64(value.into())
    }

    fn serialize_i64(self, value: i64) -> Result<()> {
        self.number(value)
    }

    fn serialize_u8(self, value: u8) -> Result<()> {
        self.serialize_u64(value.into())
    }

    fn serialize_u16(self, value: u16) -> Result<()> {
        self.serialize_u64(value.into())
    }

    fn serialize_u32(self, value: u32) -> Result<()> {
        self.serialize_u64(value.into())
    }

    fn serialize_u64(self, value: u64) -> Result<()> {
        self.number(value)
    }

    fn serialize_f32(self, value: f32) -> Result<()> {
        self.serialize_f64(value.into())
    }

    /// Exact formatting would take more code than this whole module.
    fn serialize_f64(self, value: f64) -> Result<()> {
        let value = (value * 1e10).round() as i64;
        self.number(format_args!("{value}e-10"))
    }

    fn serialize_char(self, value: char) -> Result<()> {
        self.serialize_str(value.encode_utf8(&mut [0; 4]))
    }

    fn serialize_str(self, value: &str) -> Result<()> {
        write_string(value, self.0);
        Ok(())
    }

    /// A type that is serialized by its `Display` form writes JSON itself: a [`Number`](super::Number), in
    /// its original spelling.
    fn collect_str<T: ?Sized + Display>(self, value: &T) -> Result<()> {
        self.number(value)
    }

    fn serialize_bytes(self, _: &[u8]) -> Result<()> {
        Err(unknown())
    }

    /// Writes nothing: the container decides what a missing value means.
    fn serialize_none(self) -> Result<()> {
        Ok(())
    }

    fn serialize_some<T: ?Sized + Serialize>(self, value: &T) -> Result<()> {
        value.serialize(self)
    }

    fn serialize_unit(self) -> Result<()> {
        self.serialize_none()
    }

    fn serialize_unit_struct(self, _: &'static str) -> Result<()> {
        self.serialize_none()
    }

    fn serialize_unit_variant(self, _: &'static str, _: u32, variant: &'static str) -> Result<()> {
        self.serialize_str(variant)
    }

    fn serialize_newtype_struct<T: ?Sized + Serialize>(self, _: &'static str, value: &T) -> Result<()> {
        value.serialize(self)
    }

    fn serialize_newtype_variant<T: ?Sized + Serialize>(
        self,
        _: &'static str,
        _: u32,
        variant: &'static str,
        value: &T,
    ) -> Result<()> {
        let mut members = Members::new(self.0, '{', '}');
        members.serialize_field(variant, value)?;
        members.end()
    }

    fn serialize_seq(self, _: Option<usize>) -> Result<Members<'t>> {
        Ok(Members::new(self.0, '[', ']'))
    }

    fn serialize_tuple(self, _: usize) -> Result<Members<'t>> {
        self.serialize_seq(None)
    }

    fn serialize_tuple_struct(self, _: &'static str, _: usize) -> Result<Impossible<(), Error>> {
        Err(unknown())
    }

    fn serialize_tuple_variant(
        self,
        _: &'static str,
        _: u32,
        _: &'static str,
        _: usize,
    ) -> Result<Impossible<(), Error>> {
        Err(unknown())
    }

    fn serialize_map(self, _: Option<usize>) -> Result<Impossible<(), Error>> {
        Err(unknown())
    }

    fn serialize_struct(self, _: &'static str, _: usize) -> Result<Members<'t>> {
        Ok(Members::new(self.0, '{', '}'))
    }

    fn serialize_struct_variant(
        self,
        _: &'static str,
        _: u32,
        _: &'static str,
        _: usize,
    ) -> Result<Impossible<(), Error>> {
        Err(unknown())
    }
}

/// The content of an array or object.
struct Members<'t> {
    text: &'t mut String,
    separator: &'static str,
    end: char,
}

// Code that does not depend on the type of a member is in separate functions, so that the binary has it once.
impl<'t> Members<'t> {
    #[inline(never)]
    fn new(text: &'t mut String, start: char, end: char) -> Self {
        text.push(start);
        Self { text, separator: "", end }
    }

    fn element<T: ?Sized + Serialize>(&mut self, value: &T) -> Result<()> {
        let before = self.push_separator();
        value.serialize(Writer(self.text))?;
        if self.text.len() == before {
            self.text.push_str("null");
        }
        Ok(())
    }

    /// Writes the separator, and returns the position of the next element.
    #[inline(never)]
    fn push_separator(&mut self) -> usize {
        self.text.push_str(self.separator);
        self.separator = ",";
        self.text.len()
    }

    /// Writes the name of a member, and returns the positions of the member and its value.
    #[inline(never)]
    fn push_name(&mut self, name: &str) -> (usize, usize) {
        let start = self.text.len();
        self.text.push_str(self.separator);
        write_string(name, self.text);
        self.text.push(':');
        (start, self.text.len())
    }

    /// Removes a member without a value.
    #[inline(never)]
    fn drop_if_empty(&mut self, (start, value): (usize, usize)) {
        if self.text.len() == value {
            self.text.truncate(start);
        } else {
            self.separator = ",";
        }
    }

    #[inline(never)]
    fn end(self) -> Result<()> {
        self.text.push(self.end);
        Ok(())
    }
}

impl SerializeSeq for Members<'_> {
    type Ok = ();
    type Error = Error;

    fn serialize_element<T: ?Sized + Serialize>(&mut self, value: &T) -> Result<()> {
        self.element(value)
    }

    fn end(self) -> Result<()> {
        self.end()
    }
}

impl SerializeTuple for Members<'_> {
    type Ok = ();
    type Error = Error;

    fn serialize_element<T: ?Sized + Serialize>(&mut self, value: &T) -> Result<()> {
        self.element(value)
    }

    fn end(self) -> Result<()> {
        self.end()
    }
}

impl SerializeStruct for Members<'_> {
    type Ok = ();
    type Error = Error;

    fn serialize_field<T: ?Sized + Serialize>(&mut self, name: &'static str, value: &T) -> Result<()> {
        let places = self.push_name(name);
        value.serialize(Writer(self.text))?;
        self.drop_if_empty(places);
        Ok(())
    }

    fn end(self) -> Result<()> {
        self.end()
    }
}

impl serde::ser::Error for Error {
    fn custom<T: Display>(_: T) -> Self {
        unknown()
    }
}

#[cold]
#[inline(never)]
fn unknown() -> Error {
    Error::invalid_config("values of this type cannot be written as JSON")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::json::read;
    use serde::{Deserialize, Serialize};

    #[derive(Debug, PartialEq, Serialize, Deserialize)]
    #[serde(rename_all = "camelCase")]
    struct Answer {
        first: Option<String>,
        is_it: bool,
        counts: Vec<u64>,
        pair: (String, Kind),
        maybe: Vec<Option<u32>>,
    }

    #[derive(Debug, PartialEq, Serialize, Deserialize)]
    #[serde(rename_all = "snake_case")]
    enum Kind {
        SameElements,
        Other(String),
    }

    #[test]
    fn round_trips() {
        let other = r#"{"other":"a\ud83d"}"#;
        assert_eq!(write(&read::<Kind>(other).unwrap()).as_deref(), Ok(other));
        let text = r#"{"isIt":true,"counts":[1,0],"pair":["a\ud83d\n","same_elements"],"maybe":[1,null]}"#;
        let answer = read::<Answer>(text).unwrap();
        assert_eq!((answer.first.as_deref(), write(&answer).as_deref()), (None, Ok(text)));
        let named = Answer { first: Some("x".to_owned()), ..answer };
        assert!(write(&named).unwrap().starts_with(r#"{"first":"x","isIt":true,"#));
    }

    #[test]
    fn scores_have_ten_decimal_places() {
        assert_eq!(write(&[200.0 / 3.0, 0.0, -1.5]).unwrap(), "[666666666667e-10,0e-10,-15000000000e-10]");
    }

    #[test]
    fn unsupported_types_are_errors() {
        assert!(write(&std::collections::BTreeMap::from([("a", 1)])).is_err());
    }
}
