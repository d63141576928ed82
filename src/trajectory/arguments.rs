//! The arguments of a tool call.

use crate::error::{Error, Result};
use crate::json::{self, Json};
use std::cell::{Cell, OnceCell};
use std::hash::{Hash, Hasher};

/// The arguments of a tool call, as JSON text. Most are compared as such, and a tree is made of them only where one is
/// needed.
pub(super) struct Arguments<'v> {
    text: &'v str,
    /// Whether the text is known to be JSON.
    is_json: Cell<bool>,
    digest: OnceCell<Result<u64>>,
    read: OnceCell<Result<Json<'v>>>,
}

impl<'v> Arguments<'v> {
    /// Missing ones, `null` and an empty text, as some models send them for a tool without parameters, are `{}`.
    pub fn new(text: &'v str) -> Self {
        // Not all that Unicode calls white space is that in JSON.
        let text = match text.trim_matches([' ', '\t', '\n', '\r']) {
            "" | "null" => "{}",
            text => text,
        };
        Self { text, is_json: Cell::new(false), digest: OnceCell::new(), read: OnceCell::new() }
    }

    /// How long the text is, in bytes.
    pub fn len(&self) -> usize {
        self.text.len()
    }

    /// The value; an error if they are not JSON.
    pub fn read(&self) -> Result<&Json<'v>, &Error> {
        self.read.get_or_init(|| json::parse(self.text)).as_ref()
    }

    /// An error if they are not JSON.
    pub fn check(&self) -> Result<(), &Error> {
        if !self.is_json.get() && !json::is_json(self.text) {
            return self.read().map(drop);
        }
        self.is_json.set(true);
        Ok(())
    }

    /// A number that is the same for equal arguments, and seldom for others; an error if they are not JSON.
    pub fn digest(&self) -> Result<u64, &Error> {
        let digest = || match json::digest(self.text) {
            Some(digest) => Ok(digest),
            None => self.read().map(Json::digest).map_err(Clone::clone),
        };
        let digest = self.digest.get_or_init(digest).as_ref().copied();
        self.is_json.set(digest.is_ok());
        digest
    }
}

/// Equal as JSON values. What is not JSON equals only what is the same to the letter.
impl PartialEq for Arguments<'_> {
    fn eq(&self, other: &Self) -> bool {
        if self.text == other.text {
            return true;
        }
        // Where many are compared with many, digests have been made of all of them; for two alone, they take as long as
        // comparing.
        if self.digest.get().is_some() || other.digest.get().is_some() {
            match (self.digest(), other.digest()) {
                (Ok(digest), Ok(other_digest)) if digest == other_digest => {}
                _ => return false,
            }
        }
        match json::same(self.text, other.text) {
            Some(is_same) => {
                self.is_json.set(true);
                other.is_json.set(true);
                is_same
            }
            None => self.read().is_ok_and(|value| other.read() == Ok(value)),
        }
    }
}

impl Eq for Arguments<'_> {}

impl Hash for Arguments<'_> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        state.write_u64(self.digest().unwrap_or_default());
    }
}
