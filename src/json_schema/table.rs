//! Numbers by keys, such as addresses.

use rustc_hash::FxHasher;
use std::hash::{Hash, Hasher};

/// What a number is found by.
pub type Key = [usize; 3];

/// A table of up to some hundred thousand keys. A map of the standard library would take ten times the code.
#[derive(Default)]
pub struct Table(Vec<Vec<(Key, usize)>>);

/// As many lists share the keys.
const LISTS: usize = 16_384;

impl Table {
    /// The number of a key, if it has one.
    pub fn get(&self, key: Key) -> Option<usize> {
        let entries = self.0.get(list_of(key))?;
        entries.iter().find(|(other, _)| *other == key).map(|(_, number)| *number)
    }

    /// Gives a number to a key that has none.
    pub fn add(&mut self, key: Key, number: usize) {
        self.0.resize_with(LISTS, Vec::new);
        if let Some(entries) = self.0.get_mut(list_of(key)) {
            entries.push((key, number));
        }
    }
}

fn list_of(key: Key) -> usize {
    let mut hasher = FxHasher::default();
    key.hash(&mut hasher);
    hasher.finish() as usize % LISTS
}
