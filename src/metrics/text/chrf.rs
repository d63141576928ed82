//! chrF (Popović, *chrF: character n-gram F-score for automatic MT evaluation*, 2015) and chrF++ (*chrF++:
//! words helping character n-grams*, 2017), as in sacrebleu 2.6.

use super::TextScore;
use super::characters::{is_space, words};
use super::grams::{Grams, common, numbered_characters, numbered_words};
use super::row::{CorpusMetric, Row};
use crate::error::Result;
use crate::scale::{Scales, ScoreScale};
use serde::{Deserialize, Serialize};

/// The score scales, by result key.
pub const SCALES: &Scales = &[("chrf", ScoreScale::SHARE), ("corpus_chrf", ScoreScale::SHARE)];

/// The options of chrF.
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
pub struct ChrfConfig {
    /// The highest order of character n-grams.
    pub char_order: usize,
    /// The highest order of word n-grams; 0 for chrF without words.
    pub word_order: usize,
    /// The weight of recall relative to precision.
    pub beta: f64,
    /// Whether white space is part of character n-grams.
    pub whitespace: bool,
    /// Whether a tiny number replaces counts of zero, so that all orders count.
    pub eps_smoothing: bool,
}

/// A chrF score with its parts.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
pub struct ChrfScore {
    /// The score, from 0 to 1.
    pub score: f64,
    /// The share of the output's n-grams that are in the reference: the mean over the orders that both texts
    /// have.
    pub precision: f64,
    /// The share of the reference's n-grams that are in the output: the mean over the orders that both texts
    /// have.
    pub recall: f64,
    /// The matching n-grams of each order: character n-grams, then word n-grams.
    pub counts: Vec<f64>,
    /// The n-grams of the output of each order; 0 where the reference has none.
    pub output_totals: Vec<f64>,
    /// The n-grams of the reference of each order; of several references, the one with the best score.
    pub reference_totals: Vec<f64>,
}

/// The count that replaces zero.
const EPSILON: f64 = 1e-16;

/// A configured chrF.
pub struct Chrf(pub ChrfConfig);

impl Chrf {
    /// The score, precision and recall of counts, three for each order.
    fn parts(&self, counts: &[f64]) -> (f64, f64, f64) {
        let factor = self.0.beta * self.0.beta;
        let harmonic =
            |precision: f64, recall: f64| (1.0 + factor) * precision * recall / (factor * precision + recall);
        let (mut smoothed, mut precisions, mut recalls, mut order) = (0.0, 0.0, 0.0, 0.0);
        for of_length in counts.chunks(3) {
            let [output, reference, both] = *of_length else { continue };
            let precision = if output > 0.0 { both / output } else { EPSILON };
            let recall = if reference > 0.0 { both / reference } else { EPSILON };
            smoothed += if precision + recall > 0.0 { harmonic(precision, recall) } else { EPSILON };
            if output > 0.0 && reference > 0.0 {
                precisions += precision;
                recalls += recall;
                order += 1.0;
            }
        }
        let (precision, recall) =
            if order > 0.0 { (precisions / order, recalls / order) } else { (0.0, 0.0) };
        let score = if self.0.eps_smoothing {
            smoothed / (self.0.char_order + self.0.word_order) as f64
        } else if precision + recall > 0.0 {
            harmonic(precision, recall)
        } else {
            0.0
        };
        (score, precision, recall)
    }
}

impl CorpusMetric for Chrf {
    fn count(&self, row: &Row<'_>, counts: &mut Vec<f64>) -> Result<()> {
        let ChrfConfig { char_order, word_order, whitespace, .. } = self.0;
        let characters: Vec<Vec<u32>> = row
            .texts()
            .map(|text| {
                text.chars().filter(|character| whitespace || !is_space(*character)).map(u32::from).collect()
            })
            .collect();
        let mut of_references = vec![Vec::new(); row.references.len()];
        if char_order > 0 {
            count_grams(numbered_characters(&characters), char_order, &mut of_references);
        }
        if word_order > 0 {
            let words: Vec<Vec<&str>> = row.texts().map(words_and_punctuation).collect();
            count_grams(numbered_words(&words), word_order, &mut of_references);
        }
        // Of equally good references, the first one.
        let scored = of_references.into_iter().map(|own| (self.value(&own), own));
        let best = scored.reduce(|best, next| if next.0 > best.0 { next } else { best });
        counts.extend(best.map(|(_, own)| own).unwrap_or_default());
        Ok(())
    }

    fn value(&self, counts: &[f64]) -> f64 {
        self.parts(counts).0
    }

    fn score(&self, counts: &[f64]) -> TextScore {
        let (score, precision, recall) = self.parts(counts);
        let every_third = |from: usize| counts.iter().skip(from).step_by(3).copied().collect();
        TextScore::Chrf(ChrfScore {
            score,
            precision,
            recall,
            counts: every_third(2),
            output_totals: every_third(0),
            reference_totals: every_third(1),
        })
    }
}

/// Counts n-grams up to an order: for each reference, those of the output, those of the reference, and the
/// matches.
fn count_grams(sequences: Vec<Vec<u32>>, order: usize, of_references: &mut [Vec<f64>]) {
    let mut grams = Grams::new(sequences);
    for length in 1..=order {
        if length > 1 {
            grams.lengthen();
        }
        let output = grams.counts(0);
        for (index, own) in of_references.iter_mut().enumerate() {
            let total = grams.total(index + 1);
            let output_total = if total == 0 { 0 } else { grams.total(0) };
            let both = common(&output, &grams.counts(index + 1));
            own.extend([output_total as f64, total as f64, both as f64]);
        }
    }
}

/// The words of a text. A punctuation mark at one end of a word, preferably the last character, is a separate
/// word.
fn words_and_punctuation(text: &str) -> Vec<&str> {
    let mut found = Vec::new();
    for word in words(text) {
        let mut characters = word.chars();
        let (first, last) = (characters.next(), characters.next_back());
        let split = match (first, last) {
            (Some(_), Some(last)) if last.is_ascii_punctuation() => word.split_at_checked(word.len() - 1),
            (Some(first), Some(_)) if first.is_ascii_punctuation() => word.split_at_checked(1),
            _ => None,
        };
        match split {
            Some((start, end)) => found.extend([start, end]),
            None => found.push(word),
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn punctuation_is_a_separate_word() {
        let words = words_and_punctuation("(hi) \"a b. . ... 。x");
        assert_eq!(words, ["(hi", ")", "\"", "a", "b", ".", ".", "..", ".", "。x"]);
    }
}
