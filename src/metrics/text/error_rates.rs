//! Word and character error rates, as in jiwer 4 (Morris, Maier and Green, *From WER and RIL to MER and WIL*,
//! 2004).

use super::TextScore;
use super::cells::{MAX_EDIT_CELLS, Marks};
use super::characters::{CharacterClass, CharacterClasses, is_space};
use super::grams::{numbered_characters, numbered_words};
use super::row::{CorpusMetric, Row};
use crate::error::Result;
use crate::scale::{Scales, ScoreScale};
use crate::text::{find, replace, without_common_ends};
use serde::{Deserialize, Serialize};

/// The score scales, by result key.
pub const SCALES: &Scales = &[
    ("word_error_rate", ScoreScale::errors("errors per word")),
    ("corpus_wer", ScoreScale::errors("errors per word")),
    ("match_error_rate", ScoreScale::LOSS),
    ("word_information_lost", ScoreScale::LOSS),
    ("character_error_rate", ScoreScale::errors("errors per character")),
];

/// The options of error rates.
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
pub struct ErrorRateConfig {
    /// The rate to compute.
    pub rate: ErrorRate,
    /// Whether punctuation is removed.
    pub remove_punctuation: bool,
    /// Whether English contractions are expanded: `can't` becomes `can not`.
    pub expand_common_english_contractions: bool,
    /// Whether text in `[]` or `<>` is removed.
    pub remove_kaldi_non_words: bool,
}

/// An error rate.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
pub enum ErrorRate {
    /// Word error rate: edits per word of the reference.
    Words,
    /// Match error rate: the share of aligned words that are errors.
    Matches,
    /// Word information lost.
    InformationLost,
    /// Character error rate: edits per character of the reference.
    Characters,
}

/// An error rate with its parts. Lower is better.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
pub struct ErrorRateScore {
    /// The rate, from 0. WER and CER may exceed 1 if the output is longer than the reference.
    pub score: f64,
    /// The number of correct words or characters.
    pub hits: f64,
    /// The number of substituted words or characters.
    pub substitutions: f64,
    /// The number of missing words or characters.
    pub deletions: f64,
    /// The number of additional words or characters.
    pub insertions: f64,
}

/// A configured error rate.
pub struct ErrorRates {
    config: ErrorRateConfig,
    classes: Option<CharacterClasses>,
}

impl ErrorRates {
    /// Prepares the options.
    pub fn new(config: ErrorRateConfig) -> Self {
        let classes = config.remove_punctuation.then(CharacterClasses::read);
        Self { config, classes }
    }

    /// The text after the configured removals.
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
            text.retain(|character| classes.of(character) != CharacterClass::Punctuation);
        }
        text
    }

    /// The words of a text, split at single spaces. Runs of two or more white space characters are collapsed
    /// first.
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
        let Some((output, references)) = numbers.split_first() else { return Ok(()) };
        let edits = references.iter().map(|reference| edits(reference, output));
        // Of equally close references, the first one.
        let closer =
            |best: [f64; 4], next: [f64; 4]| if self.value(&next) < self.value(&best) { next } else { best };
        let best = edits.collect::<Result<Vec<_>>>()?.into_iter().reduce(closer);
        counts.extend(best.unwrap_or_default());
        Ok(())
    }

    fn value(&self, counts: &[f64]) -> f64 {
        let [hits, substitutions, deletions, insertions] = parts(counts);
        let edits = substitutions + deletions + insertions;
        let reference = hits + substitutions + deletions;
        let output = hits + substitutions + insertions;
        match self.config.rate {
            // With an empty reference there is no share, so the score is the number of insertions.
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
        let [hits, substitutions, deletions, insertions] = parts(counts);
        let score = self.value(counts);
        TextScore::ErrorRate(ErrorRateScore { score, hits, substitutions, deletions, insertions })
    }
}

/// Hits, substitutions, deletions and insertions; zeros without counts.
fn parts(counts: &[f64]) -> [f64; 4] {
    counts.try_into().unwrap_or_default()
}

/// The order matters: `won't` becomes `will not`.
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

/// The text without parts in `[]` or `<>`. Either closing bracket ends a part.
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

/// A cell is one more than the cell to its left.
const MORE: u8 = 1;
/// A cell is one less than the cell to its left.
const LESS: u8 = 2;

/// The hits, substitutions, deletions and insertions of the minimal edits from `reference` to `output`. Among
/// several solutions it follows rapidfuzz, which prefers edits from the end.
fn edits(reference: &[u32], output: &[u32]) -> Result<[f64; 4]> {
    let (from, to) = without_common_ends(reference, output);
    let mut hits = reference.len() - from.len();
    // Columns are the reference, rows the output.
    let mut marks = Marks::new(to.len() + 1, from.len(), MAX_EDIT_CELLS)?;
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
