//! The evaluators that compute their score.

use super::chat::ChatModel;
use crate::error::{Code, Error, Result};
use crate::json::Fields;
use crate::json::{Draft, Json};
use crate::json_match::{Aggregator, JudgedScore, ListMatchMode, Rubric, Score};
use crate::string::{embedding_similarity, levenshtein};
use crate::trajectory::{CustomMatcher, Mode, Overlap, Override, ToolArgsMatchMode};
use crate::{conversation, exact, graph_trajectory, json_match, trajectory};
use js_sys::{Array, Float64Array, Function, Promise};
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

/// What crossed as bytes. The package writes UTF-8, so anything else is a mistake in it.
fn text(json: &[u8]) -> Result<&str> {
    std::str::from_utf8(json).map_err(|_| Error::invalid_input("what crossed is not UTF-8"))
}

/// Both sides of a comparison, of which the other begins at `second`.
fn pair(json: &[u8], second: usize) -> Result<(&str, &str)> {
    text(json)?
        .split_at_checked(second)
        .ok_or_else(|| Error::invalid_input("what crossed has no second side"))
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

/// Where two lists of steps differ; `undefined` when they do not.
#[wasm_bindgen(js_name = graphTrajectoryMismatch)]
pub fn graph_trajectory_mismatch(mode: &str, json: &[u8], second: usize) -> Result<Option<String>, JsValue> {
    let (outputs, reference_outputs) = pair(json, second)?;
    Ok(graph_trajectory::mismatch(graph_mode(mode)?, outputs, reference_outputs)?)
}

/// The same for rows, as the JSON text of a list of `string | null`.
#[wasm_bindgen(js_name = graphTrajectoryMismatchBatch)]
pub fn graph_trajectory_mismatch_batch(mode: &str, rows: &[u8]) -> Result<String, JsValue> {
    Ok(mismatches_to_json(&graph_trajectory::mismatch_batch(graph_mode(mode)?, text(rows)?)?))
}

fn graph_mode(mode: &str) -> Result<Mode> {
    Mode::named(mode).ok_or_else(|| Error::invalid_config("the mode is unknown"))
}

/// Messages as a text for a model, as JSON; both ways lone surrogates stay as they are.
#[wasm_bindgen(js_name = renderMessages)]
pub fn render_messages(messages: &str, place: &str) -> Result<String, JsValue> {
    Ok(Draft::from(conversation::render_messages(messages, place)?.as_str()).into_text())
}

/// The JSON match evaluator, with its configuration.
#[wasm_bindgen]
pub struct JsonMatch(json_match::Config);

#[wasm_bindgen]
impl JsonMatch {
    /// Takes the configuration over the boundary, once, as JSON text.
    #[wasm_bindgen(constructor)]
    pub fn new(options: &str) -> Result<JsonMatch, JsValue> {
        let options = Fields::read(options)?;
        let excluded = options.list("excludeKeys").iter().filter_map(Json::as_str);
        let aggregator = options.get("aggregator").map(|_| options.named("aggregator", Aggregator::named));
        Ok(Self(json_match::Config {
            aggregator: aggregator.transpose()?,
            list_aggregator: options.named("listAggregator", Aggregator::named)?,
            exclude_keys: excluded.map(str::to_owned).collect(),
            list_match_mode: options.named("listMatchMode", ListMatchMode::named)?,
            rubric: Rubric { criteria: options.pairs("rubric"), use_reasoning: options.flag("useReasoning") },
        }))
    }

    /// `[scores, keys]`: a `Float64Array`, and the JSON text of a list. Without a rubric.
    pub fn score(&self, json: &[u8], second: usize) -> Result<Array, JsValue> {
        let (outputs, reference_outputs) = pair(json, second)?;
        let scores = self.0.score(outputs, reference_outputs)?;
        let values: Vec<f64> = scores.iter().map(|score| score.1).collect();
        Ok(scores_and_keys(&values, keys(&scores)))
    }

    /// The one score of a configuration with an aggregator.
    pub fn aggregate(&self, json: &[u8], second: usize) -> Result<f64, JsValue> {
        let (outputs, reference_outputs) = pair(json, second)?;
        let scores = self.0.score(outputs, reference_outputs)?;
        let score = scores.first().map(|score| score.1);
        Ok(score.ok_or_else(|| Error::invalid_config("there is no aggregator"))?)
    }

    /// The same as `score` for rows: all scores in one list, the keys in one for each row.
    #[wasm_bindgen(js_name = scoreBatch)]
    pub fn score_batch(&self, rows: &[u8]) -> Result<Array, JsValue> {
        let rows = self.0.score_batch(text(rows)?)?;
        let values: Vec<f64> = rows.iter().flatten().map(|score| score.1).collect();
        Ok(scores_and_keys(&values, Draft::list(rows.iter().map(|scores| keys(scores)))))
    }

    /// The same as `score` where `model` judges what the rubric names; in the place of each key
    /// `{ key, comment, metadata }`.
    pub async fn judge(&self, model: &ChatModel, json: Vec<u8>, second: usize) -> Result<Array, JsValue> {
        let (outputs, reference_outputs) = pair(&json, second)?;
        let session = model.session();
        let scores = self.0.judge(&session, outputs, reference_outputs).await;
        let scores = scores.map_err(|error| session.explain(error))?;
        let values: Vec<f64> = scores.iter().map(|judged| judged.score.1).collect();
        Ok(scores_and_keys(&values, Draft::list(scores.iter().map(judged_to_json))))
    }
}

fn keys(scores: &[Score]) -> Draft {
    Draft::list(scores.iter().map(|score| score.0.as_str().into()))
}

fn judged_to_json(judged: &JudgedScore) -> Draft {
    let mut json = Draft::object([("key", judged.score.0.as_str().into())]);
    if let Some(comment) = &judged.comment {
        json.set("comment", comment.as_str().into());
    }
    if let Some(metadata) = &judged.metadata {
        json.set("metadata", metadata.to_json());
    }
    json
}

/// Numbers cross as numbers: writing and reading doubles as text would take much more code.
fn scores_and_keys(scores: &[f64], keys: Draft) -> Array {
    Array::of2(&Float64Array::from(scores), &keys.into_text().into())
}

/// The trajectory match evaluator, with its configuration.
#[wasm_bindgen]
pub struct TrajectoryMatch(trajectory::Config);

#[wasm_bindgen]
impl TrajectoryMatch {
    /// Takes the configuration over the boundary, once, as JSON text.
    #[wasm_bindgen(constructor)]
    pub fn new(options: &str) -> Result<TrajectoryMatch, JsValue> {
        let options = Fields::read(options)?;
        let overrides = options.list("toolArgsMatchOverrides").iter().map(tool_args_override);
        Ok(Self(trajectory::Config {
            trajectory_match_mode: options.named("trajectoryMatchMode", Mode::named)?,
            tool_args_match_mode: options.named("toolArgsMatchMode", ToolArgsMatchMode::named)?,
            tool_args_match_overrides: overrides.collect::<Result<_>>()?,
        }))
    }

    /// Why two trajectories do not match; `undefined` when they do. For configurations without custom matchers.
    pub fn mismatch(&self, outputs: &str, reference_outputs: &str) -> Result<Option<String>, JsValue> {
        Ok(self.0.mismatch_at_once(outputs, reference_outputs, &mut JsMatcher(None))?)
    }

    /// The same, asking `matcher(output call, reference call)`, which may return a promise.
    #[wasm_bindgen(js_name = mismatchWith)]
    pub async fn mismatch_with(
        &self,
        outputs: String,
        reference_outputs: String,
        matcher: Function,
    ) -> Result<Option<String>, JsValue> {
        Ok(self.0.mismatch(&outputs, &reference_outputs, &mut JsMatcher(Some(matcher))).await?)
    }

    /// The same for rows, as the JSON text of a list of `string | null`; without custom matchers.
    #[wasm_bindgen(js_name = mismatchBatch)]
    pub fn mismatch_batch(&self, rows: &str) -> Result<String, JsValue> {
        Ok(mismatches_to_json(&self.0.mismatch_batch(rows, &mut JsMatcher(None))?))
    }

    /// How much of two trajectories matches, for rows as in `mismatchBatch`: for each of them the score, precision and
    /// recall, how many calls have no partner, and their places in a list of all calls, first those of the outputs. With
    /// a matcher, there is one row. Errors of a batch name their row.
    pub async fn overlaps(
        &self,
        rows: String,
        matcher: Option<Function>,
        is_batch: bool,
    ) -> Result<Vec<f64>, JsValue> {
        let mut numbers = Vec::new();
        let mut matcher = JsMatcher(matcher);
        let mut texts = rows.split_terminator('\0');
        let mut row = 0;
        while let (Some(outputs), Some(reference_outputs)) = (texts.next(), texts.next()) {
            let overlap = self.0.overlap(outputs, reference_outputs, &mut matcher).await;
            let place = |error: Error| if is_batch { error.at(&format!("rows[{row}]")) } else { error };
            let Overlap { f1, precision, recall, unmatched } = overlap.map_err(place)?;
            numbers.extend([f1, precision, recall, unmatched.len() as f64]);
            numbers.extend(unmatched.iter().map(|place| *place as f64));
            row += 1;
        }
        Ok(numbers)
    }
}

/// `[tool, rule]`.
fn tool_args_override(entry: &Json<'_>) -> Result<(String, Override)> {
    let read = match entry.as_array() {
        Some([Json::String(tool), rule]) => {
            Override::read(rule).map(|rule| (tool.clone().into_owned(), rule))
        }
        _ => None,
    };
    read.ok_or_else(|| Error::invalid_config("an override is a tool and a rule"))
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
