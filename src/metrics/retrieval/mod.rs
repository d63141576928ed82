//! Metrics of document rankings, as in trec_eval.
//!
//! | module | what it has |
//! | --- | --- |
//! | [`query`] | a ranking with the relevance of its documents |
//! | [`explain`] | comments on scores: where the relevant documents are |
//! | [`measures`] | nDCG, average precision, reciprocal rank, precision, recall, hit rate, R-precision, bpref |

pub mod explain;
pub mod measures;
pub mod query;

use crate::error::Result;
use crate::scale::{Scales, ScoreScale};
use measures::measured;
use query::{Documents, Query};
use serde::{Deserialize, Serialize};

/// The score scales, by result key.
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
    /// Normalized discounted cumulative gain (nDCG), from 0 to 1.
    Ndcg,
    /// The mean of the precision at each relevant document.
    AveragePrecision,
    /// The reciprocal of the rank of the first relevant document.
    ReciprocalRank,
    /// The share of the first k documents that are relevant.
    Precision,
    /// The share of the relevant documents that are among the first k.
    Recall,
    /// Whether a relevant document is among the first k.
    HitRate,
    /// The precision at R, where R is the number of relevant documents.
    RPrecision,
    /// bpref: how rarely documents judged nonrelevant are ranked above relevant ones.
    Bpref,
}

/// The gain of a relevance grade in nDCG.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
pub enum NdcgGain {
    /// The grade itself (Järvelin and Kekäläinen, 2002).
    Linear,
    /// 2 to the power of the grade, minus 1 (Burges et al., 2005).
    Exponential,
}

/// The handling of a document that occurs twice in a ranking.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
pub enum DuplicateDocuments {
    /// The ranking is an error.
    Error,
    /// Only the first occurrence counts.
    First,
}

/// A measure with its options.
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
pub struct RetrievalConfig {
    /// The measure.
    pub measure: RetrievalMeasure,
    /// The cutoff rank; by default, the whole ranking counts.
    pub k: Option<u32>,
    /// The lowest relevance grade of relevant documents; by default, any above 0.
    pub relevance_level: Option<f64>,
    /// The gain of a relevance grade in nDCG.
    pub gain: NdcgGain,
    /// Whether documents are sorted by their scores as 32-bit floats, as trec_eval does.
    pub single_precision: bool,
    /// The handling of a document that occurs twice.
    pub duplicates: DuplicateDocuments,
}

impl RetrievalConfig {
    /// Whether a relevance grade counts as relevant.
    fn is_relevant(&self, relevance: f64) -> bool {
        self.relevance_level.map_or(relevance > 0.0, |level| relevance >= level)
    }
}

/// The score of a ranking with its parts.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify), tsify(missing_as_null))]
pub struct RetrievalScore {
    /// The score, from 0 to 1; `None` if no document is relevant.
    pub score: Option<f64>,
    /// Where the relevant documents are, for a score below 1; or why there is no score.
    pub comment: Option<String>,
    /// The number of retrieved documents.
    pub retrieved: u32,
    /// The number of relevant documents.
    pub relevant: u32,
    /// The number of relevant documents within the cutoff.
    pub hits: u32,
    /// The number of judged documents within the cutoff.
    pub judged: u32,
    /// The number of documents judged nonrelevant, retrieved or not.
    pub nonrelevant: u32,
    /// The rank of the first relevant document, counted from 1.
    pub rank: Option<u32>,
    /// The discounted cumulative gain; only for nDCG.
    pub dcg: Option<f64>,
    /// The discounted cumulative gain of an ideal ranking; only for nDCG.
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
