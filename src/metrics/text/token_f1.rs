//! Exact match and token F1, as in the evaluation script of SQuAD 2.0 (Rajpurkar et al., *SQuAD: 100,000+
//! questions for machine comprehension of text*, 2016).

use super::TextScore;
use super::characters::{CharacterClasses, words};
use super::grams::{Grams, common, numbered_words};
use super::rouge::RougeScore;
use super::row::{Row, RowMetric};
use crate::error::Result;
use crate::scale::{Scales, ScoreScale};
use serde::{Deserialize, Serialize};

/// The score scales, by result key.
pub const SCALES: &Scales = &[("token_f1", ScoreScale::SHARE), ("squad_exact_match", ScoreScale::SHARE)];

/// The normalization of answers.
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
pub struct TokenF1Config {
    /// Whether the score is exact match: 1 for equal answers, otherwise 0.
    pub exact: bool,
    /// Whether the words `a`, `an` and `the` are removed.
    pub remove_articles: bool,
    /// Whether ASCII punctuation is removed.
    pub remove_punctuation: bool,
}

/// A token F1 score with its parts.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
pub struct TokenF1Score {
    /// The F1 score, from 0 to 1: the harmonic mean of precision and recall. For exact match, 1 or 0.
    pub score: f64,
    /// The share of the output's tokens that are in the reference, from 0 to 1.
    pub precision: f64,
    /// The share of the reference's tokens that are in the output, from 0 to 1.
    pub recall: f64,
}

/// A configured token F1.
pub struct TokenF1 {
    config: TokenF1Config,
    classes: CharacterClasses,
}

impl TokenF1 {
    /// Prepares the options.
    pub fn new(config: TokenF1Config) -> Self {
        Self { config, classes: CharacterClasses::read() }
    }

    /// The normalized text.
    fn normalized(&self, text: &str) -> String {
        let TokenF1Config { remove_articles, remove_punctuation, .. } = self.config;
        let text: String = text
            .chars()
            .filter(|character| !remove_punctuation || !character.is_ascii_punctuation())
            .collect();
        if !remove_articles {
            return text;
        }
        // An article is removed at any word boundary, not only between white space.
        let mut left = String::new();
        let mut rest = text.as_str();
        while let Some(first) = rest.chars().next() {
            let is_word = self.classes.is_word(first);
            let end = rest.find(|character| self.classes.is_word(character) != is_word);
            let (run, after) = rest.split_at_checked(end.unwrap_or(rest.len())).unwrap_or((rest, ""));
            left.push_str(if matches!(run, "a" | "an" | "the") { " " } else { run });
            rest = after;
        }
        left
    }

    fn pair(&self, output: &[&str], reference: &[&str]) -> TokenF1Score {
        if self.config.exact || output.is_empty() || reference.is_empty() {
            // An empty answer means "no answer", which can be correct.
            let score = f64::from(output == reference);
            return TokenF1Score { score, precision: score, recall: score };
        }
        let grams = Grams::new(numbered_words(&[output.to_vec(), reference.to_vec()]));
        let both = common(&grams.counts(0), &grams.counts(1));
        let RougeScore { score, precision, recall } = RougeScore::new(both, output.len(), reference.len());
        TokenF1Score { score, precision, recall }
    }
}

impl RowMetric for TokenF1 {
    fn score(&self, row: &Row<'_>) -> Result<TextScore> {
        let output = self.normalized(row.output);
        let output: Vec<&str> = words(&output).collect();
        let references: Vec<String> = row.references.iter().map(|text| self.normalized(text)).collect();
        let references: Vec<Vec<&str>> = references.iter().map(|text| words(text).collect()).collect();
        // The script's rule: an empty reference counts only if all references are empty.
        let has_answer = references.iter().any(|reference| !reference.is_empty());
        let counting = references.iter().filter(|reference| !has_answer || !reference.is_empty());
        let scores = counting.map(|reference| self.pair(&output, reference));
        // Of equally good references, the first one.
        let best = scores.reduce(|best, next| if next.score > best.score { next } else { best });
        Ok(TextScore::TokenF1(best.unwrap_or(TokenF1Score { score: 0.0, precision: 0.0, recall: 0.0 })))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn articles_are_words() {
        let config = TokenF1Config { exact: false, remove_articles: true, remove_punctuation: true };
        let normalized = |text| TokenF1::new(config.clone()).normalized(text);
        assert_eq!(normalized("the cat, a.n apple"), "  cat   apple");
        assert_eq!(normalized("l'a a² a—the «an» athe"), "la a²  —  « » athe");
    }
}
