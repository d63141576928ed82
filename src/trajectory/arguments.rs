//! The arguments of a tool call.

use crate::error::{Error, Result};
use crate::json::{self, Json};
use std::cell::{Cell, OnceCell};
use std::hash::{Hash, Hasher};

/// The arguments of a tool call, as JSON text. Most are compared as text; a tree is built only where it is
/// needed.
pub(crate) struct Arguments<'v> {
    text: &'v str,
    /// Whether the text has been found to be valid JSON.
    is_json: Cell<bool>,
    digest: OnceCell<Result<u64>>,
    read: OnceCell<Result<Json<'v>>>,
}

impl<'v> Arguments<'v> {
    /// Missing arguments, `null` and an empty text, which some models send for a tool without parameters,
    /// become `{}`.
    pub fn new(text: &'v str) -> Self {
        // JSON's white space is a subset of Unicode white space.
        let text = match text.trim_matches([' ', '\t', '\n', '\r']) {
            "" | "null" => "{}",
            text => text,
        };
        Self { text, is_json: Cell::new(false), digest: OnceCell::new(), read: OnceCell::new() }
    }

    /// The length of the text, in bytes.
    pub fn len(&self) -> usize {
        self.text.len()
    }

    /// The arguments as they were written.
    pub fn text(&self) -> &'v str {
        self.text
    }

    /// The parsed arguments; an error if they are not valid JSON.
    pub fn read(&self) -> Result<&Json<'v>, &Error> {
        self.read.get_or_init(|| json::parse(self.text)).as_ref()
    }

    /// Fails if the arguments are not valid JSON.
    pub fn check(&self) -> Result<(), &Error> {
        if !self.is_json.get() && !json::is_json(self.text) {
            return self.read().map(drop);
        }
        self.is_json.set(true);
        Ok(())
    }

    /// A hash of the arguments, equal for equal arguments; an error if they are not valid JSON.
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

/// Equality of JSON values. Invalid JSON equals only the identical text.
impl PartialEq for Arguments<'_> {
    fn eq(&self, other: &Self) -> bool {
        if self.text == other.text {
            return true;
        }
        // Digests exist where many calls are compared with many. For a single pair, computing them takes as
        // long as comparing.
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
