//! The bindings of the engine for JavaScript. They only convert and await.
//!
//! `.github/ARCHITECTURE.md` lists how data is passed. `pkg-template/` makes the public API of it.
//!
//! There are five binaries, each with a feature: `openevals.wasm` has `scores`, `openevals-judges.wasm` has `judges`,
//! `openevals-agents.wasm` has `agents`, `openevals-metrics.wasm` has `metrics`, and `openevals-statistics.wasm` has `statistics`. They share one engine; the linker
//! removes what the bindings of a binary do not reach.

#[cfg(feature = "judges")]
mod access;
#[cfg(feature = "agents")]
mod agents;
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
mod rag;
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
#[cfg(not(feature = "agents"))]
use serde::Serialize;
#[cfg(any(feature = "metrics", feature = "statistics"))]
use serde::de::DeserializeOwned;
#[cfg(not(feature = "agents"))]
use serde_wasm_bindgen::Serializer;
#[cfg(not(feature = "agents"))]
use tsify::{Ts, Tsify};
use wasm_bindgen::prelude::*;

#[cfg(any(feature = "scores", feature = "judges", feature = "agents"))]
#[wasm_bindgen(typescript_custom_section)]
const JSON_OF: &str = "
/**
 * A value as JSON text.
 */
export type JsonOf<T> = string & { readonly jsonOf: T };
";

/// Errors are thrown as plain objects, which the package converts into `OpenEvalsError` with its own stack.
impl From<Error> for JsValue {
    fn from(error: Error) -> Self {
        thrown(&error).unwrap_or_else(|| JsValue::from_str(&error.message))
    }
}

/// The object of an error. Only this binary has no other objects, so the writer of objects would be for errors alone.
#[cfg(feature = "agents")]
fn thrown(error: &Error) -> Option<JsValue> {
    Some(parse_json(&crate::json::write(error).ok()?))
}

#[cfg(feature = "agents")]
#[wasm_bindgen]
extern "C" {
    #[wasm_bindgen(js_namespace = JSON, js_name = parse)]
    fn parse_json(text: &str) -> JsValue;
}

/// The object of an error.
#[cfg(not(feature = "agents"))]
fn thrown(error: &Error) -> Option<JsValue> {
    serde_wasm_bindgen::to_value(error).ok()
}

/// A result as a JavaScript object. Missing values are `null` unless their type omits them.
#[cfg(not(feature = "agents"))]
fn to_js<T: Serialize>(value: &T) -> Result<JsValue, JsValue> {
    let value = value.serialize(&Serializer::new().serialize_missing_as_null(true));
    Ok(value.map_err(|error| Error::invalid_config(error.to_string()))?)
}

/// The same with a TypeScript type.
#[cfg(not(feature = "agents"))]
fn to_ts<T: Tsify + Serialize>(value: &T) -> Result<Ts<T>, JsValue> {
    Ok(Ts::new_unchecked(to_js(value)?))
}

/// Options. The package writes them with generated types, so a mismatch is a mistake in the package.
#[cfg(any(feature = "metrics", feature = "statistics"))]
fn from_js<T: Tsify + DeserializeOwned>(value: &Ts<T>) -> Result<T, Error> {
    options::read(value.js_value())
        .ok_or_else(|| Error::invalid_config("these options are not of their type"))
}

/// Text that crossed as bytes. The package writes UTF-8, so anything else is a mistake in the package.
#[cfg(any(feature = "scores", feature = "judges", feature = "agents"))]
fn text(json: &[u8]) -> Result<&str> {
    std::str::from_utf8(json).map_err(|_| Error::invalid_input("what crossed is not UTF-8"))
}

/// A text in lower case.
#[cfg(feature = "agents")]
fn lowercase(text: &str) -> String {
    js_sys::JsString::from(text).to_lower_case().into()
}

/// Both sides of a comparison; the second begins at `second`.
#[cfg(any(feature = "scores", feature = "judges"))]
fn pair(json: &[u8], second: usize) -> Result<(&str, &str)> {
    text(json)?
        .split_at_checked(second)
        .ok_or_else(|| Error::invalid_input("what crossed has no second side"))
}
