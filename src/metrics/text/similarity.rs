//! String similarities: those of rapidfuzz 3, and n-gram similarities by their definitions.

use super::cells::{Element, PositionBits, common_subsequence};
use super::characters::is_space;
use super::damerau_levenshtein::DamerauLevenshtein;
use super::grams::{Grams, common, numbered_characters};
use super::in_row;
use super::jaro::Jaro;
use super::row::Row;
use crate::error::Result;
use crate::scale::{Scales, ScoreScale};
use serde::Deserialize;

/// The score scales, by result key.
pub const SCALES: &Scales = &[
    ("jaro", ScoreScale::SHARE),
    ("jaro_winkler", ScoreScale::SHARE),
    ("damerau_levenshtein", ScoreScale::SHARE),
    ("longest_common_subsequence", ScoreScale::SHARE),
    ("ngram_dice", ScoreScale::SHARE),
    ("ngram_jaccard", ScoreScale::SHARE),
    ("ngram_cosine", ScoreScale::SHARE),
];

/// The options of a similarity.
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
pub struct SimilarityConfig {
    /// The measure.
    pub measure: SimilarityMeasure,
    /// Whether white space counts.
    pub whitespace: bool,
}

/// A similarity measure.
#[derive(Debug, Clone, Copy, PartialEq, Deserialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
pub enum SimilarityMeasure {
    /// Jaro.
    Jaro,
    /// Jaro-Winkler, with the weight of each common prefix character.
    JaroWinkler(f64),
    /// The unrestricted Damerau-Levenshtein similarity.
    DamerauLevenshtein,
    /// The normalized longest common subsequence.
    CommonSubsequence,
    /// Dice's coefficient of character n-grams of this order.
    Dice(usize),
    /// Jaccard's index of character n-grams of this order.
    Jaccard(usize),
    /// The cosine similarity of character n-grams of this order.
    Cosine(usize),
}

/// The similarity of each row's output to its most similar reference, from 0 to 1.
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

/// Algorithms that reuse their memory.
#[derive(Default)]
struct Measures {
    jaro: Jaro,
    damerau_levenshtein: DamerauLevenshtein,
    places: PositionBits,
}

impl Measures {
    fn of_texts(&mut self, config: &SimilarityConfig, a: &str, b: &str) -> Result<f64> {
        if config.whitespace && a.is_ascii() && b.is_ascii() {
            // For the fastest measures, decoding characters would take longer than the measure.
            return self.of_sequences(config.measure, a.as_bytes(), b.as_bytes());
        }
        let counts = |character: &char| config.whitespace || !is_space(*character);
        let [a, b] = [a, b].map(|text| text.chars().filter(counts).map(u32::from).collect::<Vec<_>>());
        self.of_sequences(config.measure, &a, &b)
    }

    /// The similarity of two sequences of characters or bytes.
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
                // Texts without n-grams are similar only if they are equal.
                Ok(if longest < order { f64::from(a == b) } else { of_grams(measure, order, a, b) })
            }
        }
    }
}

/// The n-gram similarity.
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

/// The frequency of each n-gram in two texts.
fn counts(a: Vec<u32>, b: Vec<u32>, order: usize) -> [Vec<u32>; 2] {
    let mut grams = Grams::new(numbered_characters(&[a, b]));
    for _ in 1..order {
        grams.lengthen();
    }
    [grams.counts(0), grams.counts(1)]
}
