//! Recipes with scripted models. The package has their prompts, with tests.

use crate::chat::testing::ScriptedModel;
use crate::error::Result;
use crate::executor::ready;
use crate::json;
use serde::Serialize;

/// The result of a recipe as JSON text, with the last message of each request.
pub(super) fn ran(
    model: &ScriptedModel,
    run: impl Future<Output = Result<impl Serialize>>,
) -> (Result<String>, Vec<String>) {
    let output = ready(run).expect("scripted models do not wait").and_then(|result| json::write(&result));
    let requests = model.requests.borrow();
    let last =
        |messages: &Vec<crate::chat::Message>| messages.last().map(|message| message.to_json().into_text());
    (output, requests.iter().filter_map(|(messages, _)| last(messages)).collect())
}
