//! The unrestricted Damerau-Levenshtein distance, bit-parallel: 64 rows of the table at a time, as
//! differences between adjacent cells.
//!
//! Hyyrö (*A bit-vector algorithm for computing Levenshtein and Damerau edit distances*, 2003) covers
//! transpositions of adjacent characters that are not edited again. In the unrestricted distance, characters
//! may be inserted or deleted between the two transposed ones, but only on one side: more is never needed
//! (Zhao and Sahni, *String correction using the Damerau-Levenshtein distance*, 2019).
//!
//! Take a transposition of `a[i-1]` and `a[i]`, which are in `b` at `j` and, before it, at `l`. It makes the
//! cell `(i, j)` equal to `table(i-2, l-1) + j - l`. That is an improvement only if it equals `table(i-1,
//! j-1)`, one less than a substitution. The first term grows by one with each column, and the second by at
//! most one. So both are equal at `j` only if they were at `l + 1` and row `i-1` has grown at each column
//! since: one bit per row records that. If characters are deleted from `a` instead, the same holds along the
//! rows of one column, and an addition carries the bit through all growing rows, as in Myers' algorithm. A
//! cell below a transposition never profits from it along the column, since its row would have to be two more
//! than the transposition's source. So transpositions are not propagated further.

use super::cells::{Element, MAX_EDIT_CELLS, PositionBits, cells};
use crate::error::Result;
use crate::text::without_common_ends;

/// Computes the distance. Reuses its memory for the next pair of texts.
#[derive(Default)]
pub struct DamerauLevenshtein {
    /// The positions of each character in the first text.
    places: PositionBits,
    blocks: Vec<RowBlock>,
}

/// 64 rows of a column.
#[derive(Clone, Copy)]
struct RowBlock {
    /// Rows that are one more than the row above.
    up: u64,
    /// Rows that are one less than the row above.
    down: u64,
    /// Rows that equal the row above in the previous column.
    same: u64,
    /// Rows with the character of the column.
    equal: u64,
    /// Rows in which a transposition from an earlier column may end.
    open: u64,
}

/// The column before the first one.
const START: RowBlock = RowBlock { up: u64::MAX, down: 0, same: 0, equal: 0, open: 0 };

/// The last row of the block above, in the lowest bit.
#[derive(Default)]
struct RowAbove {
    grows: u64,
    falls: u64,
    /// Whether a transposition begins there that ends in a later row of the next column.
    begins: u64,
    /// Whether a transposition that began further up may continue.
    goes_on: u64,
    /// Whether it is not `same`, so that a transposition that ends in a later column may begin there.
    differs: u64,
    /// Whether it has the character of the column, with which such a transposition ends.
    equal: u64,
}

impl DamerauLevenshtein {
    /// The number of substitutions, deletions, insertions and transpositions. Characters may be inserted or
    /// deleted between transposed ones.
    pub fn distance<T: Element>(&mut self, a: &[T], b: &[T]) -> Result<usize> {
        let (a, b) = without_common_ends(a, b);
        cells(a.len(), b.len(), MAX_EDIT_CELLS)?;
        let Some(last) = a.len().checked_sub(1) else { return Ok(b.len()) };
        self.places.find(a);
        self.blocks.clear();
        self.blocks.resize(a.len().div_ceil(64), START);
        let (mut more, mut less) = (0, 0);
        for character in b {
            let mut above = RowAbove { grows: 1, ..RowAbove::default() };
            let (mut grows, mut falls) = (0, 0);
            for (block, equal) in self.blocks.iter_mut().zip(self.places.of(*character)) {
                (grows, falls) = block.step(*equal, &mut above);
            }
            more += (grows >> (last % 64) & 1) as usize;
            less += (falls >> (last % 64) & 1) as usize;
        }
        Ok(a.len() + more - less)
    }
}

impl RowBlock {
    /// Computes the next column, whose character is in the rows `equal`. Returns the rows that grow, and
    /// those that fall.
    #[inline]
    fn step(&mut self, equal: u64, above: &mut RowAbove) -> (u64, u64) {
        // Transpositions that end in this column. With characters deleted from the first text: the bit of the row where one
        // begins is carried through all growing rows. With characters deleted from the second: `open` has recorded it.
        let begins = !self.same & equal;
        let starts = begins << 1 | above.begins | above.goes_on;
        let (sum, goes_on) = (starts & self.up).overflowing_add(self.up);
        let from_above = (starts | (sum ^ self.up)) & self.equal;
        let from_before = self.open & (equal << 1 | above.equal);

        // Rows that equal the row above in the previous column: as in Myers' algorithm, or by a transposition.
        let matches = equal | above.falls;
        let by_edits = ((matches & self.up).wrapping_add(self.up) ^ self.up) | matches | self.down;
        let same = by_edits | from_above | from_before;
        let (grows, falls) = (self.down | !(same | self.up), same & self.up);
        let (up, down) = (grows << 1 | above.grows, falls << 1 | above.falls);
        // A transposition stays open while the row above grows. A new one opens where the row above is not the same.
        let differs = !same << 1 | above.differs;
        let open = self.open & up | equal & differs;
        *above = RowAbove {
            grows: grows >> 63,
            falls: falls >> 63,
            begins: begins >> 63,
            goes_on: u64::from(goes_on),
            differs: !same >> 63,
            equal: equal >> 63,
        };
        *self = Self { up: down | !(same | up), down: up & same, same, equal, open };
        (grows, falls)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use rustc_hash::FxHashMap;

    fn characters(text: &str) -> Vec<u32> {
        text.chars().map(u32::from).collect()
    }

    /// The textbook algorithm.
    fn textbook(a: &[u32], b: &[u32]) -> usize {
        let beyond = a.len() + b.len();
        let mut table = vec![vec![beyond; b.len() + 2]; a.len() + 2];
        for i in 0..=a.len() {
            table[i + 1][1] = i;
        }
        for j in 0..=b.len() {
            table[1][j + 1] = j;
        }
        let mut rows = FxHashMap::default();
        for i in 1..=a.len() {
            let mut column = 0;
            for j in 1..=b.len() {
                let (k, l) = (*rows.get(&b[j - 1]).unwrap_or(&0), column);
                let is_equal = a[i - 1] == b[j - 1];
                if is_equal {
                    column = j;
                }
                table[i + 1][j + 1] = (table[i][j] + usize::from(!is_equal))
                    .min(table[i + 1][j] + 1)
                    .min(table[i][j + 1] + 1)
                    .min(table[k][l] + (i - k - 1) + 1 + (j - l - 1));
            }
            rows.insert(a[i - 1], i);
        }
        table[a.len() + 1][b.len() + 1]
    }

    proptest! {
        #[test]
        fn edits_of_new_characters_agree_with_the_textbook(
            a in proptest::collection::vec(125_u32..131, 0..90),
            b in proptest::collection::vec(125_u32..132, 0..90),
        ) {
            let mut own = DamerauLevenshtein::default();
            let expected = Ok(textbook(&a, &b));
            prop_assert_eq!(own.distance(&a, &b), expected.clone());
            prop_assert_eq!(own.distance(&b, &a), expected);
        }

        #[test]
        fn exchanges_agree_with_the_textbook(a in "[abc]{0,12}", b in "[abcd]{0,12}") {
            let (a, b) = (characters(&a), characters(&b));
            prop_assert_eq!(DamerauLevenshtein::default().distance(&a, &b), Ok(textbook(&a, &b)));
            let [bytes, others] = [&a, &b].map(|text| text.iter().map(|one| *one as u8).collect::<Vec<_>>());
            prop_assert_eq!(DamerauLevenshtein::default().distance(&bytes, &others), Ok(textbook(&a, &b)));
        }

        // Long gaps between transposed characters, on either side, across several blocks.
        #[test]
        fn exchanges_around_gaps_agree_with_the_textbook(
            start in "[ab]{0,70}", gap in "[abc]{0,150}", end in "[ab]{0,70}", runs in 0_usize..4,
        ) {
            let swapped = |one: &str, between: &str, other: &str| [one, between, other].concat();
            let mut texts = [start.clone(), start];
            for run in 0..=runs {
                let (one, other) = if run % 2 == 0 { ("x", "y") } else { ("y", "z") };
                texts[run % 2].push_str(&swapped(one, "", other));
                texts[1 - run % 2].push_str(&swapped(other, &gap, one));
            }
            let [a, b] = texts.map(|text| characters(&(text + &end)));
            let mut own = DamerauLevenshtein::default();
            let expected = Ok(textbook(&a, &b));
            prop_assert_eq!(own.distance(&a, &b), expected.clone());
            prop_assert_eq!(own.distance(&b, &a), expected);
        }

        #[test]
        fn exchanges_in_longer_texts_agree_with_the_textbook(
            a in "[ab]{60,90}", edits in proptest::collection::vec((0_usize..90, 0_usize..5), 0..30),
        ) {
            let a = characters(&a);
            let mut b = a.clone();
            for (place, kind) in edits {
                let place = place.min(b.len() - 2);
                match kind {
                    0 => b.insert(place, 99),
                    1 => drop(b.remove(place)),
                    2 => b[place] = 98,
                    3 => b.swap(place, place + 1),
                    _ => b.rotate_left(1),
                }
            }
            prop_assert_eq!(DamerauLevenshtein::default().distance(&a, &b), Ok(textbook(&a, &b)));
        }
    }
}
