//! Code in the answers of models.

use crate::code;
use crate::json::{self, JsonBuilder};
use wasm_bindgen::prelude::*;

/// The code in the fenced blocks of a text; `undefined` if there is none.
#[wasm_bindgen(js_name = codeFromMarkdown, unchecked_return_type = "JsonOf<string> | undefined")]
pub fn code_from_markdown(
    #[wasm_bindgen(unchecked_param_type = "JsonOf<string>")] text: &str,
) -> Result<Option<String>, JsValue> {
    let text = json::parse(text)?;
    let code = code::from_markdown(text.as_str().unwrap_or_default());
    Ok(code.map(|code| JsonBuilder::from(code.as_str()).into_text()))
}
