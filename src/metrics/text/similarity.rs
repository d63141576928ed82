//! Similarities of texts, character by character, as rapidfuzz 3 computes them; those of n-grams by their definitions.

use super::TextScore;
use super::cells::{cells, common_subsequence, without_common_ends};
use super::characters::is_space;
use super::grams::{Grams, common, numbered_characters};
use super::row::{Row, RowMetric};
use crate::error::Result;
use serde::{Deserialize, Serialize};

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

/// A similarity, from 0 to 1.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
pub struct SimilarityScore {
    /// 1 for equal texts, 0 for those that have nothing in common.
    pub score: f64,
}

/// A similarity, ready to score.
pub struct Similarity(pub SimilarityConfig);

impl RowMetric for Similarity {
    fn score(&self, row: &Row<'_>) -> Result<TextScore> {
        let texts: Vec<Vec<char>> = row
            .texts()
            .map(|text| text.chars().filter(|character| self.0.whitespace || !is_space(*character)).collect())
            .collect();
        let mut score = 0.0_f64;
        if let Some((output, references)) = texts.split_first() {
            for reference in references {
                score = score.max(self.pair(reference, output)?);
            }
        }
        Ok(TextScore::Similarity(SimilarityScore { score }))
    }
}

impl Similarity {
    fn pair(&self, a: &[char], b: &[char]) -> Result<f64> {
        let longest = a.len().max(b.len());
        let of_longest = |count: usize| if longest == 0 { 1.0 } else { count as f64 / longest as f64 };
        Ok(match self.0.measure {
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
                ratio(2.0 * both, first + second)
            }
            SimilarityMeasure::Jaccard(order) => {
                let [both, first, second] = in_common(a, b, order);
                ratio(both, first + second - both)
            }
            SimilarityMeasure::Cosine(order) => {
                let [first, second] = counts(a, b, order);
                let product = |a: &[u32], b: &[u32]| {
                    a.iter().zip(b).map(|(a, b)| f64::from(*a) * f64::from(*b)).sum::<f64>()
                };
                ratio(product(&first, &second), (product(&first, &first) * product(&second, &second)).sqrt())
                    .min(1.0)
                    .max(f64::from(first.is_empty() && second.is_empty()))
            }
        })
    }
}

/// A share; of nothing it is all.
fn ratio(part: f64, whole: f64) -> f64 {
    if whole == 0.0 { 1.0 } else { part / whole }
}

/// How often each n-gram is in two texts.
fn counts(a: &[char], b: &[char], order: usize) -> [Vec<u32>; 2] {
    let mut grams = Grams::new(numbered_characters(&[a.to_vec(), b.to_vec()]));
    for _ in 1..order {
        grams.lengthen();
    }
    [grams.counts(0), grams.counts(1)]
}

/// How many n-grams two texts have in common, and how many each of them has.
fn in_common(a: &[char], b: &[char], order: usize) -> [f64; 3] {
    let [first, second] = counts(a, b, order);
    let total = |counts: &[u32]| counts.iter().map(|count| f64::from(*count)).sum();
    [common(&first, &second) as f64, total(&first), total(&second)]
}

/// Jaro (*Advances in record-linkage methodology*, 1989).
fn jaro(a: &[char], b: &[char]) -> Result<f64> {
    if a.is_empty() || b.is_empty() {
        return Ok(f64::from(a.is_empty() && b.is_empty()));
    }
    cells(a.len(), b.len())?;
    // Equal characters match that are no farther apart.
    let window = (a.len().max(b.len()) / 2).saturating_sub(1);
    let mut is_taken = vec![false; b.len()];
    let mut matched = Vec::new();
    for (index, character) in a.iter().enumerate() {
        let start = index.saturating_sub(window);
        let near = b.iter().zip(&mut is_taken).take(index + window + 1).skip(start);
        for (other, is_taken) in near {
            if other == character && !*is_taken {
                *is_taken = true;
                matched.push(character);
                break;
            }
        }
    }
    if matched.is_empty() {
        return Ok(0.0);
    }
    let others = b.iter().zip(is_taken).filter(|(_, is_taken)| *is_taken);
    let moved = matched.iter().zip(others).filter(|(one, (other, _))| **one != *other).count() / 2;
    let count = matched.len() as f64;
    Ok((count / a.len() as f64 + count / b.len() as f64 + (count - moved as f64) / count) / 3.0)
}

/// Winkler's (*String comparator metrics and enhanced decision rules in the Fellegi-Sunter model of record linkage*, 1990):
/// up to four equal characters at the beginning count more, where the texts are similar already.
fn jaro_winkler(a: &[char], b: &[char], weight: f64) -> Result<f64> {
    let similarity = jaro(a, b)?;
    if similarity <= 0.7 {
        return Ok(similarity);
    }
    let prefix = a.iter().zip(b).take(4).take_while(|(one, other)| one == other).count();
    Ok((similarity + prefix as f64 * weight * (1.0 - similarity)).min(1.0))
}

/// How many characters have to be replaced, removed, added or exchanged with the one beside them, where more may happen
/// between the two (Zhao and Sahni, *String correction using the Damerau-Levenshtein distance*, 2019, in linear space).
fn damerau_levenshtein(a: &[char], b: &[char]) -> Result<usize> {
    let (a, b) = without_common_ends(a, b);
    cells(a.len(), b.len())?;
    let numbers = numbered_characters(&[b.to_vec(), a.to_vec()]);
    let mut numbers = numbers.into_iter();
    let (b, a) = (numbers.next().unwrap_or_default(), numbers.next().unwrap_or_default());
    let beyond = a.len().max(b.len()) + 1;
    // The row in which each character was last, from 1; none of those that are only in `a` is asked for.
    let mut last_rows = vec![None; b.iter().max().map_or(0, |most| *most as usize + 1)];
    let mut above: Vec<usize> = (0..=b.len()).collect();
    let mut row = vec![0; b.len() + 1];
    // For each column, the cell from which an exchange would begin that ends in it: above and left of its first characters.
    let mut begins = vec![beyond; b.len() + 1];
    for (i, token) in (1..).zip(&a) {
        let mut last_column: Option<usize> = None;
        let mut begin_of_row = beyond;
        // The row before the one above is kept in `row` until it is overwritten.
        let mut left_above_of_older = row.first().copied().unwrap_or(beyond);
        let mut left = i;
        if let Some(first) = row.first_mut() {
            *first = i;
        }
        let mut diagonal = above.first().copied().unwrap_or(beyond);
        let mut before_diagonal = beyond;
        for (j, other) in (1..).zip(&b) {
            let over = above.get(j).copied().unwrap_or(beyond);
            let mut cell = (diagonal + usize::from(token != other)).min(over + 1).min(left + 1);
            if token == other {
                last_column = Some(j);
                if let Some(begin) = begins.get_mut(j) {
                    *begin = before_diagonal;
                }
                begin_of_row = left_above_of_older;
            } else {
                let last_row: Option<usize> = last_rows.get(*other as usize).copied().flatten();
                if last_column == Some(j - 1)
                    && let (Some(last_row), Some(begin)) = (last_row, begins.get(j))
                {
                    cell = cell.min(begin + i - last_row);
                } else if last_row == Some(i - 1)
                    && i > 1
                    && let Some(last_column) = last_column
                {
                    cell = cell.min(begin_of_row + j - last_column);
                }
            }
            if let Some(place) = row.get_mut(j) {
                left_above_of_older = std::mem::replace(place, cell);
            }
            before_diagonal = diagonal;
            diagonal = over;
            left = cell;
        }
        if let Some(last_row) = last_rows.get_mut(*token as usize) {
            *last_row = Some(i);
        }
        std::mem::swap(&mut above, &mut row);
    }
    Ok(above.last().copied().unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn characters(text: &str) -> Vec<char> {
        text.chars().collect()
    }

    /// The textbook's table.
    fn textbook(a: &[char], b: &[char]) -> usize {
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
        fn exchanges_agree_with_the_textbook(a in "[abc]{0,12}", b in "[abcd]{0,12}") {
            let (a, b) = (characters(&a), characters(&b));
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
