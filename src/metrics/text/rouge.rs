//! ROUGE (Lin, *ROUGE: a package for automatic evaluation of summaries*, 2004), as in rouge-score 0.1.2.

use super::TextScore;
use super::cells::{MAX_CELLS, Marks, PositionBits, cells, common_subsequence};
use super::grams::{Grams, common, numbered_words};
use super::row::{Row, RowMetric};
use super::stemmer::stem;
use crate::error::Result;
use crate::scale::{Scales, ScoreScale};
use serde::{Deserialize, Serialize};

/// The score scales, by result key.
pub const SCALES: &Scales = &[
    ("rouge1", ScoreScale::SHARE),
    ("rouge2", ScoreScale::SHARE),
    ("rougeL", ScoreScale::SHARE),
    ("rougeLsum", ScoreScale::SHARE),
];

/// The options of ROUGE.
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
pub struct RougeConfig {
    /// The units that are counted.
    pub units: RougeUnits,
    /// Whether words are reduced to their stems.
    pub use_stemmer: bool,
}

/// The units that ROUGE counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
pub enum RougeUnits {
    /// ROUGE-N: n-grams of this many tokens.
    Grams(usize),
    /// ROUGE-L: tokens of the longest common subsequence.
    Subsequence,
    /// ROUGE-Lsum: for each sentence of the reference, the union of its common subsequences with the output's
    /// sentences. Each line is a sentence.
    SubsequencesOfSentences,
}

/// A ROUGE score with its parts.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
pub struct RougeScore {
    /// The F1 score, from 0 to 1: the harmonic mean of precision and recall.
    pub score: f64,
    /// The share of the output's units that are in the reference, from 0 to 1.
    pub precision: f64,
    /// The share of the reference's units that are in the output, from 0 to 1.
    pub recall: f64,
}

impl RougeScore {
    /// The score for the number of common units.
    pub fn new(both: usize, output: usize, reference: usize) -> Self {
        let precision = both as f64 / output.max(1) as f64;
        let recall = both as f64 / reference.max(1) as f64;
        let sum = precision + recall;
        Self { score: if sum > 0.0 { 2.0 * precision * recall / sum } else { 0.0 }, precision, recall }
    }
}

/// A configured ROUGE.
pub struct Rouge(pub RougeConfig);

impl RowMetric for Rouge {
    fn score(&self, row: &Row<'_>) -> Result<TextScore> {
        let scores = row.references.iter().map(|reference| self.pair(row.output, reference));
        let scores = scores.collect::<Result<Vec<_>>>()?.into_iter();
        // Of equally good references, the first one.
        let best = scores.reduce(|best, next| if next.score > best.score { next } else { best });
        Ok(TextScore::Rouge(best.unwrap_or_else(|| RougeScore::new(0, 0, 0))))
    }
}

impl Rouge {
    fn pair(&self, output: &str, reference: &str) -> Result<RougeScore> {
        let is_summary = self.0.units == RougeUnits::SubsequencesOfSentences;
        let of_output = sentences(output, is_summary);
        let count = of_output.len();
        let texts = of_output.into_iter().chain(sentences(reference, is_summary));
        let tokens: Vec<Vec<String>> = texts.map(|text| self.tokens(text)).collect();
        let words: Vec<Vec<&str>> =
            tokens.iter().map(|tokens| tokens.iter().map(String::as_str).collect()).collect();
        let mut numbers = numbered_words(&words);
        let references = numbers.split_off(count.min(numbers.len()));
        Ok(match self.0.units {
            RougeUnits::Grams(order) => {
                let mut grams = Grams::new(numbers.into_iter().chain(references).collect());
                for _ in 1..order {
                    grams.lengthen();
                }
                let both = common(&grams.counts(0), &grams.counts(1));
                RougeScore::new(both, grams.total(0), grams.total(1))
            }
            RougeUnits::Subsequence => {
                let (output, reference) = (numbers.concat(), references.concat());
                let both = common_subsequence(&output, &reference, &mut PositionBits::default())?;
                RougeScore::new(both, output.len(), reference.len())
            }
            RougeUnits::SubsequencesOfSentences => of_sentences(&numbers, &references)?,
        })
    }

    /// The runs of ASCII letters and digits, as in rouge-score. Words of four letters or more are stemmed.
    fn tokens(&self, text: &str) -> Vec<String> {
        text.split(|character: char| !character.is_ascii_lowercase() && !character.is_ascii_digit())
            .filter(|token| !token.is_empty())
            .map(|token| if self.0.use_stemmer && token.len() > 3 { stem(token) } else { token.to_owned() })
            .collect()
    }
}

/// The non-empty lines of a text; the whole text unless sentences are requested.
fn sentences(text: &str, is_summary: bool) -> Vec<&str> {
    if is_summary { text.split('\n').filter(|line| !line.is_empty()).collect() } else { vec![text] }
}

/// The score of the union of common subsequences, for each sentence of the reference with all sentences of
/// the output. A token counts at most as often as both texts have it.
fn of_sentences(outputs: &[Vec<u32>], references: &[Vec<u32>]) -> Result<RougeScore> {
    let length = |sentences: &[Vec<u32>]| sentences.iter().map(Vec::len).sum::<usize>();
    let (output_length, reference_length) = (length(outputs), length(references));
    // The tables of all pairs of sentences have as many cells as one of the whole texts.
    cells(reference_length, output_length, MAX_CELLS)?;
    let mut left = [outputs, references].map(|sentences| {
        let grams = Grams::new(vec![sentences.concat()]);
        grams.counts(0)
    });
    let mut both = 0;
    for reference in references {
        let mut is_common = vec![false; reference.len()];
        for output in outputs {
            mark_common(reference, output, &mut is_common)?;
        }
        for (token, _) in reference.iter().zip(is_common).filter(|(_, is_common)| *is_common) {
            let mut counts = left.iter_mut().map(|counts| counts.get_mut(*token as usize));
            if let (Some(Some(output)), Some(Some(reference))) = (counts.next(), counts.next())
                && *output > 0
                && *reference > 0
            {
                both += 1;
                *output -= 1;
                *reference -= 1;
            }
        }
    }
    Ok(RougeScore::new(both, output_length, reference_length))
}

/// The direction of the longest common subsequence from a cell.
const LEFT: u8 = 1;

/// Marks the tokens of a reference in a longest common subsequence. Of several, the one that rouge-score
/// finds.
fn mark_common(reference: &[u32], output: &[u32], is_common: &mut [bool]) -> Result<()> {
    let mut marks = Marks::new(reference.len(), output.len(), MAX_CELLS)?;
    let mut row = vec![0_u32; output.len()];
    for (i, token) in reference.iter().enumerate() {
        let (mut left, mut diagonal) = (0, 0);
        for (j, (cell, other)) in row.iter_mut().zip(output).enumerate() {
            let above = *cell;
            if left > above {
                marks.set(i, j, LEFT);
            }
            left = if token == other { diagonal + 1 } else { above.max(left) };
            *cell = left;
            diagonal = above;
        }
    }
    let (mut i, mut j) = (reference.len(), output.len());
    while i > 0 && j > 0 {
        if reference.get(i - 1) == output.get(j - 1) {
            (i, j) = (i - 1, j - 1);
            if let Some(is_common) = is_common.get_mut(i) {
                *is_common = true;
            }
        } else if marks.get(i - 1, j - 1) == LEFT {
            j -= 1;
        } else {
            i -= 1;
        }
    }
    Ok(())
}
