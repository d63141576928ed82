//! The bindings of the engine for JavaScript. They only convert and await.
//!
//! `.github/ARCHITECTURE.md` lists how data is passed. `pkg-template/` builds the public API on these bindings.
//!
//! Each of the five binaries enables one feature: `openevals.wasm` has `scores`, and `openevals-<feature>.wasm` has
//! `judges`, `agents`, `metrics` or `statistics`. They share one engine; the linker removes what the bindings of a binary
//! do not reach.

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
#[cfg(any(feature = "scores", feature = "judges", feature = "metrics", feature = "statistics"))]
mod objects;
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
#[cfg(any(feature = "scores", feature = "judges", feature = "metrics", feature = "statistics"))]
use objects::thrown;
#[cfg(any(feature = "metrics", feature = "statistics"))]
use serde::de::DeserializeOwned;
#[cfg(any(feature = "metrics", feature = "statistics"))]
use tsify::{Ts, Tsify};
use wasm_bindgen::prelude::*;

/// 3 KB gzipped smaller than the standard library's, and some percent slower: for the binaries where size matters more.
#[cfg(any(feature = "judges", feature = "agents"))]
#[global_allocator]
static ALLOCATOR: rlsf::SmallGlobalTlsf = rlsf::SmallGlobalTlsf::new();

#[cfg(feature = "rows")]
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

/// The object of an error, in `openevals-agents.wasm`: its other results are JSON text, so the writer of objects would be for
/// errors alone.
#[cfg(not(any(feature = "scores", feature = "judges", feature = "metrics", feature = "statistics")))]
fn thrown(error: &Error) -> Option<JsValue> {
    #[wasm_bindgen]
    extern "C" {
        #[wasm_bindgen(js_namespace = JSON, js_name = parse)]
        fn parse_json(text: &str) -> JsValue;
    }
    Some(parse_json(&crate::json::write(error).ok()?))
}

/// Options. The package writes them with generated types, so a mismatch is a mistake in the package.
#[cfg(any(feature = "metrics", feature = "statistics"))]
fn from_js<T: Tsify + DeserializeOwned>(value: &Ts<T>) -> Result<T, Error> {
    options::read(value.js_value()).ok_or_else(|| Error::invalid_config("the options do not have their type"))
}

/// Text that was passed as bytes. The package writes UTF-8, so anything else is a mistake in the package.
fn text(json: &[u8]) -> Result<&str> {
    std::str::from_utf8(json).map_err(|_| Error::invalid_input("the text is not UTF-8"))
}

#[cfg(feature = "agents")]
#[wasm_bindgen]
extern "C" {
    /// A text in lower case.
    #[wasm_bindgen(js_namespace = ["String", "prototype", "toLowerCase"], js_name = call)]
    fn lowercase(text: &str) -> String;
}

/// Both sides of a comparison; the second begins at `second`.
#[cfg(any(feature = "scores", feature = "judges"))]
fn pair(json: &[u8], second: usize) -> Result<(&str, &str)> {
    text(json)?.split_at_checked(second).ok_or_else(|| Error::invalid_input("the text has no second side"))
}
