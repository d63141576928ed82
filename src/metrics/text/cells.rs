//! Tables with a cell for each two places of two sequences.

use crate::error::{Error, Result};

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

/// How long the longest common subsequence is.
pub fn common_subsequence<T: PartialEq>(a: &[T], b: &[T]) -> Result<usize> {
    let (short_a, short_b) = without_common_ends(a, b);
    let ends = a.len() - short_a.len();
    cells(short_a.len(), short_b.len())?;
    let mut row = vec![0_u32; short_b.len()];
    for element in short_a {
        let (mut left, mut diagonal) = (0, 0);
        for (cell, other) in row.iter_mut().zip(short_b) {
            let above = *cell;
            left = if element == other { diagonal + 1 } else { above.max(left) };
            *cell = left;
            diagonal = above;
        }
    }
    Ok(ends + row.last().map_or(0, |length| *length as usize))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_subsequence_has_gaps() {
        for (a, b, length) in [("abcde", "xaxce", 3), ("", "a", 0), ("aab", "aab", 3), ("ab", "ba", 1)] {
            assert_eq!(common_subsequence(a.as_bytes(), b.as_bytes()), Ok(length), "{a} {b}");
        }
    }

    #[test]
    fn huge_tables_are_refused() {
        assert!(cells(20_000, 20_000).is_ok());
        let error = cells(20_001, 20_000).unwrap_err();
        assert!(error.message.starts_with("texts of 20001 and 20000 units"), "{error}");
    }
}
