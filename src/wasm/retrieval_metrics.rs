//! Metrics of rankings.

use super::objects::to_ts;
use super::{from_js, text};
use crate::metrics::packed;
use crate::metrics::retrieval::query::queries;
use crate::metrics::retrieval::{self, RetrievalConfig, RetrievalScore};
use js_sys::Float64Array;
use serde::Serialize;
use tsify::{Ts, Tsify};
use wasm_bindgen::prelude::*;

/// The scores of rankings and their components as columns, because an object for each score would double the time.
/// Undefined values are NaN.
#[derive(Serialize, Tsify)]
pub struct RetrievalColumns {
    /// `score` of all.
    #[serde(with = "serde_wasm_bindgen::preserve")]
    #[tsify(type = "Float64Array")]
    pub score: Float64Array,
    /// `comment` of all.
    pub comment: Vec<Option<String>>,
    /// `retrieved` of all.
    #[serde(with = "serde_wasm_bindgen::preserve")]
    #[tsify(type = "Float64Array")]
    pub retrieved: Float64Array,
    /// `relevant` of all.
    #[serde(with = "serde_wasm_bindgen::preserve")]
    #[tsify(type = "Float64Array")]
    pub relevant: Float64Array,
    /// `hits` of all.
    #[serde(with = "serde_wasm_bindgen::preserve")]
    #[tsify(type = "Float64Array")]
    pub hits: Float64Array,
    /// `judged` of all.
    #[serde(with = "serde_wasm_bindgen::preserve")]
    #[tsify(type = "Float64Array")]
    pub judged: Float64Array,
    /// `nonrelevant` of all.
    #[serde(with = "serde_wasm_bindgen::preserve")]
    #[tsify(type = "Float64Array")]
    pub nonrelevant: Float64Array,
    /// `rank` of all.
    #[serde(with = "serde_wasm_bindgen::preserve")]
    #[tsify(type = "Float64Array")]
    pub rank: Float64Array,
    /// `dcg` of all.
    #[serde(with = "serde_wasm_bindgen::preserve")]
    #[tsify(type = "Float64Array")]
    pub dcg: Float64Array,
    /// `idcg` of all.
    #[serde(with = "serde_wasm_bindgen::preserve")]
    #[tsify(type = "Float64Array")]
    pub idcg: Float64Array,
}

/// The score of each query.
///
/// All ids of a call are passed as one text in UTF-8, separated by line feeds: for each query the retrieved documents, then
/// the judged ones. `retrieved` and `judged` have their numbers, and `lengths` the length of each id in UTF-16 code units.
/// `scores` has a score for each retrieved document, NaN to keep the given order; `relevance` has a grade for each judged
/// document.
#[wasm_bindgen(js_name = retrievalScores)]
pub fn retrieval_scores(
    config: Ts<RetrievalConfig>,
    ids: &[u8],
    lengths: &[u32],
    retrieved: &[u32],
    judged: &[u32],
    scores: &[f64],
    relevance: &[f64],
) -> Result<Ts<RetrievalColumns>, JsValue> {
    let ids = packed::unpack(text(ids)?, lengths);
    let queries = queries(&ids, retrieved, judged, scores, relevance);
    let mut scores = retrieval::scores(&from_js(&config)?, &queries)?;
    let comment = scores.iter_mut().map(|score| score.comment.take()).collect();
    let column = |figure: &dyn Fn(&RetrievalScore) -> Option<f64>| {
        let figures: Vec<f64> = scores.iter().map(|score| figure(score).unwrap_or(f64::NAN)).collect();
        Float64Array::from(figures.as_slice())
    };
    to_ts(&RetrievalColumns {
        score: column(&|of| of.score),
        comment,
        retrieved: column(&|of| Some(of.retrieved.into())),
        relevant: column(&|of| Some(of.relevant.into())),
        hits: column(&|of| Some(of.hits.into())),
        judged: column(&|of| Some(of.judged.into())),
        nonrelevant: column(&|of| Some(of.nonrelevant.into())),
        rank: column(&|of| of.rank.map(f64::from)),
        dcg: column(&|of| of.dcg),
        idcg: column(&|of| of.idcg),
    })
}
