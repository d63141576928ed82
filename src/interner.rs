//! Maps keys to small integers, so that comparing keys is comparing integers. All callers share one hash map
//! type, because each further type adds its own copy of the algorithm to the binary.

use rustc_hash::FxHashMap;
use std::hash::Hash;

/// Gives equal keys equal numbers, counting from 0.
pub struct Interner<K>(FxHashMap<K, u32>);

impl<K> Default for Interner<K> {
    fn default() -> Self {
        Self(FxHashMap::default())
    }
}

impl<K: Eq + Hash> Interner<K> {
    /// An interner without keys.
    pub fn new() -> Self {
        Self(FxHashMap::default())
    }

    /// Removes all keys and keeps the memory.
    #[cfg(feature = "metrics")]
    pub fn clear(&mut self) {
        self.0.clear();
    }

    /// The number of a key; a new key gets the next number.
    pub fn intern(&mut self, key: K) -> usize {
        let next = self.0.len() as u32;
        *self.0.entry(key).or_insert(next) as usize
    }
}
