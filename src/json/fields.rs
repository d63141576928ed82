//! Objects whose fields are known: what the package passes as options, and what models answered in a form that was
//! checked. As JSON text they cost far less code than JavaScript objects that are taken apart.
//!
//! Somebody has looked at what is in them already, so errors here tell of a mistake in the package.

use super::{Json, Number, Object, parse};
use crate::error::{Error, Result};

/// An object of known fields. What is not given is missing; it is never `null`.
pub struct Fields<'j>(Object<'j>);

impl<'j> Fields<'j> {
    /// The object that a text is.
    pub fn read(text: &'j str) -> Result<Self> {
        Self::of(&parse(text)?)
    }

    /// The object that a value is.
    #[inline(never)]
    pub fn of(value: &Json<'j>) -> Result<Self> {
        let object = value.as_object().ok_or_else(|| Error::invalid_config("fields stand in an object"))?;
        Ok(Self(object.clone()))
    }

    /// The object in a field.
    pub fn object(&self, name: &str) -> Result<Self> {
        self.get(name).map_or_else(|| Err(missing(name)), Self::of)
    }

    /// Any value.
    #[inline(never)]
    pub fn get(&self, name: &str) -> Option<&Json<'j>> {
        self.0.get(name)
    }

    /// A text that may be missing.
    #[inline(never)]
    pub fn given(&self, name: &str) -> Option<String> {
        self.get(name).and_then(Json::as_str).map(str::to_owned)
    }

    /// A text.
    #[inline(never)]
    pub fn text(&self, name: &str) -> Result<String> {
        self.given(name).ok_or_else(|| missing(name))
    }

    /// What a text stands for.
    pub fn named<T>(&self, name: &str, meaning: fn(&str) -> Option<T>) -> Result<T> {
        self.get(name).and_then(Json::as_str).and_then(meaning).ok_or_else(|| missing(name))
    }

    /// `false` unless it is `true`.
    pub fn flag(&self, name: &str) -> bool {
        self.get(name) == Some(&Json::Bool(true))
    }

    /// A whole number from 0; the largest there is, if it is larger.
    pub fn whole(&self, name: &str) -> Result<u32> {
        match self.get(name) {
            Some(Json::Number(Number::Integer(value))) if *value >= 0 => {
                Ok(u32::try_from(*value).unwrap_or(u32::MAX))
            }
            _ => Err(missing(name)),
        }
    }

    /// Any number, as exact as it was written.
    #[inline(never)]
    pub fn number(&self, name: &str) -> Result<&Number<'j>> {
        match self.get(name) {
            Some(Json::Number(number)) => Ok(number),
            _ => Err(missing(name)),
        }
    }

    /// The pairs of texts in a list; empty if it is missing.
    pub fn pairs(&self, name: &str) -> Vec<(String, String)> {
        let pairs = self.list(name).iter().filter_map(|pair| match pair.as_array()? {
            [first, second] => Some((first.as_str()?.to_owned(), second.as_str()?.to_owned())),
            _ => None,
        });
        pairs.collect()
    }

    /// Empty if it is missing.
    pub fn list(&self, name: &str) -> &[Json<'j>] {
        self.get(name).and_then(Json::as_array).unwrap_or_default()
    }
}

#[cold]
#[inline(never)]
fn missing(name: &str) -> Error {
    Error::invalid_config(["the field ", name, " is missing or of another type"].concat())
}
