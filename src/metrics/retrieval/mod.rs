//! How good a ranking of documents is, as trec_eval computes it.
//!
//! | module | what it has |
//! | --- | --- |
//! | [`query`] | which of the documents found are relevant, in the order of the ranking |
//! | [`measures`] | nDCG, average precision, reciprocal rank, precision, recall, hit rate, R-precision, bpref |

pub mod measures;
pub mod query;

use crate::error::Result;
use crate::scale::{Scales, ScoreScale};
use measures::measured;
use query::{Documents, Query};
use serde::{Deserialize, Serialize};

/// What its scores mean, by the keys of results.
pub const SCALES: &Scales = &[
    ("ndcg", ScoreScale::SHARE),
    ("average_precision", ScoreScale::SHARE),
    ("reciprocal_rank", ScoreScale::SHARE),
    ("precision", ScoreScale::SHARE),
    ("recall", ScoreScale::SHARE),
    ("hit_rate", ScoreScale::SHARE),
    ("r_precision", ScoreScale::SHARE),
    ("bpref", ScoreScale::SHARE),
];

/// A measure of rankings.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
pub enum RetrievalMeasure {
    /// The gain of the documents, discounted by their ranks, as a share of the most there can be.
    Ndcg,
    /// The mean of the precision at each relevant document.
    AveragePrecision,
    /// One over the rank of the first relevant document.
    ReciprocalRank,
    /// The share of the first documents that is relevant.
    Precision,
    /// The share of the relevant documents that is among the first.
    Recall,
    /// Whether a relevant document is among the first.
    HitRate,
    /// The precision of as many documents as are relevant.
    RPrecision,
    /// How seldom documents that were judged not relevant stand before relevant ones.
    Bpref,
}

/// What relevance is worth to nDCG.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
pub enum NdcgGain {
    /// The relevance itself (Järvelin and Kekäläinen, 2002).
    Linear,
    /// Two to the power of it, less one (Burges et al., 2005).
    Exponential,
}

/// What becomes of a document that stands twice in a ranking.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
pub enum DuplicateDocuments {
    /// The ranking cannot be scored.
    Error,
    /// It counts once, where it stands first.
    First,
}

/// A measure, with its options.
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
pub struct RetrievalConfig {
    /// What is measured.
    pub measure: RetrievalMeasure,
    /// How many documents of the ranking count; without it, all.
    pub k: Option<u32>,
    /// The least relevance of a document that is relevant; without it, any above 0.
    pub relevance_level: Option<f64>,
    /// What relevance is worth to nDCG.
    pub gain: NdcgGain,
    /// Whether scores are compared as numbers of 32 bits.
    pub single_precision: bool,
    /// What becomes of a document that stands twice.
    pub duplicates: DuplicateDocuments,
}

impl RetrievalConfig {
    /// Whether a document of this relevance is relevant.
    fn is_relevant(&self, relevance: f64) -> bool {
        self.relevance_level.map_or(relevance > 0.0, |level| relevance >= level)
    }
}

/// The score of a ranking, and what it was made of.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify), tsify(missing_as_null))]
pub struct RetrievalScore {
    /// From 0 to 1; none where no document is relevant.
    pub score: Option<f64>,
    /// How many documents were found.
    pub retrieved: u32,
    /// How many documents are relevant.
    pub relevant: u32,
    /// How many of the documents that count are relevant.
    pub hits: u32,
    /// How many of the documents that count were judged, relevant or not.
    pub judged: u32,
    /// How many documents were judged not relevant, found or not.
    pub nonrelevant: u32,
    /// The rank of the first relevant document, from 1.
    pub rank: Option<u32>,
    /// The discounted gain of the ranking; only of nDCG.
    pub dcg: Option<f64>,
    /// The same of the best ranking there is.
    pub idcg: Option<f64>,
}

/// Scores rankings.
pub fn scores(config: &RetrievalConfig, queries: &[Query<'_>]) -> Result<Vec<RetrievalScore>> {
    let mut scores = Vec::with_capacity(queries.len());
    let mut documents = Documents::default();
    for (index, query) in queries.iter().enumerate() {
        let found = query.judged(config, &mut documents).and_then(|judged| measured(config, &judged));
        let row = || ["rows[", &index.to_string(), "]"].concat();
        scores.push(found.map_err(|error| if queries.len() > 1 { error.at(&row()) } else { error })?);
    }
    Ok(scores)
}

#[cfg(test)]
mod tests;
