//! JSON match where a model judges some of the keys.

use super::chat::ChatModel;
use super::{pair, to_ts};
use crate::json;
use crate::json_match::{JsonMatchConfig, KeyScores};
use tsify::Ts;
use wasm_bindgen::prelude::*;

/// The JSON match evaluator with a rubric. What evaluators of the caller's compare has been found before, by `JsonMatch`.
#[wasm_bindgen]
pub struct JudgedMatch(JsonMatchConfig);

#[wasm_bindgen]
impl JudgedMatch {
    /// Takes the configuration over the boundary, once.
    #[wasm_bindgen(constructor)]
    pub fn new(
        #[wasm_bindgen(unchecked_param_type = "JsonOf<JsonMatchConfig>")] config: &str,
    ) -> Result<JudgedMatch, JsValue> {
        Ok(Self(json::read(config)?))
    }

    /// The score of each key, with the scores of the leaves; `model` judges what the rubric names.
    pub async fn score(
        &self,
        model: &ChatModel,
        json: Vec<u8>,
        second: usize,
        leaves: Vec<f64>,
    ) -> Result<Ts<KeyScores>, JsValue> {
        let (outputs, reference_outputs) = pair(&json, second)?;
        let session = model.session();
        let scores = self.0.judge(&session, outputs, reference_outputs, &leaves).await;
        to_ts(&KeyScores::new(&scores.map_err(|error| session.explain(error))?)?)
    }
}
