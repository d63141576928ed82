//! JSON match with a rubric: a model judges some of the keys.

use super::chat::ChatModel;
use super::objects::to_ts;
use super::pair;
use crate::json;
use crate::json_match::{JsonMatchConfig, RowScores};
use tsify::Ts;
use wasm_bindgen::prelude::*;

/// The JSON match evaluator with a rubric. `JsonMatch` has called the caller's own evaluators before.
#[wasm_bindgen]
pub struct JudgedMatch(JsonMatchConfig);

#[wasm_bindgen]
impl JudgedMatch {
    /// Reads the configuration, which is JSON text.
    #[wasm_bindgen(constructor)]
    pub fn new(
        #[wasm_bindgen(unchecked_param_type = "JsonOf<JsonMatchConfig>")] config: &str,
    ) -> Result<JudgedMatch, JsValue> {
        Ok(Self(json::read(config)?))
    }

    /// The scores of keys and leaves. `model` judges the keys in the rubric.
    pub async fn score(
        &self,
        model: &ChatModel,
        json: Vec<u8>,
        second: usize,
        leaves: Vec<f64>,
    ) -> Result<Ts<RowScores>, JsValue> {
        let (outputs, reference_outputs) = pair(&json, second)?;
        let session = model.session();
        let scores = self.0.judge(&session, outputs, reference_outputs, &leaves).await;
        to_ts(&RowScores::new(&[scores.map_err(|error| session.explain(error))?])?)
    }
}
