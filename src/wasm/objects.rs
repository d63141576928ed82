//! Writes results as JavaScript objects.

use crate::error::{Error, Result};
use serde::Serialize;
use serde_wasm_bindgen::Serializer;
use tsify::{Ts, Tsify};
use wasm_bindgen::JsValue;

/// The object of an error.
pub fn thrown(error: &Error) -> Option<JsValue> {
    serde_wasm_bindgen::to_value(error).ok()
}

/// A result as a JavaScript object. Missing values are `null` unless their type omits them.
pub fn to_js<T: Serialize>(value: &T) -> Result<JsValue, JsValue> {
    let value = value.serialize(&Serializer::new().serialize_missing_as_null(true));
    // Only a type without a JavaScript form fails, a mistake of the engine. Its own message would add a function to all bindings.
    Ok(value.map_err(|_| Error::invalid_config("the engine has no object for a value of this type"))?)
}

/// The same with a TypeScript type.
pub fn to_ts<T: Tsify + Serialize>(value: &T) -> Result<Ts<T>, JsValue> {
    Ok(Ts::new_unchecked(to_js(value)?))
}
