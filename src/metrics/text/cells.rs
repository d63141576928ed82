//! Dynamic programming over two sequences: bit-parallel tables, and limits of their size.

use crate::error::{Error, Result};
use crate::sort::in_order;
use crate::text::without_common_ends;

/// The most cells of a table. More would take longer than a few seconds, and nothing can interrupt it.
pub const MAX_CELLS: usize = 400_000_000;
/// The limit for edit tables, which take twice as long per cell.
pub const MAX_EDIT_CELLS: usize = 200_000_000;

/// The number of cells of a table; an error above `most`.
pub fn cells(rows: usize, columns: usize, most: usize) -> Result<usize> {
    // Two lengths fit into 32 bits, and their product does not.
    let cells = (rows as u64).saturating_mul(columns as u64);
    if cells > most as u64 { Err(too_long(rows, columns, cells, most)) } else { Ok(cells as usize) }
}

/// The error for a table with too many cells.
pub fn too_long(rows: usize, columns: usize, cells: u64, most: usize) -> Error {
    let [rows, columns, most] = [rows, columns, most].map(|number| number.to_string());
    let cells = cells.to_string();
    let sizes = ["texts of ", &rows, " and ", &columns, " units are too long to be aligned; they need "];
    let limit = [&cells, " cells, and the limit is ", &most, ": compare parts of them"];
    Error::invalid_input(sizes.concat() + &limit.concat())
}

/// A number from 0 to 3 for each cell, two bits each.
pub struct Marks {
    columns: usize,
    bytes: Vec<u8>,
}

impl Marks {
    /// A table of zeros; an error if it has more than `most` cells.
    pub fn new(rows: usize, columns: usize, most: usize) -> Result<Self> {
        Ok(Self { columns, bytes: vec![0; cells(rows, columns, most)? / 4 + 1] })
    }

    /// The number in a cell.
    pub fn get(&self, row: usize, column: usize) -> u8 {
        let (at, shift) = self.place(row, column);
        self.bytes.get(at).map_or(0, |byte| byte >> shift & 3)
    }

    /// Sets the number in a cell. May be called once for each cell.
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

/// The elements of sequences for bit-parallel algorithms: ASCII bytes, characters, or word ids.
pub trait Element: Copy + PartialEq + Into<u32> {}

impl<T: Copy + PartialEq + Into<u32>> Element for T {}

/// The positions of each element in a sequence, as a bit set. Reuses its memory for the next sequence.
#[derive(Default)]
pub struct PositionBits {
    /// The number of 64-bit blocks for each element.
    blocks: usize,
    /// The elements from [`FEW`] on, sorted.
    others: Vec<u32>,
    bits: Vec<u64>,
}

/// Elements below this number, such as ASCII, are looked up directly.
const FEW: usize = 128;

impl PositionBits {
    /// Indexes a sequence.
    pub fn find<T: Element>(&mut self, sequence: &[T]) {
        self.blocks = sequence.len().div_ceil(64);
        self.others.clear();
        self.bits.clear();
        self.bits.resize((FEW + 1) * self.blocks, 0);
        for (block, elements) in sequence.chunks(64).enumerate() {
            let mut bit = 1;
            for element in elements {
                let element = (*element).into();
                if (element as usize) < FEW {
                    if let Some(bits) = self.bits.get_mut(element as usize * self.blocks + block) {
                        *bits |= bit;
                    }
                } else {
                    self.others.push(element);
                }
                bit <<= 1;
            }
        }
        if self.others.is_empty() {
            return;
        }
        self.others = in_order(&self.others, Ord::cmp);
        self.others.dedup();
        self.bits.resize((FEW + self.others.len() + 1) * self.blocks, 0);
        for (place, element) in sequence.iter().enumerate() {
            if (*element).into() as usize >= FEW {
                let block = self.start(*element) + place / 64;
                if let Some(bits) = self.bits.get_mut(block) {
                    *bits |= 1 << (place % 64);
                }
            }
        }
    }

    /// The positions of an element.
    // Called for each character, and the call would take longer than its body.
    #[inline(always)]
    pub fn of<T: Element>(&self, element: T) -> &[u64] {
        let start = self.start(element);
        self.bits.get(start..start + self.blocks).unwrap_or_default()
    }

    /// The positions of an element in a sequence of at most `BLOCKS` × 64 elements.
    #[inline(always)]
    pub fn of_few<T: Element, const BLOCKS: usize>(&self, element: T) -> [u64; BLOCKS] {
        let bits = self.bits.get(self.start(element)..).and_then(<[u64]>::first_chunk);
        bits.copied().unwrap_or([0; BLOCKS])
    }

    /// The index of the first block of an element. The last blocks are for elements without positions.
    #[inline(always)]
    fn start<T: Element>(&self, element: T) -> usize {
        let element = element.into();
        let number = if (element as usize) < FEW { element as usize } else { self.number_of_other(element) };
        number * self.blocks
    }

    /// The index of an element that has no direct slot.
    // Not inlined: a copy of the search for each caller would take more bytes than everything else here.
    #[inline(never)]
    fn number_of_other(&self, element: u32) -> usize {
        FEW + self.others.binary_search(&element).unwrap_or(self.others.len())
    }
}

/// The length of the longest common subsequence.
pub fn common_subsequence<T: Element>(a: &[T], b: &[T], places: &mut PositionBits) -> Result<usize> {
    let (from, to) = without_common_ends(a, b);
    cells(from.len(), to.len(), MAX_CELLS)?;
    let ends = a.len() - from.len();
    let (between, others) = if from.len() < to.len() { (from, to) } else { (to, from) };
    if between.is_empty() {
        return Ok(ends);
    }
    places.find(between);
    Ok(ends
        + match places.blocks {
            1 => of_few::<T, 1>(others, places),
            2 => of_few::<T, 2>(others, places),
            blocks => {
                let mut row = vec![u64::MAX; blocks];
                for element in others {
                    next_row(&mut row, places.of(*element));
                }
                length(&row)
            }
        })
}

/// The length for a fixed number of blocks, which stay in registers.
fn of_few<T: Element, const BLOCKS: usize>(others: &[T], places: &PositionBits) -> usize {
    let mut row = [u64::MAX; BLOCKS];
    for element in others {
        next_row(&mut row, &places.of_few::<T, BLOCKS>(*element));
    }
    length(&row)
}

/// Computes the next row of the table, 64 cells at a time (Hyyrö, *Bit-parallel LCS-length computation
/// revisited*, 2004). A cell's bit is 0 if it is one more than the cell before it.
#[inline(always)]
fn next_row(row: &mut [u64], equal: &[u64]) {
    let mut carry = false;
    for (bits, equal) in row.iter_mut().zip(equal) {
        let both = *bits & equal;
        let (sum, is_over) = bits.overflowing_add(both);
        let (sum, is_over_again) = sum.overflowing_add(u64::from(carry));
        carry = is_over || is_over_again;
        *bits = sum | (*bits & !both);
    }
}

fn length(row: &[u64]) -> usize {
    row.iter().map(|bits| bits.count_zeros() as usize).sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// The textbook algorithm.
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
            prop_assert_eq!(common_subsequence(&a, &b, &mut PositionBits::default()), Ok(textbook(&a, &b)));
        }
    }

    #[test]
    fn a_subsequence_has_gaps() {
        for (a, b, length) in [("abcde", "xaxce", 3), ("", "a", 0), ("aab", "aab", 3), ("ab", "ba", 1)] {
            let numbers = |text: &str| text.chars().map(u32::from).collect::<Vec<_>>();
            let found = common_subsequence(&numbers(a), &numbers(b), &mut PositionBits::default());
            assert_eq!(found, Ok(length), "{a} {b}");
        }
    }

    #[test]
    fn huge_tables_are_refused() {
        assert!(cells(20_000, 20_000, MAX_CELLS).is_ok());
        let error = cells(20_001, 20_000, MAX_CELLS).unwrap_err();
        assert!(error.message.starts_with("texts of 20001 and 20000 units"), "{error}");
        assert!(error.message.contains("400020000 cells, and the limit is 400000000"), "{error}");
    }
}
