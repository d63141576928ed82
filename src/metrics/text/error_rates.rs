//! Error rates of words and characters, as jiwer 4 computes them (Morris, Maier and Green, *From WER and RIL to MER and
//! WIL*, 2004).

use super::TextScore;
use super::cells::{MOST_OF_EDITS, Marks, without_common_ends};
use super::characters::{Class, Classes, is_space};
use super::grams::{numbered_characters, numbered_words};
use super::row::{CorpusMetric, Row};
use crate::error::Result;
use crate::scale::{Scales, ScoreScale};
use crate::text::{find, replace};
use serde::{Deserialize, Serialize};

/// What its scores mean, by the keys of results.
pub const SCALES: &Scales = &[
    ("word_error_rate", ScoreScale::errors("errors per word")),
    ("corpus_wer", ScoreScale::errors("errors per word")),
    ("match_error_rate", ScoreScale::LOSS),
    ("word_information_lost", ScoreScale::LOSS),
    ("character_error_rate", ScoreScale::errors("errors per character")),
];

/// How error rates are computed.
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
pub struct ErrorRateConfig {
    /// What the score is.
    pub rate: ErrorRate,
    /// Whether punctuation counts for nothing.
    pub remove_punctuation: bool,
    /// Whether `can't` counts as `can not`, and so on.
    pub expand_common_english_contractions: bool,
    /// Whether what stands between `[]` or `<>` counts for nothing.
    pub remove_kaldi_non_words: bool,
}

/// Which rate.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
pub enum ErrorRate {
    /// Edits for each word of the reference.
    Words,
    /// The share of matches that are none.
    Matches,
    /// The share of the information of words that is lost.
    InformationLost,
    /// Edits for each character of the reference.
    Characters,
}

/// An error rate, and its parts. Lower is better.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
pub struct ErrorRateScore {
    /// The rate, from 0; where the output is longer than the reference, it may be above 1.
    pub score: f64,
    /// How many words or characters are right.
    pub hits: f64,
    /// How many are others than those of the reference.
    pub substitutions: f64,
    /// How many of the reference are missing.
    pub deletions: f64,
    /// How many are too many.
    pub insertions: f64,
}

/// An error rate, ready to score.
pub struct ErrorRates {
    config: ErrorRateConfig,
    classes: Option<Classes>,
}

impl ErrorRates {
    /// Takes the configuration.
    pub fn new(config: ErrorRateConfig) -> Self {
        let classes = config.remove_punctuation.then(Classes::read);
        Self { config, classes }
    }

    /// What is left of a text.
    fn normalized(&self, text: &str) -> String {
        let mut text = text.to_owned();
        if self.config.expand_common_english_contractions {
            for (short, long) in CONTRACTIONS {
                if find(&text, short).is_some() {
                    text = replace(&text, short, long);
                }
            }
        }
        if self.config.remove_kaldi_non_words {
            text = without_non_words(&text);
        }
        if let Some(classes) = &self.classes {
            text.retain(|character| classes.of(character) != Class::Punctuation);
        }
        text
    }

    /// The words of a text: what stands between spaces. Other white space counts where two follow each other.
    fn words(text: &str) -> Vec<String> {
        let mut words = vec![String::new()];
        let mut characters = text.trim_matches(is_space).chars().peekable();
        while let Some(character) = characters.next() {
            let mut ends = character == ' ';
            while is_space(character) && characters.next_if(|next| is_space(*next)).is_some() {
                ends = true;
            }
            match words.last_mut() {
                Some(word) if !ends => word.push(character),
                _ => words.push(String::new()),
            }
        }
        words.retain(|word| !word.is_empty());
        words
    }
}

impl CorpusMetric for ErrorRates {
    fn count(&self, row: &Row<'_>, counts: &mut Vec<f64>) -> Result<()> {
        let texts: Vec<String> = row.texts().map(|text| self.normalized(text)).collect();
        let numbers = if self.config.rate == ErrorRate::Characters {
            let texts: Vec<Vec<u32>> = texts
                .iter()
                .map(|text| text.trim_matches(is_space).chars().map(u32::from).collect())
                .collect();
            numbered_characters(&texts)
        } else {
            let texts: Vec<Vec<String>> = texts.iter().map(|text| Self::words(text)).collect();
            let texts: Vec<Vec<&str>> =
                texts.iter().map(|words| words.iter().map(String::as_str).collect()).collect();
            numbered_words(&texts)
        };
        let mut best: Option<(f64, [f64; 4])> = None;
        if let Some((output, references)) = numbers.split_first() {
            for reference in references {
                let edits = edits(reference, output)?;
                let rate = self.value(&edits);
                if best.as_ref().is_none_or(|(least, _)| rate < *least) {
                    best = Some((rate, edits));
                }
            }
        }
        counts.extend(best.map(|(_, edits)| edits).unwrap_or_default());
        Ok(())
    }

    fn value(&self, counts: &[f64]) -> f64 {
        let [hits, substitutions, deletions, insertions] = *counts else { return 0.0 };
        let edits = substitutions + deletions + insertions;
        let reference = hits + substitutions + deletions;
        let output = hits + substitutions + insertions;
        match self.config.rate {
            // Of nothing, there is no share.
            ErrorRate::Words | ErrorRate::Characters if reference == 0.0 => insertions,
            ErrorRate::Words | ErrorRate::Characters => edits / reference,
            ErrorRate::Matches if hits + edits == 0.0 => 0.0,
            ErrorRate::Matches => edits / (hits + edits),
            ErrorRate::InformationLost if reference == 0.0 && output == 0.0 => 0.0,
            ErrorRate::InformationLost if reference == 0.0 || output == 0.0 => 1.0,
            ErrorRate::InformationLost => 1.0 - hits / reference * (hits / output),
        }
    }

    fn score(&self, counts: &[f64]) -> TextScore {
        let [hits, substitutions, deletions, insertions] = *counts else {
            return TextScore::ErrorRate(ErrorRateScore {
                score: 0.0,
                hits: 0.0,
                substitutions: 0.0,
                deletions: 0.0,
                insertions: 0.0,
            });
        };
        let score = self.value(counts);
        TextScore::ErrorRate(ErrorRateScore { score, hits, substitutions, deletions, insertions })
    }
}

/// In this order, so that `won't` becomes `will not`.
const CONTRACTIONS: [(&str, &str); 11] = [
    ("won't", "will not"),
    ("can't", "can not"),
    ("let's", "let us"),
    ("n't", " not"),
    ("'re", " are"),
    ("'s", " is"),
    ("'d", " would"),
    ("'ll", " will"),
    ("'t", " not"),
    ("'ve", " have"),
    ("'m", " am"),
];

/// The text without what stands between `[]` or `<>`, whichever of them ends it.
fn without_non_words(text: &str) -> String {
    let mut left = String::new();
    let mut rest = text;
    while let Some(start) = rest.find(['<', '[']) {
        let (before, from) = rest.split_at_checked(start).unwrap_or((rest, ""));
        left.push_str(before);
        match from.find(['>', ']']).and_then(|end| from.get(end + 1..)) {
            Some(after) => rest = after,
            None => {
                rest = from;
                break;
            }
        }
    }
    left + rest
}

/// A cell is one more than that to its left.
const MORE: u8 = 1;
/// A cell is one less than that to its left.
const LESS: u8 = 2;

/// The hits, substitutions, deletions and insertions of the fewest edits that make `output` of `reference`. Of several ways,
/// that of rapidfuzz, which takes what it can from the end.
fn edits(reference: &[u32], output: &[u32]) -> Result<[f64; 4]> {
    let (from, to) = without_common_ends(reference, output);
    let mut hits = reference.len() - from.len();
    // The columns are the reference, the rows the output.
    let mut marks = Marks::new(to.len() + 1, from.len(), MOST_OF_EDITS)?;
    let mut cells: Vec<u32> = (0..=from.len() as u32).collect();
    for (row, token) in to.iter().enumerate() {
        let mut cells = cells.iter_mut();
        let (mut diagonal, mut left) = (row as u32, row as u32 + 1);
        if let Some(first) = cells.next() {
            *first = left;
        }
        for (column, (cell, other)) in cells.zip(from).enumerate() {
            let above = *cell;
            *cell = (diagonal + u32::from(token != other)).min(above + 1).min(left + 1);
            if *cell > left {
                marks.set(row, column, MORE);
            } else if *cell < left {
                marks.set(row, column, LESS);
            }
            (diagonal, left) = (above, *cell);
        }
    }
    let (mut substitutions, mut deletions, mut insertions) = (0, 0, 0);
    let (mut row, mut column) = (to.len(), from.len());
    while row > 0 && column > 0 {
        if marks.get(row - 1, column - 1) == MORE {
            deletions += 1;
            column -= 1;
            continue;
        }
        row -= 1;
        if row > 0 && marks.get(row - 1, column - 1) == LESS {
            insertions += 1;
            continue;
        }
        column -= 1;
        if from.get(column) == to.get(row) {
            hits += 1;
        } else {
            substitutions += 1;
        }
    }
    Ok([hits, substitutions, deletions + column, insertions + row].map(|count| count as f64))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn edits_are_counted() {
        for (reference, output, expected) in [
            ("abc", "abc", [3, 0, 0, 0]),
            ("abc", "axcd", [2, 1, 0, 1]),
            ("", "ab", [0, 0, 0, 2]),
            ("ab", "", [0, 0, 2, 0]),
            ("abcd", "bcda", [3, 0, 1, 1]),
        ] {
            let numbers = |text: &str| text.bytes().map(u32::from).collect::<Vec<_>>();
            let found = edits(&numbers(reference), &numbers(output));
            assert_eq!(found, Ok(expected.map(f64::from)), "{reference} {output}");
        }
    }

    #[test]
    fn words_stand_between_spaces() {
        assert_eq!(ErrorRates::words(" a\tb  c\t\td e\n"), ["a\tb", "c", "d", "e"]);
    }

    #[test]
    fn non_words_are_left_out() {
        assert_eq!(without_non_words("a <unk> b [x> c < d"), "a  b  c < d");
    }
}
