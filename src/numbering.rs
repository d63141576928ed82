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
///
/// A merge sort, in a tenth of the bytes that the one of the standard library takes.
pub fn sorted(count: usize, compare: &dyn Fn(usize, usize) -> Ordering) -> Vec<usize> {
    let mut order: Vec<usize> = (0..count).collect();
    let mut run = 1;
    while run < count {
        let mut merged = Vec::with_capacity(count);
        for runs in order.chunks(2 * run) {
            let (mut left, mut right) = runs.split_at(run.min(runs.len()));
            while let (Some((a, left_rest)), Some((b, right_rest))) =
                (left.split_first(), right.split_first())
            {
                if compare(*a, *b).is_gt() {
                    merged.push(*b);
                    right = right_rest;
                } else {
                    merged.push(*a);
                    left = left_rest;
                }
            }
            merged.extend_from_slice(left);
            merged.extend_from_slice(right);
        }
        order = merged;
        run *= 2;
    }
    order
}

/// Has the memory grow at once by so many bytes, if it has no such room. By itself, the allocator of WebAssembly lets it
/// grow by what is asked of it, in thousands of steps of 64 KB, and for each of them V8 collects garbage.
pub fn make_room(bytes: u64) {
    let mut room: Vec<u8> = Vec::new();
    let bytes = usize::try_from(bytes).unwrap_or(usize::MAX);
    if room.try_reserve_exact(bytes).is_ok() {
        // Memory that nobody uses would not be asked for.
        std::hint::black_box(&mut room);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn sorted_is_a_stable_sort(values in proptest::collection::vec(0u8..9, 0..40)) {
            let mut expected: Vec<usize> = (0..values.len()).collect();
            expected.sort_by_key(|index| values[*index]);
            prop_assert_eq!(sorted(values.len(), &|a, b| values[a].cmp(&values[b])), expected);
        }
    }
}
