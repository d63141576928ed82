//! The Levenshtein distance, bit-parallel: 64 rows of the table at a time, as differences between adjacent
//! cells.
//!
//! Hyyrö, "A Bit-Vector Algorithm for Computing Levenshtein and Damerau Edit Distances" (2003), after Myers
//! (1999). The table is computed in strips of 64 rows, from left to right. A strip only needs the changes of
//! the lowest row of the strip above, column by column. Two strips run at once, the lower one a column
//! behind: each step depends on the one before it in its strip, and two such chains keep the processor busy.

use crate::text::without_common_ends;
use std::cell::Cell;
use std::ops::Range;

const ROWS_OF_A_STRIP: usize = 64;

/// The number of insertions, deletions and substitutions of units that turn one text into the other. `Err`
/// with the lengths without common prefix and suffix if their table has more than `max_cells` cells.
pub fn edit_distance<T: Copy + Eq + Into<u16>>(
    a: &[T],
    b: &[T],
    max_cells: f64,
) -> Result<usize, (usize, usize)> {
    let (a, b) = without_common_ends(a, b);
    if a.len() as f64 * b.len() as f64 > max_cells {
        return Err((a.len(), b.len()));
    }
    Ok(distance(a, b))
}

/// The distance of texts without a common prefix or suffix.
fn distance<T: Copy + Eq + Into<u16>>(a: &[T], b: &[T]) -> usize {
    let (pattern, text) = if a.len() <= b.len() { (a, b) } else { (b, a) };
    if pattern.is_empty() {
        return text.len();
    }
    if let Some(distance) = distance_of_few(pattern, text) {
        return distance;
    }
    let table = EncodedTexts::new(pattern, text);
    // Texts are usually either similar or entirely different, so try a narrow band around the diagonal first:
    // all paths with at most that many edits stay inside.
    let band = text.len() / 8;
    if text.len() >= 4 * ROWS_OF_A_STRIP && text.len() - pattern.len() <= band {
        let distance = table.distance_within(band);
        if distance <= band {
            return distance;
        }
    }
    table.distance_within(text.len())
}

/// The distance for an ASCII pattern that fits into one strip, computed on the stack.
fn distance_of_few<T: Copy + Into<u16>>(pattern: &[T], text: &[T]) -> Option<usize> {
    if pattern.len() > ROWS_OF_A_STRIP {
        return None;
    }
    let mut rows_of = [0_u64; 128];
    for (row, unit) in pattern.iter().enumerate() {
        *rows_of.get_mut(usize::from((*unit).into()))? |= 1 << row;
    }
    let lowest = pattern.len() as u32 - 1;
    let mut column = Column::FIRST;
    let mut distance = pattern.len();
    for unit in text {
        let rows = rows_of.get(usize::from((*unit).into())).copied().unwrap_or(0);
        let change = usize::from(column.step(rows, UP, lowest));
        distance = distance + (change & 1) - (change >> 1);
    }
    Some(distance)
}

/// Both texts as integers: one for each distinct unit of the pattern, 0 for every other unit.
struct EncodedTexts {
    pattern: Vec<u16>,
    text: Vec<u16>,
    /// The number of distinct integers.
    numbers: usize,
}

impl EncodedTexts {
    fn new<T: Copy + Into<u16>>(pattern: &[T], text: &[T]) -> Self {
        // Sized by the largest unit that occurs: texts are usually ASCII, and a hash map is slower.
        let largest = pattern.iter().map(|unit| (*unit).into()).max().unwrap_or(0);
        let mut number_of = vec![0_u16; usize::from(largest) + 1];
        let mut last = 0;
        let pattern = pattern.iter().map(|unit| match number_of.get_mut(usize::from((*unit).into())) {
            Some(number) => {
                if *number == 0 {
                    last += 1;
                    *number = last;
                }
                *number
            }
            None => 0,
        });
        let pattern = pattern.collect();
        let text = text.iter().map(|unit| number_of.get(usize::from((*unit).into())).copied().unwrap_or(0));
        Self { pattern, text: text.collect(), numbers: usize::from(last) + 1 }
    }

    /// The distance if it is at most `band`; otherwise a larger number. The band is at least the difference
    /// of the lengths.
    fn distance_within(&self, band: usize) -> usize {
        // Outside of the band, values are assumed to grow by one at each step, which is the maximum.
        let mut changes = vec![UP; self.text.len()];
        let mut strips = self.pattern.chunks(ROWS_OF_A_STRIP).enumerate();
        while let Some((index, rows)) = strips.next() {
            let mut upper = self.strip(index, rows, band);
            match strips.next() {
                Some((index, rows)) => {
                    let mut lower = self.strip(index, rows, band);
                    run_both(&mut upper, &mut lower, &self.text, &mut changes);
                }
                None => upper.run(upper.start..upper.end, &self.text, &mut changes),
            }
            // The lowest value of a row is a lower bound for any path through it.
            let rows = (index + 2) * ROWS_OF_A_STRIP;
            if band < self.text.len() && rows < self.pattern.len() && least(rows, &changes) > band {
                return self.text.len();
            }
        }
        // Each column has the change that the lowest strip covering it left. Following these from the first
        // strip, the rows add up to the length of the pattern.
        let changed = |change: u8| changes.iter().filter(|&&other| other == change).count();
        self.pattern.len() + changed(UP) - changed(DOWN)
    }

    fn strip(&self, index: usize, rows: &[u16], band: usize) -> Strip {
        let mut rows_of = vec![0; self.numbers];
        for (row, number) in rows.iter().enumerate() {
            if let Some(bits) = rows_of.get_mut(usize::from(*number)) {
                *bits |= 1 << row;
            }
        }
        let first_row = index * ROWS_OF_A_STRIP;
        Strip {
            rows_of,
            column: Column::FIRST,
            lowest: rows.len() as u32 - 1,
            start: first_row.saturating_sub(band),
            end: (first_row + rows.len() + band).min(self.text.len()),
        }
    }
}

/// The lowest value of the lowest row computed so far, given its number.
fn least(row: usize, changes: &[u8]) -> usize {
    let mut value = row as isize;
    let mut least = value;
    for change in changes {
        value += isize::from(*change & UP) - isize::from(*change >> 1);
        least = least.min(value);
    }
    least.max(0) as usize
}

/// The value of a strip's lowest row increases by one at a column.
const UP: u8 = 1;
/// The value of a strip's lowest row decreases by one at a column.
const DOWN: u8 = 2;

/// A column of a strip, as differences between adjacent cells.
struct Column {
    /// Rows that are one more than the row above.
    up: u64,
    /// Rows that are one less than the row above.
    down: u64,
}

/// The state of a strip of rows, from left to right.
struct Strip {
    /// For each integer the rows that have it, one bit for each row.
    rows_of: Vec<u64>,
    column: Column,
    /// The bit index of the lowest row.
    lowest: u32,
    /// The first column inside the band.
    start: usize,
    /// The end of the columns inside the band, exclusive.
    end: usize,
}

impl Strip {
    /// Computes some columns: reads the changes of the strip above from `changes`, and writes its own.
    fn run(&mut self, columns: Range<usize>, text: &[u16], changes: &mut [u8]) {
        let text = text.get(columns.clone()).unwrap_or_default();
        let changes = changes.get_mut(columns).unwrap_or_default();
        for (number, change) in text.iter().zip(changes) {
            let rows = self.rows_of.get(usize::from(*number)).copied().unwrap_or(0);
            *change = self.column.step(rows, *change, self.lowest);
        }
    }
}

impl Column {
    /// The column before the first one.
    const FIRST: Self = Self { up: u64::MAX, down: 0 };

    /// Computes the next column, whose unit is in `rows`, from the change of the row above. Returns the
    /// change of the lowest row.
    #[inline(always)]
    fn step(&mut self, rows: u64, change: u8, lowest: u32) -> u8 {
        let change = u64::from(change);
        let (up_above, down_above) = (change & 1, change >> 1);
        let equal = rows | down_above;
        let diagonal = ((equal & self.up).wrapping_add(self.up) ^ self.up) | equal | self.down;
        let up = self.down | !(diagonal | self.up);
        let down = diagonal & self.up;
        let change = ((up >> lowest) & 1) | (((down >> lowest) & 1) << 1);
        let (up, down) = (up << 1 | up_above, down << 1 | down_above);
        self.up = down | !(diagonal | up);
        self.down = up & diagonal;
        change as u8
    }
}

/// Runs a strip and the one below it, which follows a column behind.
fn run_both(upper: &mut Strip, lower: &mut Strip, text: &[u16], changes: &mut [u8]) {
    let first = lower.start.min(upper.end - 1);
    upper.run(upper.start..first + 1, text, changes);
    // One lookup for both: the lower strip's value is kept until it reaches the column.
    let rows_of: Vec<(u64, u64)> = upper.rows_of.iter().copied().zip(lower.rows_of.iter().copied()).collect();
    let both = |number: &u16| rows_of.get(usize::from(*number)).copied().unwrap_or_default();
    let columns = first..upper.end;
    let numbers = text.get(columns.clone()).unwrap_or_default();
    let cells = Cell::from_mut(changes).as_slice_of_cells().get(columns).unwrap_or_default();
    let (_, mut lower_rows) = numbers.first().map_or_else(Default::default, both);
    let mut handed_down = cells.first().map_or(UP, Cell::get);
    let lowest = lower.lowest;
    for (number, cells) in numbers.iter().skip(1).zip(cells.windows(2)) {
        if let [lower_cell, upper_cell] = cells {
            let (upper_rows, next_rows) = both(number);
            let change = upper.column.step(upper_rows, upper_cell.get(), ROWS_OF_A_STRIP as u32 - 1);
            lower_cell.set(lower.column.step(lower_rows, handed_down, lowest));
            (handed_down, lower_rows) = (change, next_rows);
        }
    }
    if let Some(last) = cells.last() {
        last.set(handed_down);
    }
    lower.run(upper.end - 1..lower.end, text, changes);
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// The textbook algorithm.
    fn textbook(a: &[u16], b: &[u16]) -> usize {
        let mut row: Vec<usize> = (0..=b.len()).collect();
        for (i, x) in a.iter().enumerate() {
            let mut diagonal = row[0];
            row[0] = i + 1;
            for (j, y) in b.iter().enumerate() {
                let replaced = diagonal + usize::from(x != y);
                diagonal = row[j + 1];
                row[j + 1] = replaced.min(diagonal + 1).min(row[j] + 1);
            }
        }
        row[b.len()]
    }

    /// Applies edits to a text; the distance is at most their number.
    fn edited(text: &[u16], edits: &[(usize, u16)]) -> Vec<u16> {
        let mut text = text.to_vec();
        for (at, unit) in edits {
            let at = at % (text.len() + 1);
            match unit % 3 {
                0 => text.insert(at, *unit),
                1 if at < text.len() => text[at] = *unit,
                _ if at < text.len() => drop(text.remove(at)),
                _ => {}
            }
        }
        text
    }

    fn text(units: std::ops::Range<u16>, lengths: std::ops::Range<usize>) -> impl Strategy<Value = Vec<u16>> {
        proptest::collection::vec(units, lengths)
    }

    #[test]
    fn the_table_has_a_limit() {
        // Three and four units without the common prefix and suffix.
        let (a, b) = (&[1_u16, 2, 3, 4, 9], &[1, 5, 6, 7, 8, 9]);
        assert_eq!(edit_distance(a, b, 12.0), Ok(4));
        assert_eq!(edit_distance(a, b, 11.0), Err((3, 4)));
        assert_eq!(edit_distance(a, a, 0.0), Ok(0));
        assert_eq!(edit_distance(a, &[1], 0.0), Ok(4));
    }

    proptest! {
        #[test]
        fn agrees_with_the_textbook(a in text(0..300, 0..200), b in text(0..300, 0..200)) {
            prop_assert_eq!(edit_distance(&a, &b, f64::MAX), Ok(textbook(&a, &b)));
        }

        #[test]
        fn agrees_on_small_alphabets(a in text(97..100, 0..400), b in text(97..100, 0..400)) {
            prop_assert_eq!(edit_distance(&a, &b, f64::MAX), Ok(textbook(&a, &b)));
        }

        // Short ASCII patterns, and texts with other characters.
        #[test]
        fn agrees_on_short_patterns(a in text(97..126, 0..66), b in text(97..130, 0..90)) {
            prop_assert_eq!(edit_distance(&a, &b, f64::MAX), Ok(textbook(&a, &b)));
        }

        // Long enough for the band, with fewer and more edits than its width.
        #[test]
        fn agrees_on_near_texts(a in text(97..123, 200..600), edits in proptest::collection::vec((0usize..600, 97u16..123), 0..90)) {
            let b = edited(&a, &edits);
            prop_assert_eq!(edit_distance(&a, &b, f64::MAX), Ok(textbook(&a, &b)));
        }

        // All edits at one end, so that the path follows the edge of the band.
        #[test]
        fn agrees_on_shifted_texts(a in text(97..123, 300..500), shift in 0usize..80) {
            let b: Vec<u16> = a[shift..].iter().chain(&a[..shift]).copied().collect();
            prop_assert_eq!(edit_distance(&a, &b, f64::MAX), Ok(textbook(&a, &b)));
        }
    }
}
