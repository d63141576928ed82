//! How much of a text is new, and how much repeats itself: by n-grams of words.

use super::TextScore;
use super::characters::words;
use super::grams::{Grams, numbered_words};
use super::row::{Row, RowMetric};
use crate::error::Result;
use crate::scale::{Scales, ScoreScale};
use serde::{Deserialize, Serialize};

/// What its scores mean, by the keys of results.
pub const SCALES: &Scales = &[("distinct", ScoreScale::SHARE), ("repetition", ScoreScale::LOSS)];

/// How diversity is computed.
#[derive(Debug, Clone, Deserialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
pub struct DiversityConfig {
    /// Which figure.
    pub measure: DiversityMeasure,
    /// How many tokens an n-gram has.
    pub n: usize,
}

/// A figure of diversity.
#[derive(Debug, Clone, Copy, PartialEq, Deserialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
pub enum DiversityMeasure {
    /// The share of n-grams that are different from each other (Li et al., *A diversity-promoting objective function for
    /// neural conversation models*, 2016).
    Distinct,
    /// The same beside what is expected of a text as long, whose tokens are drawn out of so many (Liu et al., *Rethinking and
    /// refining the distinct metric*, 2022).
    ExpectationAdjusted(f64),
    /// The share of n-grams that have been there before (Welleck et al., *Neural text generation with unlikelihood
    /// training*, 2020: seq-rep-n).
    Repetition,
}

/// A figure of diversity, and what it was made of.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
pub struct DiversityScore {
    /// The share, from 0 to 1; beside what is expected it may be a little above 1. 0 where there are no n-grams.
    pub score: f64,
    /// How many n-grams are different from each other.
    pub distinct: f64,
    /// How many n-grams there are.
    pub total: f64,
}

/// Diversity, ready to score.
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
