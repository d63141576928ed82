//! Numbers for keys, so that comparing keys is comparing integers. One hash map for all: one for a type of its own each
//! would bring its own copy of the algorithm into the binary.

use rustc_hash::FxHashMap;
use std::hash::Hash;

/// Gives equal keys equal numbers, counting from 0, so that comparing them is comparing integers.
pub struct Numbering<K>(FxHashMap<K, u32>);

impl<K> Default for Numbering<K> {
    fn default() -> Self {
        Self(FxHashMap::default())
    }
}

impl<K: Eq + Hash> Numbering<K> {
    /// No key has a number yet.
    pub fn new() -> Self {
        Self(FxHashMap::default())
    }

    /// Forgets all keys, and keeps the memory.
    #[cfg(feature = "metrics")]
    pub fn clear(&mut self) {
        self.0.clear();
    }

    /// The number of a key; the next one if it is new.
    pub fn number(&mut self, key: K) -> usize {
        let next = self.0.len() as u32;
        *self.0.entry(key).or_insert(next) as usize
    }
}
