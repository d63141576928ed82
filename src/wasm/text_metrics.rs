//! Metrics of texts.
//!
//! All texts of a call are passed as one, separated by line feeds. `lengths` has the length of each in UTF-16 code units,
//! and `references` the number of references that follow each output.

use super::from_js;
use super::objects::to_ts;
use crate::metrics::packed;
use crate::metrics::text::corpus::{self, CorpusScore};
use crate::metrics::text::corpus_difference::{self, CorpusDifference, CorpusTest};
use crate::metrics::text::readability;
use crate::metrics::text::row::rows;
use crate::metrics::text::similarity::{self, SimilarityConfig};
use crate::metrics::text::{self, TextMetric, TextScores};
use crate::statistics::interval::{Settings, Units};
use tsify::Ts;
use wasm_bindgen::prelude::*;

/// The score of each row.
#[wasm_bindgen(js_name = textScores)]
pub fn text_scores(
    metric: Ts<TextMetric>,
    texts: &str,
    lengths: &[u32],
    references: &[u32],
) -> Result<Ts<TextScores>, JsValue> {
    let texts = packed::unpack(texts, lengths);
    to_ts(&text::scores(from_js(&metric)?, &rows(&texts, references))?)
}

/// The distinct words of texts, as the readability formulas split them.
#[wasm_bindgen(js_name = distinctWords)]
pub fn distinct_words(texts: &str, lengths: &[u32], references: &[u32]) -> Vec<String> {
    readability::distinct_words(&rows(&packed::unpack(texts, lengths), references))
}

/// How similar the texts of each row are.
#[wasm_bindgen]
pub fn similarities(
    config: Ts<SimilarityConfig>,
    texts: &str,
    lengths: &[u32],
    references: &[u32],
) -> Result<Vec<f64>, JsValue> {
    let texts = packed::unpack(texts, lengths);
    Ok(similarity::similarities(&from_js(&config)?, &rows(&texts, references))?)
}

/// The score of the corpus. Rows with the same example are adjacent.
#[wasm_bindgen(js_name = corpusScore)]
pub fn corpus_score(
    metric: Ts<TextMetric>,
    texts: &str,
    lengths: &[u32],
    references: &[u32],
    examples: &[u32],
    settings: Ts<Settings>,
) -> Result<Ts<CorpusScore>, JsValue> {
    let texts = packed::unpack(texts, lengths);
    let rows = rows(&texts, references);
    let units = Units::of(examples);
    to_ts(&corpus::corpus_score(from_js(&metric)?, &rows, &units, from_js(&settings)?)?)
}

/// The difference between two systems. The rows of the second follow those of the first; `examples` has the example of each
/// row of one system.
#[wasm_bindgen(js_name = corpusDifference)]
pub fn corpus_difference(
    metric: Ts<TextMetric>,
    texts: &str,
    lengths: &[u32],
    references: &[u32],
    examples: &[u32],
    test: Ts<CorpusTest>,
    settings: Ts<Settings>,
) -> Result<Ts<CorpusDifference>, JsValue> {
    let texts = packed::unpack(texts, lengths);
    let mut first = rows(&texts, references);
    let second = first.split_off(examples.len().min(first.len()));
    let units = Units::of(examples);
    let (test, settings) = (from_js(&test)?, from_js(&settings)?);
    to_ts(&corpus_difference::corpus_difference(from_js(&metric)?, &first, &second, &units, test, settings)?)
}
