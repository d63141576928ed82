//! Similarities of texts, character by character, as rapidfuzz 3 computes them; those of n-grams by their definitions.

use super::cells::{MOST, MOST_OF_EDITS, Places, cells, common_subsequence, without_common_ends};
use super::characters::is_space;
use super::grams::{Grams, common, numbered_characters};
use super::in_row;
use super::row::Row;
use crate::error::Result;
use serde::Deserialize;

/// Which similarity.
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
pub struct SimilarityConfig {
    /// How it is computed.
    pub measure: SimilarityMeasure,
    /// Whether white space counts.
    pub whitespace: bool,
}

/// How a similarity is computed.
#[derive(Debug, Clone, Copy, PartialEq, Deserialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
pub enum SimilarityMeasure {
    /// Jaro.
    Jaro,
    /// Jaro-Winkler, with the weight of each equal character at the beginning.
    JaroWinkler(f64),
    /// Damerau-Levenshtein, without restrictions.
    DamerauLevenshtein,
    /// The longest common subsequence.
    CommonSubsequence,
    /// Dice's coefficient of n-grams of so many characters.
    Dice(usize),
    /// Jaccard's index of n-grams of so many characters.
    Jaccard(usize),
    /// The cosine of n-grams of so many characters.
    Cosine(usize),
}

/// How similar the output of each row is to the most similar of its references, from 0 to 1.
pub fn similarities(config: &SimilarityConfig, rows: &[Row<'_>]) -> Result<Vec<f64>> {
    let mut scores = Vec::with_capacity(rows.len());
    for (index, row) in rows.iter().enumerate() {
        let output = config.characters(row.output);
        let mut score = 0.0_f64;
        for reference in &row.references {
            let similarity = config.pair(&config.characters(reference), &output);
            score = score.max(similarity.map_err(|error| in_row(index, rows.len(), error))?);
        }
        scores.push(score);
    }
    Ok(scores)
}

impl SimilarityConfig {
    fn characters(&self, text: &str) -> Vec<u32> {
        if self.whitespace && text.is_ascii() {
            return text.bytes().map(u32::from).collect();
        }
        text.chars().filter(|character| self.whitespace || !is_space(*character)).map(u32::from).collect()
    }

    fn pair(&self, a: &[u32], b: &[u32]) -> Result<f64> {
        let longest = a.len().max(b.len());
        let of_longest = |count: usize| if longest == 0 { 1.0 } else { count as f64 / longest as f64 };
        if let SimilarityMeasure::Dice(order)
        | SimilarityMeasure::Jaccard(order)
        | SimilarityMeasure::Cosine(order) = self.measure
            && longest < order
        {
            // Without n-grams there is nothing that they could have in common, but themselves.
            return Ok(f64::from(a == b));
        }
        Ok(match self.measure {
            SimilarityMeasure::Jaro => jaro(a, b)?,
            SimilarityMeasure::JaroWinkler(weight) => jaro_winkler(a, b, weight)?,
            SimilarityMeasure::DamerauLevenshtein => {
                if longest == 0 {
                    1.0
                } else {
                    1.0 - damerau_levenshtein(a, b)? as f64 / longest as f64
                }
            }
            SimilarityMeasure::CommonSubsequence => of_longest(common_subsequence(a, b)?),
            SimilarityMeasure::Dice(order) => {
                let [both, first, second] = in_common(a, b, order);
                2.0 * both / (first + second)
            }
            SimilarityMeasure::Jaccard(order) => {
                let [both, first, second] = in_common(a, b, order);
                both / (first + second - both)
            }
            SimilarityMeasure::Cosine(order) => {
                let [first, second] = counts(a, b, order);
                let product = |a: &[u32], b: &[u32]| {
                    a.iter().zip(b).map(|(a, b)| f64::from(*a) * f64::from(*b)).sum::<f64>()
                };
                let squares = product(&first, &first) * product(&second, &second);
                if squares == 0.0 { 0.0 } else { (product(&first, &second) / squares.sqrt()).min(1.0) }
            }
        })
    }
}

/// How often each n-gram is in two texts.
fn counts(a: &[u32], b: &[u32], order: usize) -> [Vec<u32>; 2] {
    let mut grams = Grams::new(numbered_characters(&[a.to_vec(), b.to_vec()]));
    for _ in 1..order {
        grams.lengthen();
    }
    [grams.counts(0), grams.counts(1)]
}

/// How many n-grams two texts have in common, and how many each of them has.
fn in_common(a: &[u32], b: &[u32], order: usize) -> [f64; 3] {
    let [first, second] = counts(a, b, order);
    let total = |counts: &[u32]| counts.iter().map(|count| f64::from(*count)).sum();
    [common(&first, &second) as f64, total(&first), total(&second)]
}

/// Jaro (*Advances in record-linkage methodology*, 1989).
fn jaro(a: &[u32], b: &[u32]) -> Result<f64> {
    if a.is_empty() || b.is_empty() {
        return Ok(f64::from(a.is_empty() && b.is_empty()));
    }
    cells(a.len(), b.len(), MOST)?;
    // Equal characters match that are no farther apart.
    let window = (a.len().max(b.len()) / 2).saturating_sub(1);
    let places = Places::new(b);
    let mut free = vec![u64::MAX; b.len().div_ceil(64)];
    let mut matched = Vec::new();
    for (index, character) in a.iter().enumerate() {
        let (start, end) = (index.saturating_sub(window), (index + window + 1).min(b.len()));
        let blocks = places.of(*character).iter().zip(&mut free).zip((0..).step_by(64));
        for ((bits, free), first) in blocks.take(end.div_ceil(64)).skip(start / 64) {
            let mut near = bits & *free & (u64::MAX << start.saturating_sub(first).min(63));
            if end - first < 64 {
                near &= (1 << (end - first)) - 1;
            }
            if near != 0 {
                *free &= !(near & near.wrapping_neg());
                matched.push(*character);
                break;
            }
        }
    }
    if matched.is_empty() {
        return Ok(0.0);
    }
    let is_free = |place: usize| free.get(place / 64).is_some_and(|bits| bits >> (place % 64) & 1 == 1);
    let others = b.iter().enumerate().filter(|(place, _)| !is_free(*place));
    let moved = matched.iter().zip(others).filter(|(one, (_, other))| one != other).count() / 2;
    let count = matched.len() as f64;
    Ok((count / a.len() as f64 + count / b.len() as f64 + (count - moved as f64) / count) / 3.0)
}

/// Winkler's (*String comparator metrics and enhanced decision rules in the Fellegi-Sunter model of record linkage*, 1990):
/// up to four equal characters at the beginning count more, where the texts are similar already.
fn jaro_winkler(a: &[u32], b: &[u32], weight: f64) -> Result<f64> {
    let similarity = jaro(a, b)?;
    if similarity <= 0.7 {
        return Ok(similarity);
    }
    let prefix = a.iter().zip(b).take(4).take_while(|(one, other)| one == other).count();
    Ok((similarity + prefix as f64 * weight * (1.0 - similarity)).min(1.0))
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

/// How many characters have to be replaced, removed, added or exchanged with the one beside them, where more may happen
/// between the two (Zhao and Sahni, *String correction using the Damerau-Levenshtein distance*, 2019, in linear space).
///
/// Looks near the diagonal only, as far from it as so many edits can lead (Ukkonen, *Algorithms for approximate string
/// matching*, 1985): there are no more than it takes to remove and to add all that is not in a common subsequence.
fn damerau_levenshtein(a: &[u32], b: &[u32]) -> Result<usize> {
    let (a, b) = without_common_ends(a, b);
    cells(a.len(), b.len(), MOST_OF_EDITS)?;
    Ok(edits_within(a, b, a.len() + b.len() - 2 * common_subsequence(a, b)?))
}

/// How many edits there are, if there are at most so many; else more than that.
fn edits_within(a: &[u32], b: &[u32], most: usize) -> usize {
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
    let mut columns: Vec<Column> = (1..).zip(b).map(column).collect();
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

    proptest! {
        #[test]
        fn exchanges_agree_with_the_textbook(a in "[abc]{0,12}", b in "[abcd]{0,12}", most in 0_usize..14) {
            let (a, b) = (characters(&a), characters(&b));
            let expected = textbook(&a, &b);
            prop_assert_eq!(damerau_levenshtein(&a, &b), Ok(expected));
            // Near the diagonal as well, wherever they are few enough.
            if expected <= most && !b.is_empty() {
                prop_assert_eq!(edits_within(&a, &b, most), expected);
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
            prop_assert_eq!(damerau_levenshtein(&a, &b), Ok(textbook(&a, &b)));
        }
    }

    #[test]
    fn similarities_are_those_of_the_papers() {
        for (a, b, expected) in
            [("MARTHA", "MARHTA", 0.944), ("DIXON", "DICKSONX", 0.767), ("", "", 1.0), ("a", "", 0.0)]
        {
            let found = jaro(&characters(a), &characters(b)).unwrap();
            assert!((found - expected).abs() < 0.001, "{a} {b}: {found}");
        }
        let found = jaro_winkler(&characters("MARTHA"), &characters("MARHTA"), 0.1).unwrap();
        assert!((found - 0.961).abs() < 0.001, "{found}");
    }
}
