//! Options as the package passes them: as JSON text, which costs far less code than taking JavaScript objects apart.
//! The package checks what users write, so errors here tell of a mistake in the package.

use crate::error::{Error, Result};
use crate::json::{self, Json, Number, Object};

/// An object of options. What is not given is missing; it is never `null`.
pub(super) struct Options<'j>(Object<'j>);

impl<'j> Options<'j> {
    pub fn read(text: &'j str) -> Result<Self> {
        Self::of(&json::parse(text)?)
    }

    pub fn of(value: &Json<'j>) -> Result<Self> {
        let object = value.as_object().ok_or_else(|| Error::invalid_config("options are an object"))?;
        Ok(Self(object.clone()))
    }

    #[inline(never)]
    pub fn get(&self, name: &str) -> Option<&Json<'j>> {
        self.0.get(name)
    }

    #[inline(never)]
    /// A text that may be missing.
    pub fn given(&self, name: &str) -> Option<String> {
        self.get(name).and_then(Json::as_str).map(str::to_owned)
    }

    pub fn text(&self, name: &str) -> Result<String> {
        self.given(name).ok_or_else(|| Error::invalid_config(format!("the option {name} is missing")))
    }

    /// What a text stands for.
    pub fn named<T>(&self, name: &str, meaning: fn(&str) -> Option<T>) -> Result<T> {
        let found = self.get(name).and_then(Json::as_str).and_then(meaning);
        found.ok_or_else(|| Error::invalid_config(format!("the option {name} is missing or unknown")))
    }

    pub fn flag(&self, name: &str) -> bool {
        self.get(name) == Some(&Json::Bool(true))
    }

    /// A whole number from 0; the largest there is, if it is larger.
    pub fn whole(&self, name: &str) -> Result<u32> {
        match self.get(name) {
            Some(Json::Number(Number::Integer(value))) if *value >= 0 => {
                Ok(u32::try_from(*value).unwrap_or(u32::MAX))
            }
            _ => Err(Error::invalid_config(format!("the option {name} is missing"))),
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
