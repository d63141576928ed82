//! Small tools that the evaluators share. Each is compiled once: a sort, or a hash map, for a type of its own would
//! bring its own copy of the algorithm into the binary.

use rustc_hash::FxHashMap;
use std::cmp::Ordering;
use std::hash::Hash;

/// Gives equal keys equal numbers, counting from 0, so that comparing them is comparing integers.
pub struct Numbering<K>(FxHashMap<K, u32>);

impl<K: Eq + Hash> Numbering<K> {
    /// No key has a number yet.
    pub fn new() -> Self {
        Self(FxHashMap::default())
    }

    /// The number of a key; the next one if it is new.
    pub fn number(&mut self, key: K) -> usize {
        let next = self.0.len() as u32;
        *self.0.entry(key).or_insert(next) as usize
    }
}

/// The numbers from 0 to `count`, in the order that `compare` says; of equal ones, the smaller first.
pub fn sorted(count: usize, compare: &dyn Fn(usize, usize) -> Ordering) -> Vec<usize> {
    let mut indices: Vec<usize> = (0..count).collect();
    indices.sort_unstable_by(|a, b| compare(*a, *b).then(a.cmp(b)));
    indices
}
