//! Tables with a cell for each two places of two sequences.

use crate::error::{Error, Result};
use crate::sort::sorted;

/// More cells would take longer than a second or so, and nothing can interrupt it.
const MOST: usize = 400_000_000;

/// How many cells a table has.
pub fn cells(rows: usize, columns: usize) -> Result<usize> {
    rows.checked_mul(columns).filter(|cells| *cells <= MOST).ok_or_else(|| {
        let (rows, columns) = (rows.to_string(), columns.to_string());
        Error::invalid_input(
            [
                "texts of ",
                &rows,
                " and ",
                &columns,
                " units are too long to be aligned; compare parts of them",
            ]
            .concat(),
        )
    })
}

/// What is known of each cell: a number from 0 to 3.
pub struct Marks {
    columns: usize,
    bytes: Vec<u8>,
}

impl Marks {
    /// All of them 0.
    pub fn new(rows: usize, columns: usize) -> Result<Self> {
        Ok(Self { columns, bytes: vec![0; cells(rows, columns)? / 4 + 1] })
    }

    /// What is known of a cell.
    pub fn get(&self, row: usize, column: usize) -> u8 {
        let (at, shift) = self.place(row, column);
        self.bytes.get(at).map_or(0, |byte| byte >> shift & 3)
    }

    /// Says what is known of a cell, once.
    pub fn set(&mut self, row: usize, column: usize, mark: u8) {
        let (at, shift) = self.place(row, column);
        if let Some(byte) = self.bytes.get_mut(at) {
            *byte |= mark << shift;
        }
    }

    fn place(&self, row: usize, column: usize) -> (usize, usize) {
        let cell = row * self.columns + column;
        (cell / 4, cell % 4 * 2)
    }
}

/// The sequences without what both begin and end with.
pub fn without_common_ends<'s, T: PartialEq>(mut a: &'s [T], mut b: &'s [T]) -> (&'s [T], &'s [T]) {
    while let (Some((first, rest)), Some((other, other_rest))) = (a.split_first(), b.split_first())
        && first == other
    {
        (a, b) = (rest, other_rest);
    }
    while let (Some((last, rest)), Some((other, other_rest))) = (a.split_last(), b.split_last())
        && last == other
    {
        (a, b) = (rest, other_rest);
    }
    (a, b)
}

/// Where each element stands in a sequence, a bit for each place.
pub struct Places {
    /// How many numbers hold the bits of an element.
    blocks: usize,
    /// The elements from [`FEW`] on, in order.
    others: Vec<u32>,
    bits: Vec<u64>,
}

/// Elements below this number are found at once, as those of ASCII.
const FEW: usize = 128;

impl Places {
    /// Looks through a sequence.
    pub fn new(sequence: &[u32]) -> Self {
        let blocks = sequence.len().div_ceil(64);
        let many: Vec<u32> = sequence.iter().copied().filter(|element| *element as usize >= FEW).collect();
        let order = sorted(many.len(), &|a, b| many.get(a).cmp(&many.get(b)));
        let mut others: Vec<u32> = order.into_iter().filter_map(|place| many.get(place).copied()).collect();
        others.dedup();
        let bits = vec![0; (FEW + others.len()) * blocks];
        let mut places = Self { blocks, others, bits };
        for (place, element) in sequence.iter().enumerate() {
            let block = places.start(*element).map(|start| start + place / 64);
            if let Some(bits) = block.and_then(|block| places.bits.get_mut(block)) {
                *bits |= 1 << (place % 64);
            }
        }
        places
    }

    /// The places of an element; none, if it has no bits.
    pub fn of(&self, element: u32) -> &[u64] {
        let start = self.start(element);
        start.and_then(|start| self.bits.get(start..start + self.blocks)).unwrap_or_default()
    }

    fn start(&self, element: u32) -> Option<usize> {
        let number = element as usize;
        let number = if number < FEW { number } else { FEW + self.others.binary_search(&element).ok()? };
        Some(number * self.blocks)
    }
}

/// How long the longest common subsequence is, 64 cells of a row at a time (Hyyrö, *Bit-parallel LCS-length computation
/// revisited*, 2004).
pub fn common_subsequence(a: &[u32], b: &[u32]) -> Result<usize> {
    let (short_a, short_b) = without_common_ends(a, b);
    let ends = a.len() - short_a.len();
    cells(short_a.len(), short_b.len())?;
    let places = Places::new(short_a);
    // A cell that is one more than the one before it has no bit.
    let mut row = vec![u64::MAX; places.blocks];
    for element in short_b {
        let mut carry = false;
        for (bits, equal) in row.iter_mut().zip(places.of(*element)) {
            let both = *bits & equal;
            let (sum, is_over) = bits.overflowing_add(both);
            let (sum, is_over_again) = sum.overflowing_add(u64::from(carry));
            carry = is_over || is_over_again;
            *bits = sum | (*bits & !both);
        }
    }
    Ok(ends + row.iter().map(|bits| bits.count_zeros() as usize).sum::<usize>())
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// The textbook's table.
    fn textbook(a: &[u32], b: &[u32]) -> usize {
        let mut row = vec![0; b.len() + 1];
        for element in a {
            let mut diagonal = 0;
            for (j, other) in b.iter().enumerate() {
                let above = row[j + 1];
                row[j + 1] = if element == other { diagonal + 1 } else { row[j + 1].max(row[j]) };
                diagonal = above;
            }
        }
        row[b.len()]
    }

    proptest! {
        #[test]
        fn subsequences_agree_with_the_textbook(
            a in proptest::collection::vec(125u32..131, 0..200),
            b in proptest::collection::vec(125u32..132, 0..200),
        ) {
            prop_assert_eq!(common_subsequence(&a, &b), Ok(textbook(&a, &b)));
        }
    }

    #[test]
    fn a_subsequence_has_gaps() {
        for (a, b, length) in [("abcde", "xaxce", 3), ("", "a", 0), ("aab", "aab", 3), ("ab", "ba", 1)] {
            let numbers = |text: &str| text.chars().map(u32::from).collect::<Vec<_>>();
            assert_eq!(common_subsequence(&numbers(a), &numbers(b)), Ok(length), "{a} {b}");
        }
    }

    #[test]
    fn huge_tables_are_refused() {
        assert!(cells(20_000, 20_000).is_ok());
        let error = cells(20_001, 20_000).unwrap_err();
        assert!(error.message.starts_with("texts of 20001 and 20000 units"), "{error}");
    }
}
