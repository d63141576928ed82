//! Eval Recipes.

use super::chat::ChatModel;
use crate::recipes::{Task, run};
use js_sys::Function;
use wasm_bindgen::prelude::*;

/// Runs the recipe `name` and gives the JSON text of what it found. `config` and `input` are JSON texts; `report` is
/// called with the JSON text of each part of the result that is there before the rest.
#[wasm_bindgen(js_name = runRecipe)]
pub async fn run_recipe(
    name: String,
    config: String,
    input: String,
    model: &ChatModel,
    verifier: &ChatModel,
    report: Function,
) -> Result<String, JsValue> {
    let (model, verifier) = (model.session(), verifier.session());
    let report = |part: &str| {
        // Does not throw: it only puts the part where it is waited for.
        let _ = report.call1(&JsValue::UNDEFINED, &part.into());
    };
    let task = Task { model: &model, verifier: &verifier, config: &config, input: &input, report: &report };
    let output = run(&name, task).await.map_err(|error| model.explain(error))?;
    Ok(output.into_text())
}
