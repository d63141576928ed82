//! The distance of Damerau and Levenshtein.

use super::cells::{MOST_OF_EDITS, Places, cells, without_common_ends};
use crate::error::Result;

/// The distance; keeps its memory from one pair of texts to the next.
#[derive(Default)]
pub struct DamerauLevenshtein {
    /// Where each character stands in the first text.
    places: Places,
    columns: Vec<Column>,
    blocks: Vec<Block>,
}

/// A column of the table of Damerau-Levenshtein.
struct Column {
    character: u32,
    /// Its cell in the row above.
    above: u32,
    /// Its cell in the row above that one.
    above_that: u32,
    /// The last row, from 1, with the same character; 0 if there is none.
    last_row: u32,
    /// The cell from which an exchange with that row would begin: above it, and two columns to the left.
    begin: u32,
}

/// 64 rows of the table in which nothing may be edited twice, as differences between neighbours.
#[derive(Clone, Copy)]
struct Block {
    /// The rows whose value is one more than that above.
    up: u64,
    /// The rows whose value is one less than that above.
    down: u64,
    /// The rows whose value is that of the row above in the column before.
    same: u64,
    /// The rows with the character of the column.
    equal: u64,
}

impl DamerauLevenshtein {
    /// How many characters have to be replaced, removed, added or exchanged with the one beside them, where more may happen
    /// between the two (Zhao and Sahni, *String correction using the Damerau-Levenshtein distance*, 2019, in linear space).
    ///
    /// Looks near the diagonal only, as far from it as so many edits can lead (Ukkonen, *Algorithms for approximate string
    /// matching*, 1985): there are no more than it takes where nothing may be edited twice.
    pub fn distance(&mut self, a: &[u32], b: &[u32]) -> Result<usize> {
        let (a, b) = without_common_ends(a, b);
        cells(a.len(), b.len(), MOST_OF_EDITS)?;
        let most = self.restricted(a, b);
        // One edit is one in both, so that two are two.
        Ok(if most <= 2 { most } else { self.edits_within(a, b, most) })
    }

    /// The same where nothing that was exchanged may be edited again, 64 rows at a time (Hyyrö, *A bit-vector algorithm for
    /// computing Levenshtein and Damerau edit distances*, 2003).
    fn restricted(&mut self, a: &[u32], b: &[u32]) -> usize {
        let Some(last) = a.len().checked_sub(1) else { return b.len() };
        self.places.find(a);
        self.blocks.clear();
        self.blocks.resize(a.len().div_ceil(64), Block { up: u64::MAX, down: 0, same: 0, equal: 0 });
        let (mut more, mut less) = (0, 0);
        for character in b {
            // What comes from the block above: whether its last row grows or falls, and whether an exchange begins there.
            let (mut up_above, mut down_above, mut begins_above) = (1, 0, 0);
            let (mut grows, mut falls) = (0, 0);
            for (block, equal) in self.blocks.iter_mut().zip(self.places.of(*character)) {
                let begins = !block.same & equal;
                let exchanged = (begins << 1 | begins_above) & block.equal;
                let may = equal | down_above;
                let same =
                    ((may & block.up).wrapping_add(block.up) ^ block.up) | may | block.down | exchanged;
                (grows, falls) = (block.down | !(same | block.up), same & block.up);
                let (up, down) = (grows << 1 | up_above, falls << 1 | down_above);
                (up_above, down_above, begins_above) = (grows >> 63, falls >> 63, begins >> 63);
                *block = Block { up: down | !(same | up), down: up & same, same, equal: *equal };
            }
            more += (grows >> (last % 64) & 1) as usize;
            less += (falls >> (last % 64) & 1) as usize;
        }
        a.len() + more - less
    }

    /// How many edits there are, if there are at most so many; else more than that.
    fn edits_within(&mut self, a: &[u32], b: &[u32], most: usize) -> usize {
        let beyond = a.len().max(b.len()) as u32 + 1;
        // How far columns may be ahead of rows, and behind. An exchange begins one place beyond.
        let ahead = (most + b.len()).saturating_sub(a.len()) / 2 + 1;
        let behind = (most + a.len()).saturating_sub(b.len()) / 2 + 1;
        let column = |(place, character): (u32, &u32)| Column {
            character: *character,
            above: if place as usize > ahead { beyond } else { place },
            above_that: beyond,
            last_row: 0,
            begin: beyond,
        };
        let columns = &mut self.columns;
        columns.clear();
        columns.extend((1..).zip(b).map(column));
        for (i, character) in (1_u32..).zip(a) {
            // The last column, from 1, with the same character, and the cell from which an exchange with it would begin.
            let (mut last_column, mut begin) = (0, beyond);
            let (mut left, mut diagonal, mut left_of_diagonal) = (i, i - 1, beyond);
            let mut above_diagonal = i.saturating_sub(2);
            let row = i as usize;
            let (start, end) = (row.saturating_sub(behind + 1), (row + ahead).min(columns.len()));
            if let Some(before) = start.checked_sub(1).and_then(|place| columns.get(place)) {
                (left, diagonal, above_diagonal) = (beyond, before.above, before.above_that);
            }
            let near = columns.get_mut(start..end).unwrap_or_default();
            for (j, column) in (start as u32 + 1..).zip(near) {
                let above = column.above;
                let mut cell =
                    (diagonal + u32::from(column.character != *character)).min(above + 1).min(left + 1);
                if column.character == *character {
                    (last_column, begin) = (j, above_diagonal);
                    (column.last_row, column.begin) = (i, left_of_diagonal);
                } else if last_column > 0 && column.last_row > 0 {
                    if last_column == j - 1 {
                        cell = cell.min(column.begin + i - column.last_row);
                    } else if column.last_row == i - 1 {
                        cell = cell.min(begin + j - last_column);
                    }
                }
                above_diagonal = column.above_that;
                (column.above_that, column.above) = (above, cell);
                (left_of_diagonal, diagonal, left) = (diagonal, above, cell);
            }
        }
        columns.last().map_or(a.len(), |column| column.above as usize)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn characters(text: &str) -> Vec<u32> {
        text.chars().map(u32::from).collect()
    }

    /// The textbook's table.
    fn textbook(a: &[u32], b: &[u32]) -> usize {
        let beyond = a.len() + b.len();
        let mut table = vec![vec![beyond; b.len() + 2]; a.len() + 2];
        for i in 0..=a.len() {
            table[i + 1][1] = i;
        }
        for j in 0..=b.len() {
            table[1][j + 1] = j;
        }
        let mut rows = std::collections::HashMap::new();
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

    /// The same where nothing that was exchanged may be edited again.
    fn textbook_of_restricted(a: &[u32], b: &[u32]) -> usize {
        let mut table = vec![vec![0; b.len() + 1]; a.len() + 1];
        for i in 0..=a.len() {
            for j in 0..=b.len() {
                table[i][j] = if i.min(j) == 0 {
                    i + j
                } else {
                    let replaced = table[i - 1][j - 1] + usize::from(a[i - 1] != b[j - 1]);
                    let edited = replaced.min(table[i - 1][j] + 1).min(table[i][j - 1] + 1);
                    let is_exchange = i.min(j) > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
                    if is_exchange { edited.min(table[i - 2][j - 2] + 1) } else { edited }
                };
            }
        }
        table[a.len()][b.len()]
    }

    proptest! {
        #[test]
        fn edits_of_what_is_new_agree_with_the_textbook(
            a in proptest::collection::vec(125_u32..131, 0..90),
            b in proptest::collection::vec(125_u32..132, 0..90),
        ) {
            let mut own = DamerauLevenshtein::default();
            prop_assert_eq!(own.restricted(&a, &b), textbook_of_restricted(&a, &b));
            prop_assert_eq!(own.distance(&a, &b), Ok(textbook(&a, &b)));
            prop_assert_eq!(own.distance(&b, &a), Ok(textbook(&a, &b)));
        }

        #[test]
        fn exchanges_agree_with_the_textbook(a in "[abc]{0,12}", b in "[abcd]{0,12}", most in 0_usize..14) {
            let (a, b) = (characters(&a), characters(&b));
            let expected = textbook(&a, &b);
            prop_assert_eq!(DamerauLevenshtein::default().distance(&a, &b), Ok(expected));
            // Near the diagonal as well, wherever they are few enough.
            if expected <= most && !b.is_empty() {
                prop_assert_eq!(DamerauLevenshtein::default().edits_within(&a, &b, most), expected);
            }
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
