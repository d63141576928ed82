//! The arguments of a tool call.

use crate::error::{Error, Result};
use crate::json::{self, Json};
use std::cell::OnceCell;
use std::hash::{Hash, Hasher};

/// The arguments of a tool call, as JSON text. Most are compared as such, and a tree is made of them only where one is
/// needed.
pub(super) struct Arguments<'v> {
    text: &'v str,
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
        Self { text, digest: OnceCell::new(), read: OnceCell::new() }
    }

    /// How long the text is, in bytes.
    pub fn len(&self) -> usize {
        self.text.len()
    }

    /// The value; an error if they are not JSON.
    pub fn read(&self) -> Result<&Json<'v>, &Error> {
        self.read.get_or_init(|| json::parse(self.text)).as_ref()
    }

    /// A number that is the same for equal arguments, and seldom for others; an error if they are not JSON.
    pub fn digest(&self) -> Result<u64, &Error> {
        let digest = || match json::digest(self.text) {
            Some(digest) => Ok(digest),
            None => self.read().map(Json::digest).map_err(Clone::clone),
        };
        self.digest.get_or_init(digest).as_ref().copied()
    }
}

/// Equal as JSON values. What is not JSON equals only what is the same to the letter.
impl PartialEq for Arguments<'_> {
    fn eq(&self, other: &Self) -> bool {
        if self.text == other.text {
            return true;
        }
        match (self.digest(), other.digest()) {
            (Ok(digest), Ok(other_digest)) if digest == other_digest => json::same(self.text, other.text)
                .unwrap_or_else(|| self.read().is_ok_and(|value| other.read() == Ok(value))),
            _ => false,
        }
    }
}

impl Eq for Arguments<'_> {}

impl Hash for Arguments<'_> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        state.write_u64(self.digest().unwrap_or_default());
    }
}
