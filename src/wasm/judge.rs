//! The evaluator that asks a model.

use super::chat::ChatModel;
use crate::json;
use crate::judge;
use wasm_bindgen::prelude::*;

/// The judge, with its configuration.
#[wasm_bindgen]
pub struct Judge(judge::Judge);

#[wasm_bindgen]
impl Judge {
    /// Takes the configuration over the boundary, once, as JSON text.
    #[wasm_bindgen(constructor)]
    pub fn new(
        #[wasm_bindgen(unchecked_param_type = "JsonOf<JudgeConfig>")] config: &str,
    ) -> Result<Judge, JsValue> {
        Ok(Self(judge::Judge::new(json::read(config)?)?))
    }

    /// Asks `model` for a verdict, as the JSON text of `{ verdict, metadata }`. `question` is the JSON text of what the
    /// judge reads: the variables of its prompt, or the messages of a prompt of the caller's.
    pub async fn evaluate(&self, model: &ChatModel, question: String) -> Result<String, JsValue> {
        let session = model.session();
        let evaluation = self.0.evaluate(&session, &question).await;
        Ok(evaluation.map_err(|error| session.explain(error))?.into_json().into_text())
    }
}
