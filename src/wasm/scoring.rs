//! The evaluators that compute their score.

use super::{pair, text, to_js, to_ts};
use crate::error::{Code, Error, Result};
use crate::json::{self, Draft};
use crate::json_match::{JsonMatchConfig, KeyScores, Leaf, RowScores, ScoredKey};
use crate::string::{embedding_similarity, levenshtein};
use crate::trajectory::graph::{self, GraphTurn};
use crate::trajectory::{CustomMatcher, TrajectoryMatchConfig, TrajectoryOverlap};
use crate::{conversation, exact};
use js_sys::{Function, Promise};
use tsify::Ts;
use wasm_bindgen::prelude::*;
use wasm_bindgen_futures::JsFuture;

/// Whether two JSON texts, of which the other begins at `second`, stand for the same value.
#[wasm_bindgen(js_name = exactMatch)]
pub fn exact_match(json: &[u8], second: usize) -> Result<bool, JsValue> {
    let (outputs, reference_outputs) = pair(json, second)?;
    Ok(exact::exact_match(outputs, reference_outputs)?)
}

/// The same for rows `[[outputs, referenceOutputs], …]`: 1 for equal, 0 for different.
#[wasm_bindgen(js_name = exactMatchBatch)]
pub fn exact_match_batch(rows: &[u8]) -> Result<Vec<u8>, JsValue> {
    Ok(exact::exact_match_batch(text(rows)?)?.into_iter().map(u8::from).collect())
}

/// The similarity of two texts; `undefined` when they have to come as UTF-16.
#[wasm_bindgen(js_name = levenshtein)]
pub fn levenshtein(outputs: &str, reference_outputs: &str, max_cells: f64) -> Result<Option<f64>, JsValue> {
    Ok(levenshtein::similarity(outputs, reference_outputs, max_cells)?)
}

/// The similarity of each pair of consecutive texts.
#[wasm_bindgen(js_name = levenshteinBatch)]
pub fn levenshtein_batch(units: &[u16], lengths: &[u32], max_cells: f64) -> Result<Vec<f64>, JsValue> {
    Ok(levenshtein::similarity_batch(units, lengths, max_cells)?)
}

/// The similarity of two vectors, rounded to two decimals.
#[wasm_bindgen(js_name = embeddingSimilarity)]
pub fn embedding_similarity(
    algorithm: &str,
    outputs: &[f64],
    reference_outputs: &[f64],
) -> Result<f64, JsValue> {
    let algorithm = embedding_similarity::Algorithm::named(algorithm)
        .ok_or_else(|| Error::invalid_config("the algorithm is unknown"))?;
    Ok(embedding_similarity::similarity(algorithm, outputs, reference_outputs)?)
}

/// Messages as a text for a model, as JSON; both ways lone surrogates stay as they are.
#[wasm_bindgen(js_name = renderMessages, unchecked_return_type = "JsonOf<string>")]
pub fn render_messages(messages: &str, place: &str) -> Result<String, JsValue> {
    Ok(Draft::from(conversation::render_messages(messages, place)?.as_str()).into_text())
}

/// What a graph did, as a text for a judge.
#[wasm_bindgen(js_name = renderGraphThread)]
pub fn render_graph_thread(
    #[wasm_bindgen(unchecked_param_type = "JsonOf<GraphTurn[]>")] turns: &str,
) -> Result<String, JsValue> {
    Ok(graph::render_thread(&json::read::<Vec<GraphTurn>>(turns)?))
}

/// What it should have done, in a block of its own.
#[wasm_bindgen(js_name = renderGraphReference)]
pub fn render_graph_reference(
    #[wasm_bindgen(unchecked_param_type = "JsonOf<GraphTurn[]>")] turns: &str,
) -> Result<String, JsValue> {
    Ok(graph::render_reference(&json::read::<Vec<GraphTurn>>(turns)?))
}

/// The JSON match evaluator, with its configuration.
#[wasm_bindgen]
pub struct JsonMatch(JsonMatchConfig);

#[wasm_bindgen]
impl JsonMatch {
    /// Takes the configuration over the boundary, once.
    #[wasm_bindgen(constructor)]
    pub fn new(
        #[wasm_bindgen(unchecked_param_type = "JsonOf<JsonMatchConfig>")] config: &str,
    ) -> Result<JsonMatch, JsValue> {
        Ok(Self(json::read(config)?))
    }

    /// The score of each key. Without a rubric.
    pub fn score(&self, json: &[u8], second: usize) -> Result<Ts<KeyScores>, JsValue> {
        let (outputs, reference_outputs) = pair(json, second)?;
        to_ts(&KeyScores::new(&self.0.score(outputs, reference_outputs)?)?)
    }

    /// The one score of a configuration with an aggregator. Without a rubric.
    pub fn aggregate(&self, json: &[u8], second: usize) -> Result<f64, JsValue> {
        let (outputs, reference_outputs) = pair(json, second)?;
        Ok(only(&self.0.score(outputs, reference_outputs)?)?)
    }

    /// The same as `score` for rows.
    #[wasm_bindgen(js_name = scoreBatch)]
    pub fn score_batch(&self, rows: &[u8]) -> Result<Ts<RowScores>, JsValue> {
        to_ts(&RowScores::new(&self.0.score_batch(text(rows)?)?)?)
    }

    /// The same as `aggregate` for rows.
    #[wasm_bindgen(js_name = aggregateBatch)]
    pub fn aggregate_batch(&self, rows: &[u8]) -> Result<Vec<f64>, JsValue> {
        let rows = self.0.score_batch(text(rows)?)?;
        Ok(rows.iter().map(|scores| only(scores)).collect::<Result<_>>()?)
    }

    /// What evaluators have to compare.
    #[wasm_bindgen(unchecked_return_type = "JsonOf<Leaf[]>")]
    pub fn leaves(&self, json: &[u8], second: usize) -> Result<String, JsValue> {
        let (outputs, reference_outputs) = pair(json, second)?;
        let leaves: Vec<Leaf> = self.0.leaves(outputs, reference_outputs)?;
        Ok(json::write(&leaves)?)
    }

    /// The same as `score`, with the scores of the leaves.
    #[wasm_bindgen(js_name = scoreLeaves)]
    pub fn score_leaves(&self, json: &[u8], second: usize, leaves: &[f64]) -> Result<Ts<KeyScores>, JsValue> {
        let (outputs, reference_outputs) = pair(json, second)?;
        to_ts(&KeyScores::new(&self.0.score_leaves(outputs, reference_outputs, leaves)?)?)
    }
}

fn only(scores: &[ScoredKey]) -> Result<f64> {
    match scores {
        [ScoredKey { score, .. }] => Ok(*score),
        _ => Err(Error::invalid_config("there is no aggregator")),
    }
}

/// The trajectory match evaluator, with its configuration. Trajectories are lines: see `src/trajectory/message.rs`.
#[wasm_bindgen]
pub struct TrajectoryMatch(TrajectoryMatchConfig);

#[wasm_bindgen]
impl TrajectoryMatch {
    /// Takes the configuration over the boundary, once.
    #[wasm_bindgen(constructor)]
    pub fn new(
        #[wasm_bindgen(unchecked_param_type = "JsonOf<TrajectoryMatchConfig>")] config: &str,
    ) -> Result<TrajectoryMatch, JsValue> {
        Ok(Self(json::read(config)?))
    }

    /// Why two trajectories do not match; `undefined` when they do. For configurations without custom matchers.
    pub fn mismatch(&self, lines: &[u8], second: usize) -> Result<Option<String>, JsValue> {
        let (outputs, reference_outputs) = pair(lines, second)?;
        Ok(self.0.mismatch_at_once(outputs, reference_outputs, &mut JsMatcher(None))?)
    }

    /// The same, asking `matcher(output call, reference call)`, which may return a promise.
    #[wasm_bindgen(js_name = mismatchWith)]
    pub async fn mismatch_with(
        &self,
        lines: Vec<u8>,
        second: usize,
        matcher: Function,
    ) -> Result<Option<String>, JsValue> {
        let (outputs, reference_outputs) = pair(&lines, second)?;
        Ok(self.0.mismatch(outputs, reference_outputs, &mut JsMatcher(Some(matcher))).await?)
    }

    /// The same as `mismatch` for rows, which end with a null character on each of their sides.
    #[wasm_bindgen(js_name = mismatchBatch, unchecked_return_type = "JsonOf<(string | null)[]>")]
    pub fn mismatch_batch(&self, rows: &[u8]) -> Result<String, JsValue> {
        Ok(mismatches_to_json(&self.0.mismatch_batch(text(rows)?, &mut JsMatcher(None))?))
    }

    /// How much of two trajectories matches, asking the matcher as `mismatchWith` does.
    pub async fn overlap(
        &self,
        lines: Vec<u8>,
        second: usize,
        matcher: Option<Function>,
    ) -> Result<Ts<TrajectoryOverlap>, JsValue> {
        let (outputs, reference_outputs) = pair(&lines, second)?;
        to_ts(&self.0.overlap(outputs, reference_outputs, &mut JsMatcher(matcher)).await?)
    }

    /// The same for rows, as in `mismatchBatch`.
    #[wasm_bindgen(js_name = overlapBatch, unchecked_return_type = "TrajectoryOverlap[]")]
    pub fn overlap_batch(&self, rows: &[u8]) -> Result<JsValue, JsValue> {
        to_js(&self.0.overlap_batch(text(rows)?, &mut JsMatcher(None))?)
    }
}

/// Where two lists of steps differ; `undefined` when they do not.
#[wasm_bindgen(js_name = graphTrajectoryMismatch)]
pub fn graph_trajectory_mismatch(
    #[wasm_bindgen(unchecked_param_type = "JsonOf<TrajectoryMatchMode>")] mode: &str,
    json: &[u8],
    second: usize,
) -> Result<Option<String>, JsValue> {
    let (outputs, reference_outputs) = pair(json, second)?;
    Ok(graph::mismatch(json::read(mode)?, outputs, reference_outputs)?)
}

/// The same for rows.
#[wasm_bindgen(
    js_name = graphTrajectoryMismatchBatch,
    unchecked_return_type = "JsonOf<(string | null)[]>"
)]
pub fn graph_trajectory_mismatch_batch(
    #[wasm_bindgen(unchecked_param_type = "JsonOf<TrajectoryMatchMode>")] mode: &str,
    rows: &[u8],
) -> Result<String, JsValue> {
    Ok(mismatches_to_json(&graph::mismatch_batch(json::read(mode)?, text(rows)?)?))
}

fn mismatches_to_json(mismatches: &[Option<String>]) -> String {
    let null = || Draft::verbatim("null");
    Draft::list(mismatches.iter().map(|mismatch| mismatch.as_deref().map_or_else(null, Draft::from)))
        .into_text()
}

/// One type for both cases: the engine is compiled once for each type of matcher.
struct JsMatcher(Option<Function>);

impl CustomMatcher for JsMatcher {
    async fn matches(&mut self, output: usize, reference: usize) -> Result<bool> {
        let missing = || Error::invalid_config("the configuration has a custom matcher that was not passed");
        let matcher = self.0.as_ref().ok_or_else(missing)?;
        // The package keeps what was thrown, and adds it as the cause.
        let failed = |_| Error::new(Code::CallbackFailed, "a custom matcher of toolArgsMatchOverrides threw");
        let arguments = (JsValue::from(output as u32), JsValue::from(reference as u32));
        let answer = matcher.call2(&JsValue::NULL, &arguments.0, &arguments.1).map_err(failed)?;
        let answer = match answer.dyn_into::<Promise>() {
            Ok(promise) => JsFuture::from(promise).await.map_err(failed)?,
            Err(answer) => answer,
        };
        Ok(answer.is_truthy())
    }
}
