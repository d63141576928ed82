//! How long a text is, as textstat 0.7 counts it.

use super::TextScore;
use super::characters::{Classes, is_space};
use super::prose::{sentence_count, words_of};
use super::row::{Row, RowMetric};
use crate::error::Result;
use crate::scale::{Scales, ScoreScale};
use serde::{Deserialize, Serialize};

/// What its scores mean, by the keys of results.
pub const SCALES: &Scales = &[
    ("character_count", ScoreScale::count(Some("characters"))),
    ("letter_count", ScoreScale::count(Some("letters"))),
    ("word_count", ScoreScale::count(Some("words"))),
    ("sentence_count", ScoreScale::count(Some("sentences"))),
];

/// How length is counted.
#[derive(Debug, Clone, Deserialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
pub struct LengthConfig {
    /// What is counted.
    pub unit: LengthUnit,
    /// Whether white space counts, where characters do.
    pub whitespace: bool,
}

/// What length is counted in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
pub enum LengthUnit {
    /// Code points.
    Characters,
    /// Letters, numbers and underscores.
    Letters,
    /// Words: what is left between white space, without punctuation.
    Words,
    /// Sentences of three words or more.
    Sentences,
}

/// A length.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
pub struct LengthScore {
    /// How many there are.
    pub score: f64,
}

/// Length, ready to score.
pub struct Length {
    config: LengthConfig,
    classes: Classes,
}

impl Length {
    /// Takes the configuration.
    pub fn new(config: LengthConfig) -> Self {
        Self { config, classes: Classes::read() }
    }
}

impl RowMetric for Length {
    fn score(&self, row: &Row<'_>) -> Result<TextScore> {
        let text = row.output;
        let characters = |counts: &dyn Fn(char) -> bool| text.chars().filter(|one| counts(*one)).count();
        let count = match self.config.unit {
            LengthUnit::Characters => characters(&|one| self.config.whitespace || !is_space(one)),
            LengthUnit::Letters => characters(&|one| self.classes.is_word(one)),
            LengthUnit::Words => words_of(text, &self.classes).count(),
            LengthUnit::Sentences => sentence_count(text, &self.classes),
        };
        Ok(TextScore::Length(LengthScore { score: count as f64 }))
    }
}
