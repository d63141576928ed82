//! Validates values with a JSON schema.

use super::fetch::describe;
use crate::error::{Error, Result};
use crate::json::{self, Json};
use crate::json_schema::{Schema, TextRule};
use js_sys::Function;
use wasm_bindgen::prelude::*;

#[wasm_bindgen(typescript_custom_section)]
const FITS: &str = r#"
/**
 * Says whether a text fits a rule of a schema; throws where that cannot be said.
 */
export type FitsTextRule = (keyword: string, rule: string, text: string) => boolean;
"#;

/// Functions that match the patterns and formats of a schema.
pub(super) fn text_rules(fits: Option<Function>) -> impl Fn(&str, &str, &str) -> Result<bool, String> {
    move |keyword, rule, text| match &fits {
        Some(fits) => match fits.call3(&JsValue::UNDEFINED, &keyword.into(), &rule.into(), &text.into()) {
            Ok(fits) => Ok(fits.is_truthy()),
            Err(thrown) => Err(describe(&thrown)),
        },
        None => Ok(true),
    }
}

/// A schema.
#[wasm_bindgen]
pub struct JsonSchema {
    schema: Json<'static>,
    rules: Vec<TextRule>,
}

#[wasm_bindgen]
impl JsonSchema {
    /// Reads a schema, which is JSON text.
    #[wasm_bindgen(constructor)]
    pub fn new(schema: &str) -> Result<JsonSchema, JsValue> {
        let read = json::parse(schema).map_err(|error| Error::invalid_config(error.message.as_str()))?;
        let (_, rules) = Schema::read(&read)?;
        Ok(Self { schema: read.into_owned(), rules })
    }

    /// The patterns and formats of texts in a value. If there are any, `check` needs functions that match them.
    #[wasm_bindgen(js_name = textRules, unchecked_return_type = "JsonOf<TextRule[]>")]
    pub fn text_rules(&self) -> Result<String, JsValue> {
        Ok(json::write(&self.rules)?)
    }

    /// Why a value, which is JSON text, does not fit the schema.
    pub fn check(
        &self,
        value: &[u8],
        #[wasm_bindgen(unchecked_param_type = "FitsTextRule | undefined")] fits: Option<Function>,
    ) -> Result<Option<String>, JsValue> {
        let value = json::parse(super::text(value)?)?;
        let (schema, _) = Schema::read(&self.schema)?;
        match schema.check(&value, &text_rules(fits)) {
            Ok(()) => Ok(None),
            Err(misfit) if misfit.is_final => Err(Error::invalid_input(misfit.what.as_str()).into()),
            Err(misfit) => Ok(Some(misfit.what)),
        }
    }
}
