//! Compares an agent's function calls, and the final state, with a reference.

use super::text;
use crate::agents::each_row;
use crate::agents::function_calls::FunctionCallConfig;
use crate::agents::state_match::StateMatchConfig;
use crate::agents::tau;
use crate::json;
use wasm_bindgen::prelude::*;

/// The evaluator of function calls, with its configuration.
#[wasm_bindgen]
pub struct FunctionCalls(FunctionCallConfig);

#[wasm_bindgen]
impl FunctionCalls {
    /// Takes the configuration over the boundary, once.
    #[wasm_bindgen(constructor)]
    pub fn new(
        #[wasm_bindgen(unchecked_param_type = "JsonOf<FunctionCallConfig>")] config: &str,
    ) -> Result<FunctionCalls, JsValue> {
        Ok(Self(json::read(config)?))
    }

    /// Compares the calls of each row with the accepted ones, which are the second text.
    #[wasm_bindgen(unchecked_return_type = "JsonOf<FunctionCallVerdict[]>")]
    pub fn judge(&self, rows: &[u8]) -> Result<String, JsValue> {
        Ok(json::write(&each_row(text(rows)?, |calls, accepted| self.0.judge(calls, accepted))?)?)
    }
}

/// Compares the states of rows, the JSON of `[[outputs, referenceOutputs], …]`.
#[wasm_bindgen(js_name = compareStates, unchecked_return_type = "JsonOf<StateComparison[]>")]
pub fn compare_states(
    #[wasm_bindgen(unchecked_param_type = "JsonOf<StateMatchConfig>")] config: &str,
    rows: &[u8],
) -> Result<String, JsValue> {
    let config: StateMatchConfig = json::read(config)?;
    Ok(json::write(&config.compare(text(rows)?)?)?)
}

/// The parts of the reward of rows. The second text is the JSON of `TauCriteria`.
#[wasm_bindgen(js_name = tauChecks, unchecked_return_type = "JsonOf<TauChecks[]>")]
pub fn tau_checks(rows: &[u8]) -> Result<String, JsValue> {
    Ok(json::write(&each_row(text(rows)?, tau::checks)?)?)
}
