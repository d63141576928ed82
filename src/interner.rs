//! Maps keys to small integers, so that comparing keys is comparing integers.

use rustc_hash::FxHasher;
use std::hash::{Hash, Hasher};

/// Gives equal keys equal numbers, counting from 0.
pub struct Interner<K> {
    keys: Vec<K>,
    table: HashTable,
}

impl<K> Default for Interner<K> {
    fn default() -> Self {
        Self { keys: Vec::new(), table: HashTable::default() }
    }
}

impl<K: Eq + Hash> Interner<K> {
    /// An interner without keys.
    pub fn new() -> Self {
        Self::default()
    }

    /// Removes all keys and keeps the memory.
    #[cfg(feature = "metrics")]
    pub fn clear(&mut self) {
        self.keys.clear();
        self.table.hashes.clear();
        self.table.slots.fill(0);
    }

    /// The number of a key; a new key gets the next number.
    pub fn intern(&mut self, key: K) -> usize {
        let mut hasher = FxHasher::default();
        key.hash(&mut hasher);
        let hash = hasher.finish() as usize;
        self.table.make_room();
        let mut place = hash;
        while let Some(slot) = self.table.slot(place) {
            let number = (*slot as usize).wrapping_sub(1);
            match self.keys.get(number) {
                None => {
                    self.keys.push(key);
                    *slot = self.keys.len() as u32;
                    self.table.hashes.push(hash);
                    break;
                }
                Some(known) if *known == key => return number,
                Some(_) => place = place.wrapping_add(1),
            }
        }
        self.keys.len() - 1
    }
}

/// A hash table of numbers with linear probing. It does not know the type of the keys, so that the binary has the code
/// that makes it grow once: a map of the standard library takes 2 KB for each type.
#[derive(Default)]
struct HashTable {
    /// The hash of each number.
    hashes: Vec<usize>,
    /// Each number plus 1, at its hash or after it; 0 is a free slot. The length is a power of two.
    slots: Vec<u32>,
}

impl HashTable {
    fn slot(&mut self, place: usize) -> Option<&mut u32> {
        let mask = self.slots.len().wrapping_sub(1);
        self.slots.get_mut(place & mask)
    }

    /// Doubles the table if it is half full.
    fn make_room(&mut self) {
        if self.hashes.len() * 2 >= self.slots.len() {
            self.grow();
        }
    }

    #[inline(never)]
    fn grow(&mut self) {
        self.slots = vec![0; (self.slots.len() * 2).max(64)];
        for number in 0..self.hashes.len() {
            let mut place = self.hashes.get(number).copied().unwrap_or_default();
            while self.slot(place).is_some_and(|slot| *slot > 0) {
                place = place.wrapping_add(1);
            }
            if let Some(slot) = self.slot(place) {
                *slot = number as u32 + 1;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn equal_keys_have_the_number_of_the_first(keys in prop::collection::vec("[ab]{0,6}", 0..200)) {
            let mut distinct: Vec<&String> = Vec::new();
            let mut interner = Interner::new();
            for key in &keys {
                if !distinct.contains(&key) {
                    distinct.push(key);
                }
                prop_assert_eq!(Some(interner.intern(key)), distinct.iter().position(|other| *other == key));
            }
        }
    }

    #[test]
    fn keys_with_equal_hashes_differ() {
        #[derive(PartialEq, Eq)]
        struct Colliding(usize);
        impl Hash for Colliding {
            fn hash<H: Hasher>(&self, _: &mut H) {}
        }
        let mut interner = Interner::new();
        for number in (0..50).chain(0..50) {
            assert_eq!(interner.intern(Colliding(number)), number);
        }
        interner.clear();
        assert_eq!(interner.intern(Colliding(7)), 0);
    }
}
