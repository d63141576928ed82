//! Metrics of rankings.

use super::{from_js, to_ts};
use crate::metrics::retrieval::query::queries;
use crate::metrics::retrieval::{self, RetrievalConfig, RetrievalScores};
use tsify::Ts;
use wasm_bindgen::prelude::*;

/// The score of each query.
///
/// All ids of a call cross as one text, with a line feed after each but the last: of each query first those that were
/// found, then those that were judged; `retrieved` and `judged` say how many. `lengths` are theirs in UTF-16 code units.
/// `scores` has one for each document found, NaN where the ranking is in order, `relevance` one for each that was judged.
#[wasm_bindgen(js_name = retrievalScores)]
pub fn retrieval_scores(
    config: Ts<RetrievalConfig>,
    ids: &str,
    lengths: &[u32],
    retrieved: &[u32],
    judged: &[u32],
    scores: &[f64],
    relevance: &[f64],
) -> Result<Ts<RetrievalScores>, JsValue> {
    let queries = queries(ids, lengths, retrieved, judged, scores, relevance);
    to_ts(&retrieval::scores(&from_js(&config)?, &queries)?)
}
