//! Lexical diversity: the share of distinct or repeated word n-grams.

use super::TextScore;
use super::characters::words;
use super::grams::{Grams, numbered_words};
use super::row::{Row, RowMetric};
use crate::error::Result;
use crate::scale::{Scales, ScoreScale};
use serde::{Deserialize, Serialize};

/// The score scales, by result key.
pub const SCALES: &Scales = &[("distinct", ScoreScale::SHARE), ("repetition", ScoreScale::LOSS)];

/// The options of diversity.
#[derive(Debug, Clone, Deserialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
pub struct DiversityConfig {
    /// The measure.
    pub measure: DiversityMeasure,
    /// The number of tokens in an n-gram.
    pub n: usize,
}

/// A measure of diversity.
#[derive(Debug, Clone, Copy, PartialEq, Deserialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
pub enum DiversityMeasure {
    /// The share of distinct n-grams (Li et al., *A diversity-promoting objective function for neural
    /// conversation models*, 2016).
    Distinct,
    /// Distinct n-grams divided by the number expected of random tokens from a vocabulary of this size (Liu
    /// et al., *Rethinking and refining the distinct metric*, 2022).
    ExpectationAdjusted(f64),
    /// The share of n-grams that occurred before (seq-rep-n: Welleck et al., *Neural text generation with
    /// unlikelihood training*, 2020).
    Repetition,
}

/// A diversity score with its parts.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
pub struct DiversityScore {
    /// The score, from 0 to 1; `ExpectationAdjusted` may slightly exceed 1. 0 without n-grams.
    pub score: f64,
    /// The number of distinct n-grams.
    pub distinct: f64,
    /// The number of n-grams.
    pub total: f64,
}

/// A configured diversity.
pub struct Diversity(pub DiversityConfig);

impl RowMetric for Diversity {
    fn score(&self, row: &Row<'_>) -> Result<TextScore> {
        let tokens: Vec<Vec<&str>> = row.texts().map(|text| words(text).collect()).collect();
        let mut grams = Grams::new(numbered_words(&tokens));
        for _ in 1..self.0.n {
            grams.lengthen();
        }
        let total = (0..tokens.len()).map(|text| grams.total(text)).sum::<usize>() as f64;
        let distinct = grams.distinct() as f64;
        let score = match self.0.measure {
            _ if total == 0.0 => 0.0,
            DiversityMeasure::Distinct => distinct / total,
            DiversityMeasure::ExpectationAdjusted(vocabulary) => {
                distinct / (vocabulary * (1.0 - ((vocabulary - 1.0) / vocabulary).powf(total)))
            }
            DiversityMeasure::Repetition => 1.0 - distinct / total,
        };
        Ok(TextScore::Diversity(DiversityScore { score, distinct, total }))
    }
}
