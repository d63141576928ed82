//! The evaluators that compute their score.

use super::objects::{to_js, to_ts};
use super::{pair, text};
use crate::error::{Error, Result};
use crate::executor;
use crate::json::{self, JsonBuilder};
use crate::json_match::{JsonMatchConfig, Leaf, RowScores};
use crate::string::{embedding_similarity, levenshtein};
use crate::trajectory::graph::{self, GraphTurn};
use crate::trajectory::{CustomMatcher, TrajectoryMatchConfig};
use crate::{conversation, exact};
use std::cell::Cell;
use std::future::{Future, poll_fn};
use std::pin::Pin;
use std::rc::Rc;
use std::task::Poll;
use tsify::Ts;
use wasm_bindgen::prelude::*;

/// Whether two JSON texts, the second of which begins at `second`, have the same value.
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

/// The similarity of two texts; `undefined` if they have to cross as UTF-16.
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

/// Messages as text for a model. Input and result are JSON text, which preserves lone surrogates.
#[wasm_bindgen(js_name = renderMessages, unchecked_return_type = "JsonOf<string>")]
pub fn render_messages(messages: &str, place: &str) -> Result<String, JsValue> {
    Ok(JsonBuilder::from(conversation::render_messages(messages, place)?.as_str()).into_text())
}

/// The trajectory of a graph as a text for a judge.
#[wasm_bindgen(js_name = renderGraphThread)]
pub fn render_graph_thread(
    #[wasm_bindgen(unchecked_param_type = "JsonOf<GraphTurn[]>")] turns: &str,
) -> Result<String, JsValue> {
    Ok(graph::render_thread(&json::read::<Vec<GraphTurn>>(turns)?))
}

/// The reference trajectory, in its own block.
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
    /// Reads the configuration once, for all calls.
    #[wasm_bindgen(constructor)]
    pub fn new(
        #[wasm_bindgen(unchecked_param_type = "JsonOf<JsonMatchConfig>")] config: &str,
    ) -> Result<JsonMatch, JsValue> {
        Ok(Self(json::read(config)?))
    }

    /// The score of each key, or their aggregate, with the scores of the leaves. Without a rubric.
    pub fn score(&self, json: &[u8], second: usize, leaves: &[f64]) -> Result<Ts<RowScores>, JsValue> {
        let (outputs, reference_outputs) = pair(json, second)?;
        to_ts(&RowScores::new(&[self.0.score(outputs, reference_outputs, leaves)?])?)
    }

    /// The same as `score` for rows, without leaves.
    #[wasm_bindgen(js_name = scoreBatch)]
    pub fn score_batch(&self, rows: &[u8]) -> Result<Ts<RowScores>, JsValue> {
        to_ts(&RowScores::new(&self.0.score_batch(text(rows)?)?)?)
    }

    /// The values for the caller's evaluators to compare.
    #[wasm_bindgen(unchecked_return_type = "JsonOf<Leaf[]>")]
    pub fn leaves(&self, json: &[u8], second: usize) -> Result<String, JsValue> {
        let (outputs, reference_outputs) = pair(json, second)?;
        let leaves: Vec<Leaf> = self.0.leaves(outputs, reference_outputs)?;
        Ok(json::write(&leaves)?)
    }
}

/// The trajectory match evaluator, with its configuration. Trajectories are lines: see `src/trajectory/message.rs`.
#[wasm_bindgen]
pub struct TrajectoryMatch(Rc<TrajectoryMatchConfig>);

#[wasm_bindgen]
impl TrajectoryMatch {
    /// Reads the configuration once, for all calls.
    #[wasm_bindgen(constructor)]
    pub fn new(
        #[wasm_bindgen(unchecked_param_type = "JsonOf<TrajectoryMatchConfig>")] config: &str,
    ) -> Result<TrajectoryMatch, JsValue> {
        Ok(Self(Rc::new(json::read(config)?)))
    }

    /// Why two trajectories do not match; `undefined` when they do. For configurations without custom matchers.
    pub fn mismatch(&self, lines: &[u8], second: usize) -> Result<Option<String>, JsValue> {
        let (outputs, reference_outputs) = pair(lines, second)?;
        Ok(self.0.mismatch_at_once(outputs, reference_outputs, &mut Questions::default())?)
    }

    /// Compares as [`Self::mismatch`] does, but also with custom matchers. If `is_overlap`, the result is how much of the
    /// trajectories matches.
    pub fn compare(&self, lines: Vec<u8>, second: usize, is_overlap: bool) -> TrajectoryComparison {
        let config = Rc::clone(&self.0);
        let questions = Questions::default();
        let mut custom = questions.clone();
        let work = Box::pin(async move {
            let (outputs, reference_outputs) = pair(&lines, second)?;
            if is_overlap {
                to_js(&config.overlap(outputs, reference_outputs, &mut custom).await?)
            } else {
                to_js(&config.mismatch(outputs, reference_outputs, &mut custom).await?)
            }
        });
        TrajectoryComparison { questions, work }
    }

    /// The same as `mismatch` for rows, which end with a null character on each of their sides.
    #[wasm_bindgen(js_name = mismatchBatch, unchecked_return_type = "JsonOf<(string | null)[]>")]
    pub fn mismatch_batch(&self, rows: &[u8]) -> Result<String, JsValue> {
        Ok(mismatches_to_json(&self.0.mismatch_batch(text(rows)?, &mut Questions::default())?))
    }

    /// The same for rows, as in `mismatchBatch`.
    #[wasm_bindgen(js_name = overlapBatch, unchecked_return_type = "TrajectoryOverlap[]")]
    pub fn overlap_batch(&self, rows: &[u8]) -> Result<JsValue, JsValue> {
        to_js(&self.0.overlap_batch(text(rows)?, &mut Questions::default())?)
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
    let null = || JsonBuilder::verbatim("null");
    JsonBuilder::list(
        mismatches.iter().map(|mismatch| mismatch.as_deref().map_or_else(null, JsonBuilder::from)),
    )
    .into_text()
}

/// A comparison that asks custom matchers. It pauses at each question until the package resumes it with the answer.
#[wasm_bindgen]
pub struct TrajectoryComparison {
    questions: Questions,
    work: Pin<Box<dyn Future<Output = Result<JsValue, JsValue>>>>,
}

#[wasm_bindgen]
impl TrajectoryComparison {
    /// Continues with the answer to the last question; the first call starts, and its answer is ignored. Returns the result,
    /// or `undefined` at the next question. Not to be called after the result.
    #[wasm_bindgen(unchecked_return_type = "TrajectoryOverlap | string | null | undefined")]
    pub fn resume(&mut self, answer: bool) -> Result<JsValue, JsValue> {
        self.questions.0.answer.set(Some(answer));
        executor::step(self.work.as_mut()).unwrap_or(Ok(JsValue::UNDEFINED))
    }

    /// The call of the outputs that the question is about.
    #[wasm_bindgen(getter)]
    pub fn output(&self) -> usize {
        self.questions.0.calls.get().0
    }

    /// The call of the reference that the question is about.
    #[wasm_bindgen(getter)]
    pub fn reference(&self) -> usize {
        self.questions.0.calls.get().1
    }
}

/// The question of a comparison. If no answer arrives, it is an error of the engine.
#[derive(Clone, Default)]
struct Questions(Rc<Question>);

#[derive(Default)]
struct Question {
    calls: Cell<(usize, usize)>,
    answer: Cell<Option<bool>>,
}

impl CustomMatcher for Questions {
    async fn matches(&mut self, output: usize, reference: usize) -> Result<bool> {
        let question = &self.0;
        question.calls.set((output, reference));
        question.answer.take();
        let answer = poll_fn(|_| question.answer.take().map_or(Poll::Pending, Poll::Ready));
        Ok(answer.await)
    }
}
