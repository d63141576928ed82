//! The bindings: what JavaScript sees of the engine. They convert, await and nothing else.
//!
//! Data crosses as JSON text, scores as primitives. `pkg-template/` turns these into the public API.
//!
//! They are four binaries, each with a feature that is its key: `openevals.wasm` has `scores`, `openevals-judges.wasm` has
//! `judges`, `openevals-metrics.wasm` has `metrics`, and `openevals-statistics.wasm` has `statistics`. The engine behind them
//! is one: the linker leaves out what no binding of a binary reaches.

#[cfg(feature = "judges")]
mod access;
#[cfg(feature = "judges")]
mod chat;
#[cfg(feature = "judges")]
mod code;
#[cfg(feature = "judges")]
mod embeddings;
#[cfg(feature = "judges")]
mod fetch;
#[cfg(feature = "judges")]
mod json_schema;
#[cfg(feature = "judges")]
mod judge;
#[cfg(any(feature = "metrics", feature = "statistics"))]
mod options;
#[cfg(feature = "judges")]
mod recipes;
#[cfg(feature = "metrics")]
mod retrieval_metrics;
#[cfg(feature = "judges")]
mod rubric;
#[cfg(feature = "scores")]
mod scoring;
#[cfg(feature = "statistics")]
mod statistics;
#[cfg(feature = "metrics")]
mod text_metrics;

use crate::error::{Error, Result};
use serde::Serialize;
#[cfg(any(feature = "metrics", feature = "statistics"))]
use serde::de::DeserializeOwned;
use serde_wasm_bindgen::Serializer;
use tsify::{Ts, Tsify};
use wasm_bindgen::prelude::*;

#[cfg(any(feature = "scores", feature = "judges"))]
#[wasm_bindgen(typescript_custom_section)]
const JSON_OF: &str = "
/**
 * A value as JSON text.
 */
export type JsonOf<T> = string & { readonly jsonOf: T };
";

/// Errors are thrown as plain objects; the package makes `OpenEvalsError` of them, with a stack of its own.
impl From<Error> for JsValue {
    fn from(error: Error) -> Self {
        serde_wasm_bindgen::to_value(&error).unwrap_or_else(|_| JsValue::from_str(&error.message))
    }
}

/// A result as an object of JavaScript. What is not defined is `null`, unless its type leaves it out.
fn to_js<T: Serialize>(value: &T) -> Result<JsValue, JsValue> {
    let value = value.serialize(&Serializer::new().serialize_missing_as_null(true));
    Ok(value.map_err(|error| Error::invalid_config(error.to_string()))?)
}

/// The same of a type that TypeScript knows.
fn to_ts<T: Tsify + Serialize>(value: &T) -> Result<Ts<T>, JsValue> {
    Ok(Ts::new_unchecked(to_js(value)?))
}

/// Options. The package writes them by the types that are generated for it, so anything else is a mistake in it.
#[cfg(any(feature = "metrics", feature = "statistics"))]
fn from_js<T: Tsify + DeserializeOwned>(value: &Ts<T>) -> Result<T, Error> {
    options::read(value.js_value())
        .ok_or_else(|| Error::invalid_config("these options are not of their type"))
}

/// What crossed as bytes. The package writes UTF-8, so anything else is a mistake in it.
#[cfg(any(feature = "scores", feature = "judges"))]
fn text(json: &[u8]) -> Result<&str> {
    std::str::from_utf8(json).map_err(|_| Error::invalid_input("what crossed is not UTF-8"))
}

/// Both sides of a comparison, of which the other begins at `second`.
#[cfg(any(feature = "scores", feature = "judges"))]
fn pair(json: &[u8], second: usize) -> Result<(&str, &str)> {
    text(json)?
        .split_at_checked(second)
        .ok_or_else(|| Error::invalid_input("what crossed has no second side"))
}
