//! The bindings: what JavaScript sees of the engine. They convert, await and nothing else.
//!
//! Data crosses as JSON text, scores as primitives. `pkg-template/` turns these into the public API.

mod chat;
mod code;
mod embeddings;
mod fetch;
mod judge;
mod recipes;
mod scoring;
mod summary;

use crate::error::Error;
use wasm_bindgen::JsValue;

/// Errors are thrown as plain objects; the package makes `OpenEvalsError` of them, with a stack of its own.
impl From<Error> for JsValue {
    fn from(error: Error) -> Self {
        serde_wasm_bindgen::to_value(&error).unwrap_or_else(|_| JsValue::from_str(&error.message))
    }
}
