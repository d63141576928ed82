//! The edit distance of two sequences within a band around the diagonal of the table (beam search, as in
//! sacrebleu's TER).

/// The half width of the band, in cells.
const BEAM: usize = 25;
/// The value of cells outside of the band.
const BEYOND: u32 = u32::MAX / 2;

/// The edit of a word of the output, or of the reference.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Edit {
    None,
    Keep,
    Replace,
    Delete,
    Insert,
}

/// The cells of a banded table.
#[derive(Clone, Copy)]
pub struct Band {
    /// The number of columns for each row.
    ratio: f64,
    beam: usize,
    rows: usize,
    /// The number of cells in a row.
    width: usize,
}

impl Band {
    /// The band for editing `rows` words into the reference.
    pub fn new(reference: &[u32], rows: usize) -> Self {
        let ratio = if rows == 0 { 1.0 } else { reference.len() as f64 / rows as f64 };
        let is_steep = (BEAM as f64) < ratio / 2.0;
        let beam = if is_steep { (ratio / 2.0 + BEAM as f64).ceil() as usize } else { BEAM };
        // The last row has one more cell, where the diagonal ends.
        Self { ratio, beam, rows, width: (reference.len() + 1).min(2 * beam + 2) }
    }

    /// The number of cells, without the first row.
    pub fn cells(&self) -> usize {
        self.rows * self.width
    }

    /// The first column of a row.
    fn start(&self, row: usize) -> usize {
        self.diagonal(row).saturating_sub(self.beam)
    }

    fn diagonal(&self, row: usize) -> usize {
        (row as f64 * self.ratio).floor() as usize
    }
}

/// The table of edits of some words into the reference, within the band.
pub struct BandedTable<'r> {
    reference: &'r [u32],
    band: Band,
    /// The fewest edits and the last of them, row by row, from the second row on.
    cells: Vec<(u32, Edit)>,
}

/// The alignment of two sequences.
pub struct Alignment {
    /// For each word of the reference, the index after the word that it is aligned with.
    places: Vec<usize>,
    /// Whether each word is edited.
    wrong_words: Vec<bool>,
    /// Whether each word of the reference is an edit's result.
    wrong_references: Vec<bool>,
}

impl Alignment {
    /// The places to which a phrase of the reference can be moved: before the first word, or after the word with which
    /// the word before the phrase, or one in it, is aligned.
    pub fn targets(&self, reference: usize, length: usize) -> Vec<usize> {
        let place = |word: usize| match word.checked_sub(1) {
            None => Some(0),
            Some(before) => self.places.get(before).copied(),
        };
        let mut targets: Vec<usize> = (reference..=reference + length).map_while(place).collect();
        targets.dedup();
        targets
    }

    /// Whether some of `length` words are edited, and some of those of the reference result from edits.
    pub fn has_edits(&self, start: usize, reference: usize, length: usize) -> bool {
        let is_wrong = |flags: &[bool], from: usize| flags.iter().skip(from).take(length).any(|wrong| *wrong);
        is_wrong(&self.wrong_words, start) && is_wrong(&self.wrong_references, reference)
    }

    /// Whether a word of the reference is aligned with a word of a phrase.
    pub fn is_within(&self, reference: usize, start: usize, length: usize) -> bool {
        self.places.get(reference).is_some_and(|place| (start + 1..start + length + 1).contains(place))
    }
}

impl<'r> BandedTable<'r> {
    /// An empty table for `count` words.
    pub fn new(reference: &'r [u32], count: usize) -> Self {
        let band = Band::new(reference, count);
        Self { reference, band, cells: vec![(BEYOND, Edit::None); band.cells()] }
    }

    /// Copies the rows of the first `same` words, which both tables share.
    pub fn resume(&mut self, other: &Self, same: usize) {
        let known = same * self.band.width;
        for (cell, known_cell) in self.cells.iter_mut().zip(&other.cells).take(known) {
            *cell = *known_cell;
        }
    }

    /// Computes the rows of all words after the first ones.
    pub fn fill(&mut self, words: &[u32], after: usize) {
        let Band { rows, width, beam, .. } = self.band;
        let columns = self.reference.len() + 1;
        for (index, word) in words.iter().enumerate().skip(after) {
            let row = index + 1;
            let (start, start_above) = (self.band.start(row), self.band.start(index));
            let end = if row == rows { columns } else { columns.min(self.band.diagonal(row) + beam) };
            let (before, from_here) = self.cells.split_at_mut_checked(index * width).unwrap_or_default();
            let above = before.get(index.saturating_sub(1) * width..).unwrap_or_default();
            let edits_above = |column: usize| match (index, column.checked_sub(start_above)) {
                // The first row inserts all words of the reference.
                (0, _) => column as u32,
                (_, Some(place)) => above.get(place).map_or(BEYOND, |(edits, _)| *edits),
                (_, None) => BEYOND,
            };
            let mut left = BEYOND;
            let mut diagonal = start.checked_sub(1).map_or(BEYOND, edits_above);
            let mut words_before = self.reference.iter().skip(start.saturating_sub(1));
            for (column, cell) in (start..end).zip(from_here) {
                let over = edits_above(column);
                let mut best = (BEYOND, Edit::None);
                if column == 0 {
                    best = (over + 1, Edit::Delete);
                } else {
                    let is_same = words_before.next() == Some(word);
                    let replaced =
                        if is_same { (diagonal, Edit::Keep) } else { (diagonal + 1, Edit::Replace) };
                    for way in [replaced, (over + 1, Edit::Delete), (left + 1, Edit::Insert)] {
                        if way.0 < best.0 {
                            best = way;
                        }
                    }
                }
                *cell = best;
                (left, diagonal) = (best.0, over);
            }
        }
    }

    /// The fewest edits up to a cell, and the last of them.
    fn at(&self, row: usize, column: usize) -> (u32, Edit) {
        let Some(index) = row.checked_sub(1) else { return (column as u32, Edit::Insert) };
        let place = column.checked_sub(self.band.start(row)).filter(|place| *place < self.band.width);
        let cell = place.and_then(|place| self.cells.get(index * self.band.width + place));
        cell.copied().unwrap_or((BEYOND, Edit::None))
    }

    /// The edit distance.
    pub fn distance(&self) -> u32 {
        self.at(self.band.rows, self.reference.len()).0
    }

    /// The alignment with the fewest edits.
    pub fn alignment(&self) -> Alignment {
        let mut trace = Vec::new();
        let (mut row, mut column) = (self.band.rows, self.reference.len());
        while row > 0 || column > 0 {
            let (_, edit) = self.at(row, column);
            trace.push(edit);
            match edit {
                Edit::Keep | Edit::Replace => {
                    (row, column) = (row.saturating_sub(1), column.saturating_sub(1))
                }
                Edit::Insert => column = column.saturating_sub(1),
                Edit::Delete => row = row.saturating_sub(1),
                Edit::None => break,
            }
        }
        let mut alignment =
            Alignment { places: Vec::new(), wrong_words: Vec::new(), wrong_references: Vec::new() };
        let mut place = 0;
        for edit in trace.into_iter().rev() {
            let is_wrong = edit != Edit::Keep;
            if edit != Edit::Insert {
                place += 1;
                alignment.wrong_words.push(is_wrong);
            }
            if edit != Edit::Delete {
                alignment.places.push(place);
                alignment.wrong_references.push(is_wrong);
            }
        }
        alignment
    }
}
