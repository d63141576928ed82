//! Similarities of texts, character by character, as rapidfuzz 3 computes them; those of n-grams by their definitions.

use super::cells::{Element, Places, common_subsequence};
use super::characters::is_space;
use super::damerau_levenshtein::DamerauLevenshtein;
use super::grams::{Grams, common, numbered_characters};
use super::in_row;
use super::jaro::Jaro;
use super::row::Row;
use crate::error::Result;
use crate::scale::{Scales, ScoreScale};
use serde::Deserialize;

/// What its scores mean, by the keys of results.
pub const SCALES: &Scales = &[
    ("jaro", ScoreScale::SHARE),
    ("jaro_winkler", ScoreScale::SHARE),
    ("damerau_levenshtein", ScoreScale::SHARE),
    ("longest_common_subsequence", ScoreScale::SHARE),
    ("ngram_dice", ScoreScale::SHARE),
    ("ngram_jaccard", ScoreScale::SHARE),
    ("ngram_cosine", ScoreScale::SHARE),
];

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
    let mut measures = Measures::default();
    let mut scores = Vec::with_capacity(rows.len());
    for (index, row) in rows.iter().enumerate() {
        let mut score = 0.0_f64;
        for reference in row.references {
            let similarity = measures.of_texts(config, reference, row.output);
            score = score.max(similarity.map_err(|error| in_row(index, rows.len(), error))?);
        }
        scores.push(score);
    }
    Ok(scores)
}

/// The measures that keep their memory from one pair of texts to the next.
#[derive(Default)]
struct Measures {
    jaro: Jaro,
    damerau_levenshtein: DamerauLevenshtein,
    places: Places,
}

impl Measures {
    fn of_texts(&mut self, config: &SimilarityConfig, a: &str, b: &str) -> Result<f64> {
        if config.whitespace && a.is_ascii() && b.is_ascii() {
            // The quickest measures take less time than making characters of bytes.
            return self.of_sequences(config.measure, a.as_bytes(), b.as_bytes());
        }
        let counts = |character: &char| config.whitespace || !is_space(*character);
        let [a, b] = [a, b].map(|text| text.chars().filter(counts).map(u32::from).collect::<Vec<_>>());
        self.of_sequences(config.measure, &a, &b)
    }

    /// The similarity of characters, or of bytes.
    fn of_sequences<T: Element>(&mut self, measure: SimilarityMeasure, a: &[T], b: &[T]) -> Result<f64> {
        let longest = a.len().max(b.len());
        let share = |count: usize| if longest == 0 { 1.0 } else { count as f64 / longest as f64 };
        match measure {
            SimilarityMeasure::Jaro => self.jaro.similarity(a, b),
            SimilarityMeasure::JaroWinkler(weight) => self.jaro.with_prefix(a, b, weight),
            SimilarityMeasure::CommonSubsequence => common_subsequence(a, b, &mut self.places).map(share),
            SimilarityMeasure::DamerauLevenshtein => match self.damerau_levenshtein.distance(a, b)? {
                0 => Ok(1.0),
                distance => Ok(1.0 - share(distance)),
            },
            SimilarityMeasure::Dice(order)
            | SimilarityMeasure::Jaccard(order)
            | SimilarityMeasure::Cosine(order) => {
                let [a, b] = [a, b].map(|text| text.iter().map(|one| (*one).into()).collect::<Vec<u32>>());
                // Without n-grams there is nothing that they could have in common, but themselves.
                Ok(if longest < order { f64::from(a == b) } else { of_grams(measure, order, a, b) })
            }
        }
    }
}

/// The similarity of n-grams.
fn of_grams(measure: SimilarityMeasure, order: usize, a: Vec<u32>, b: Vec<u32>) -> f64 {
    let [first, second] = counts(a, b, order);
    if let SimilarityMeasure::Cosine(_) = measure {
        let product =
            |a: &[u32], b: &[u32]| a.iter().zip(b).map(|(a, b)| f64::from(*a) * f64::from(*b)).sum::<f64>();
        let squares = product(&first, &first) * product(&second, &second);
        return if squares == 0.0 { 0.0 } else { (product(&first, &second) / squares.sqrt()).min(1.0) };
    }
    let total = |counts: &[u32]| counts.iter().map(|count| f64::from(*count)).sum::<f64>();
    let (both, all) = (common(&first, &second) as f64, total(&first) + total(&second));
    if let SimilarityMeasure::Dice(_) = measure { 2.0 * both / all } else { both / (all - both) }
}

/// How often each n-gram is in two texts.
fn counts(a: Vec<u32>, b: Vec<u32>, order: usize) -> [Vec<u32>; 2] {
    let mut grams = Grams::new(numbered_characters(&[a, b]));
    for _ in 1..order {
        grams.lengthen();
    }
    [grams.counts(0), grams.counts(1)]
}
