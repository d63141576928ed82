//! How a text compares with texts that were wanted, as the reference implementations of these metrics compute it.
//!
//! | module | what it computes | agrees with |
//! | --- | --- | --- |
//! | `bleu`, `tokenize` | BLEU | sacrebleu 2.6 |
//! | [`chrf`] | chrF, chrF++ | sacrebleu 2.6 |
//! | [`ter`] | TER | sacrebleu 2.6 |
//! | [`rouge`], [`stemmer`] | ROUGE-N, -L and -Lsum | rouge-score 0.1.2 |
//! | [`token_f1`] | exact match and token F1 | the script of SQuAD 2.0 |
//! | [`error_rates`] | error rates of words and characters | jiwer 4 |
//! | [`similarity`], [`jaro`], [`damerau_levenshtein`] | Jaro, Jaro-Winkler and the like | rapidfuzz 3 |
//! | [`readability`], [`length`], `prose` | how easy to read and how long a text is | textstat 0.7 |
//! | [`diversity`] | distinct n-grams, and repeated ones | their papers, with the n-grams of NLTK |
//! | [`compression`] | the compression ratio | gzip of Python 3.11, with zlib 1.3 |
//!
//! beside them [`syllables`] (of words), [`corpus`] (the same over all rows), [`corpus_difference`] (whether two systems differ over them), [`row`] (what is scored), [`grams`] (counting n-grams),
//! [`cells`] (tables of two sequences) and [`characters`] (what is a letter, and what is white space).
//!
//! Texts that are to be compared without regard to case come in lower case: JavaScript does it as Python does.

pub mod band;
mod bleu;
pub mod cells;
pub mod characters;
pub mod chrf;
pub mod compression;
pub mod corpus;
pub mod corpus_difference;
pub mod damerau_levenshtein;
pub mod diversity;
pub mod error_rates;
pub mod grams;
pub mod jaro;
pub mod length;
#[cfg(test)]
mod properties;
mod prose;
pub mod readability;
pub mod rouge;
pub mod row;
pub mod similarity;
pub mod stemmer;
pub mod syllables;
pub mod ter;
pub mod token_f1;
pub mod tokenize;

use crate::error::{Error, Result};
use crate::scale::Scales;
use bleu::{Bleu, BleuConfig, BleuScore};
use chrf::{Chrf, ChrfConfig, ChrfScore};
use compression::{Compression, CompressionScore};
use diversity::{Diversity, DiversityConfig, DiversityScore};
use error_rates::{ErrorRateConfig, ErrorRateScore, ErrorRates};
use length::{Length, LengthConfig, LengthScore};
use readability::{Readability, ReadabilityConfig, ReadabilityScore};
use rouge::{Rouge, RougeConfig, RougeScore};
use row::{CorpusMetric, Row, RowMetric};
use serde::{Deserialize, Serialize};
use ter::{Ter, TerConfig, TerScore};
use token_f1::{TokenF1, TokenF1Config, TokenF1Score};

/// What the scores of all of them mean.
pub const SCALES: &[&Scales] = &[
    bleu::SCALES,
    chrf::SCALES,
    ter::SCALES,
    rouge::SCALES,
    token_f1::SCALES,
    error_rates::SCALES,
    similarity::SCALES,
    readability::SCALES,
    length::SCALES,
    diversity::SCALES,
    compression::SCALES,
];

/// A metric, with its options.
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
pub enum TextMetric {
    /// BLEU.
    Bleu(BleuConfig),
    /// chrF and chrF++.
    Chrf(ChrfConfig),
    /// TER.
    Ter(TerConfig),
    /// ROUGE.
    Rouge(RougeConfig),
    /// Exact match and token F1.
    TokenF1(TokenF1Config),
    /// Error rates of words and characters.
    ErrorRate(ErrorRateConfig),
    /// Readability.
    Readability(ReadabilityConfig),
    /// Length.
    Length(LengthConfig),
    /// Distinct and repeated n-grams.
    Diversity(DiversityConfig),
    /// The compression ratio.
    Compression,
}

/// A score of one of the metrics, and its parts.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(untagged)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
pub enum TextScore {
    /// BLEU.
    Bleu(BleuScore),
    /// chrF and chrF++.
    Chrf(ChrfScore),
    /// TER.
    Ter(TerScore),
    /// ROUGE.
    Rouge(RougeScore),
    /// Exact match and token F1.
    TokenF1(TokenF1Score),
    /// Error rates of words and characters.
    ErrorRate(ErrorRateScore),
    /// Readability.
    Readability(ReadabilityScore),
    /// Length.
    Length(LengthScore),
    /// Distinct and repeated n-grams.
    Diversity(DiversityScore),
    /// The compression ratio.
    Compression(CompressionScore),
}

/// The scores of rows.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
pub struct TextScores(pub Vec<TextScore>);

/// A metric, ready to score.
enum Made {
    OfRows(Box<dyn RowMetric>),
    OfCorpus(Box<dyn CorpusMetric>),
}

impl TextMetric {
    fn made(self) -> Made {
        match self {
            Self::Bleu(config) => Made::OfCorpus(Box::new(Bleu::new(config))),
            Self::Chrf(config) => Made::OfCorpus(Box::new(Chrf(config))),
            Self::Ter(config) => Made::OfCorpus(Box::new(Ter(config))),
            Self::Rouge(config) => Made::OfRows(Box::new(Rouge(config))),
            Self::TokenF1(config) => Made::OfRows(Box::new(TokenF1::new(config))),
            Self::ErrorRate(config) => Made::OfCorpus(Box::new(ErrorRates::new(config))),
            Self::Readability(config) => Made::OfRows(Box::new(Readability::new(config))),
            Self::Length(config) => Made::OfRows(Box::new(Length::new(config))),
            Self::Diversity(config) => Made::OfRows(Box::new(Diversity(config))),
            Self::Compression => Made::OfRows(Box::new(Compression)),
        }
    }
}

/// Scores rows.
pub fn scores(metric: TextMetric, rows: &[Row<'_>]) -> Result<TextScores> {
    let metric = metric.made();
    let mut counts = Vec::new();
    let mut score = |row| match &metric {
        Made::OfRows(metric) => metric.score(row),
        Made::OfCorpus(metric) => {
            counts.clear();
            metric.count(row, &mut counts)?;
            Ok(metric.score(&counts))
        }
    };
    let mut scores = Vec::with_capacity(rows.len());
    for (index, row) in rows.iter().enumerate() {
        scores.push(score(row).map_err(|error| in_row(index, rows.len(), error))?);
    }
    Ok(TextScores(scores))
}

/// An error that says which of several rows it is about.
fn in_row(index: usize, count: usize, error: Error) -> Error {
    if count > 1 { error.at(&["rows[", &index.to_string(), "]"].concat()) } else { error }
}
