//! Verdicts on tool calls. Rows are pairs of texts that end with a null character: see `src/agents/mod.rs`.

use super::text;
use crate::agents::loops::LoopConfig;
use crate::agents::policy::ToolPolicyConfig;
use crate::agents::{each_row, efficiency, handoffs, status};
use crate::json;
use wasm_bindgen::prelude::*;

/// A tool policy, with its rules.
#[wasm_bindgen]
pub struct ToolPolicy(ToolPolicyConfig);

#[wasm_bindgen]
impl ToolPolicy {
    /// Takes the configuration over the boundary, once.
    #[wasm_bindgen(constructor)]
    pub fn new(
        #[wasm_bindgen(unchecked_param_type = "JsonOf<ToolPolicyConfig>")] config: &str,
    ) -> Result<ToolPolicy, JsValue> {
        Ok(Self(json::read(config)?))
    }

    /// The input of `broken` for each row. The second text is the index of the only call to judge, or empty.
    #[wasm_bindgen(unchecked_return_type = "JsonOf<CallQuestion[][]>")]
    pub fn questions(&self, rows: &[u8]) -> Result<String, JsValue> {
        Ok(json::write(&each_row(text(rows)?, |lines, live| self.0.questions(lines, live))?)?)
    }

    /// The rules that each row breaks. The second text is the JSON of `CallFacts`.
    #[wasm_bindgen(unchecked_return_type = "JsonOf<BrokenToolRule[][]>")]
    pub fn broken(&self, rows: &[u8]) -> Result<String, JsValue> {
        Ok(json::write(&each_row(text(rows)?, |lines, facts| self.0.broken(lines, facts))?)?)
    }
}

/// The loops of each row. The second text has a line with the JSON of each call's result.
#[wasm_bindgen(js_name = toolLoops, unchecked_return_type = "JsonOf<ToolLoop[][]>")]
pub fn tool_loops(
    #[wasm_bindgen(unchecked_param_type = "JsonOf<LoopConfig>")] config: &str,
    rows: &[u8],
) -> Result<String, JsValue> {
    let config: LoopConfig = json::read(config)?;
    Ok(json::write(&each_row(text(rows)?, |lines, results| config.loops(lines, results))?)?)
}

/// The outcomes of the calls of each row. The second text has a character for each call's outcome.
#[wasm_bindgen(js_name = stepStatuses, unchecked_return_type = "JsonOf<StepStatuses[]>")]
pub fn step_statuses(rows: &[u8]) -> Result<String, JsValue> {
    Ok(json::write(&each_row(text(rows)?, status::statuses)?)?)
}

/// The calls that a task takes, by those that were made; `undefined` if none was made.
#[wasm_bindgen(js_name = stepEfficiency)]
pub fn step_efficiency(optimal: u32, made: u32) -> Option<f64> {
    efficiency::efficiency(optimal, made)
}

/// The hand-offs of each row: see `src/agents/handoffs.rs` for its two texts.
#[wasm_bindgen(js_name = handoffVerdicts, unchecked_return_type = "JsonOf<HandoffVerdict[]>")]
pub fn handoff_verdicts(rows: &[u8], allow_extra: bool) -> Result<String, JsValue> {
    let judge = |messages: &str, expected: &str| Ok(handoffs::judge(messages, expected, allow_extra));
    Ok(json::write(&each_row(text(rows)?, judge)?)?)
}
