//! Eval Recipes.

use super::chat::{ChatModel, with_cause};
use crate::recipes::{Task, run};
use js_sys::{Function, Promise};
use std::pin::Pin;
use wasm_bindgen::prelude::*;
use wasm_bindgen_futures::JsFuture;

/// Runs the recipe `name` and gives the JSON text of what it found. `config` and `input` are JSON texts; `report` is
/// called with the JSON text of each part of the result that is there before the rest, and answers once that is taken, if
/// it likes with a promise: `true` ends the run.
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
    let report = |part: &str| -> Pin<Box<dyn Future<Output = bool>>> {
        // Does not throw: it only puts the part where it is waited for.
        let taken = report.call1(&JsValue::UNDEFINED, &part.into()).unwrap_or_default();
        Box::pin(
            async move { JsFuture::from(Promise::resolve(&taken)).await.is_ok_and(|stop| stop.is_truthy()) },
        )
    };
    let task = Task { model: &model, verifier: &verifier, config: &config, input: &input, report: &report };
    let output = run(&name, task).await.map_err(|error| {
        let cause = model.cause(&error).or_else(|| verifier.cause(&error));
        with_cause(error, cause)
    })?;
    Ok(output.into_text())
}
