//! The model that plays the user of an application.

use super::chat::ChatModel;
use crate::json::Draft;
use crate::simulation::next_user_message;
use wasm_bindgen::prelude::*;

/// The user's next message, as the JSON text of a string. `conversation` is the JSON text of the messages so far.
#[wasm_bindgen(js_name = nextUserMessage)]
pub async fn next(model: &ChatModel, system: String, conversation: String) -> Result<String, JsValue> {
    let session = model.session();
    let said = next_user_message(&session, &system, &conversation).await;
    Ok(Draft::from(said.map_err(|error| session.explain(error))?.as_str()).into_text())
}
