//! Text length, as in textstat 0.7.

use super::TextScore;
use super::characters::{CharacterClasses, is_space};
use super::prose::{sentence_count, words_of};
use super::row::{Row, RowMetric};
use crate::error::Result;
use crate::scale::{Scales, ScoreScale};
use serde::{Deserialize, Serialize};

/// The score scales, by result key.
pub const SCALES: &Scales = &[
    ("character_count", ScoreScale::count(Some("characters"))),
    ("letter_count", ScoreScale::count(Some("letters"))),
    ("word_count", ScoreScale::count(Some("words"))),
    ("sentence_count", ScoreScale::count(Some("sentences"))),
];

/// The options of text length.
#[derive(Debug, Clone, Deserialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
pub struct LengthConfig {
    /// The unit to count.
    pub unit: LengthUnit,
    /// Whether white space counts as characters.
    pub whitespace: bool,
}

/// A unit of text length.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
pub enum LengthUnit {
    /// Unicode code points.
    Characters,
    /// Letters, numbers and underscores.
    Letters,
    /// Words, split at white space; punctuation alone is not a word.
    Words,
    /// Sentences of at least three words.
    Sentences,
}

/// A text length.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
pub struct LengthScore {
    /// The number of units.
    pub score: f64,
}

/// A configured length.
pub struct Length {
    config: LengthConfig,
    classes: CharacterClasses,
}

impl Length {
    /// Prepares the options.
    pub fn new(config: LengthConfig) -> Self {
        Self { config, classes: CharacterClasses::read() }
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
