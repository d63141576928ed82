//! Metrics of texts against references, as in the reference implementations.
//!
//! | module | what it computes | agrees with |
//! | --- | --- | --- |
//! | `bleu`, `tokenize` | BLEU | sacrebleu 2.6 |
//! | [`chrf`] | chrF, chrF++ | sacrebleu 2.6 |
//! | [`ter`] | TER | sacrebleu 2.6 |
//! | [`rouge`], [`stemmer`] | ROUGE-N, -L and -Lsum | rouge-score 0.1.2 |
//! | [`token_f1`] | exact match and token F1 | the script of SQuAD 2.0 |
//! | [`error_rates`] | word and character error rates | jiwer 4 |
//! | [`similarity`], [`jaro`], [`damerau_levenshtein`] | Jaro-Winkler and other similarities | rapidfuzz 3 |
//! | [`readability`], [`length`], `prose` | readability and length | textstat 0.7 |
//! | [`diversity`] | distinct and repeated n-grams | their papers, with the n-grams of NLTK |
//! | [`compression`] | the compression ratio | gzip of Python 3.11, with zlib 1.3 |
//!
//! Beside them are [`syllables`] (of words), [`corpus`] (scores over all rows), [`corpus_difference`]
//! (significance tests), [`row`] (rows and the traits of metrics), [`grams`] (n-gram counts), [`cells`]
//! (bit-parallel tables) and [`characters`] (character classes).
//!
//! For case-insensitive metrics, the package passes texts in lower case: JavaScript's mapping equals
//! Python's.

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

/// The score scales of all text metrics.
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

/// A metric with its options.
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
    /// Word and character error rates.
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

/// The score of a metric, with its parts.
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
    /// Word and character error rates.
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

/// A configured metric.
enum ConfiguredMetric {
    OfRows(Box<dyn RowMetric>),
    OfCorpus(Box<dyn CorpusMetric>),
}

impl TextMetric {
    fn configured(self) -> ConfiguredMetric {
        match self {
            Self::Bleu(config) => ConfiguredMetric::OfCorpus(Box::new(Bleu::new(config))),
            Self::Chrf(config) => ConfiguredMetric::OfCorpus(Box::new(Chrf(config))),
            Self::Ter(config) => ConfiguredMetric::OfCorpus(Box::new(Ter(config))),
            Self::Rouge(config) => ConfiguredMetric::OfRows(Box::new(Rouge(config))),
            Self::TokenF1(config) => ConfiguredMetric::OfRows(Box::new(TokenF1::new(config))),
            Self::ErrorRate(config) => ConfiguredMetric::OfCorpus(Box::new(ErrorRates::new(config))),
            Self::Readability(config) => ConfiguredMetric::OfRows(Box::new(Readability::new(config))),
            Self::Length(config) => ConfiguredMetric::OfRows(Box::new(Length::new(config))),
            Self::Diversity(config) => ConfiguredMetric::OfRows(Box::new(Diversity(config))),
            Self::Compression => ConfiguredMetric::OfRows(Box::new(Compression)),
        }
    }

    /// The metric of summed counts; an error if it is one of single rows.
    fn of_corpus(self) -> Result<Box<dyn CorpusMetric>> {
        match self.configured() {
            ConfiguredMetric::OfCorpus(metric) => Ok(metric),
            ConfiguredMetric::OfRows(_) => {
                Err(Error::invalid_config("the metric is not defined on a corpus"))
            }
        }
    }
}

/// Scores rows.
pub fn scores(metric: TextMetric, rows: &[Row<'_>]) -> Result<TextScores> {
    let metric = metric.configured();
    let mut counts = Vec::new();
    let mut score = |row| match &metric {
        ConfiguredMetric::OfRows(metric) => metric.score(row),
        ConfiguredMetric::OfCorpus(metric) => {
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

/// Adds the index of the row to an error, if there are several rows.
fn in_row(index: usize, count: usize, error: Error) -> Error {
    if count > 1 { error.at(&["rows[", &index.to_string(), "]"].concat()) } else { error }
}
