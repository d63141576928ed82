//! A small hash table.

use rustc_hash::FxHasher;
use std::hash::{Hash, Hasher};

/// The key of an entry.
pub type Key = [usize; 3];

/// A hash table for up to some hundred thousand keys. The standard library's takes ten times the code.
#[derive(Default)]
pub struct AddressTable(Vec<Vec<(Key, usize)>>);

/// The number of buckets.
const LISTS: usize = 16_384;

impl AddressTable {
    /// The number of a key, if it is in the table.
    pub fn get(&self, key: Key) -> Option<usize> {
        let entries = self.0.get(list_of(key))?;
        entries.iter().find(|(other, _)| *other == key).map(|(_, number)| *number)
    }

    /// Adds a key that is not in the table.
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
