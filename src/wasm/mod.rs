//! The bindings: what JavaScript sees of the engine. They convert, await and nothing else.
//!
//! Data crosses as JSON text, scores as primitives. `pkg-template/` turns these into the public API.

mod chat;
mod code;
mod fetch;
mod judge;
mod options;
mod scoring;

use crate::error::Error;
use wasm_bindgen::JsValue;

/// Errors are thrown as plain objects; the package makes `OpenEvalsError` of them, with a stack of its own.
impl From<Error> for JsValue {
    fn from(error: Error) -> Self {
        serde_wasm_bindgen::to_value(&error).unwrap_or_else(|_| JsValue::from_str(&error.message))
    }
}

/// A configuration as the package passes it. The package checks what users write, so this only fails on a mistake here.
fn config<T: serde::de::DeserializeOwned>(value: JsValue) -> Result<T, Error> {
    serde_wasm_bindgen::from_value(value).map_err(|error| Error::invalid_config(error.to_string()))
}

/// The JSON text of a result that is not a primitive.
fn json_text(value: &impl serde::Serialize) -> Result<String, Error> {
    serde_json::to_string(value).map_err(|error| Error::invalid_input(error.to_string()))
}
