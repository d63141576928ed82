//! Verdicts on tool calls. Rows are pairs of texts that end with a null character: see `src/agents/mod.rs`.
//!
//! Configurations are passed with each call. Reading one takes some microseconds, and classes that keep them would make
//! the binary larger, which matters more.

use super::{lowercase, text};
use crate::agents::function_calls::FunctionCallConfig;
use crate::agents::loops::LoopConfig;
use crate::agents::policy::ToolPolicyConfig;
use crate::agents::state_match::StateMatchConfig;
use crate::agents::{each_row, handoffs, status, tau};
use crate::error::Result;
use crate::json;
use serde::Serialize;
use wasm_bindgen::prelude::*;

/// The JSON of the verdicts on rows.
fn verdicts<T: Serialize>(rows: &[u8], judge: impl Fn(&str, &str) -> Result<T>) -> Result<String, JsValue> {
    Ok(each_row(text(rows)?, &mut |first, second| json::write(&judge(first, second)?))?)
}

/// The input of `brokenToolRules` for each row. The second text is the index of the only call to judge, or empty.
#[wasm_bindgen(js_name = toolPolicyQuestions, unchecked_return_type = "JsonOf<CallQuestion[][]>")]
pub fn tool_policy_questions(
    #[wasm_bindgen(unchecked_param_type = "JsonOf<ToolPolicyConfig>")] config: &str,
    rows: &[u8],
) -> Result<String, JsValue> {
    let config: ToolPolicyConfig = json::read(config)?;
    verdicts(rows, |lines, live| config.questions(lines, live))
}

/// The rules that each row breaks. The second text is the JSON of `CallFacts`.
#[wasm_bindgen(js_name = brokenToolRules, unchecked_return_type = "JsonOf<BrokenToolRule[][]>")]
pub fn broken_tool_rules(
    #[wasm_bindgen(unchecked_param_type = "JsonOf<ToolPolicyConfig>")] config: &str,
    rows: &[u8],
) -> Result<String, JsValue> {
    let config: ToolPolicyConfig = json::read(config)?;
    verdicts(rows, |lines, facts| config.broken(lines, facts))
}

/// The loops of each row. The second text has a line with the JSON of each call's result.
#[wasm_bindgen(js_name = toolLoops, unchecked_return_type = "JsonOf<ToolLoop[][]>")]
pub fn tool_loops(
    #[wasm_bindgen(unchecked_param_type = "JsonOf<LoopConfig>")] config: &str,
    rows: &[u8],
) -> Result<String, JsValue> {
    let config: LoopConfig = json::read(config)?;
    verdicts(rows, |lines, results| config.loops(lines, results))
}

/// The outcomes of the calls of each row. The second text has a character for each call's outcome.
#[wasm_bindgen(js_name = stepStatuses, unchecked_return_type = "JsonOf<StepStatuses[]>")]
pub fn step_statuses(rows: &[u8]) -> Result<String, JsValue> {
    verdicts(rows, status::statuses)
}

/// The hand-offs of each row: see `src/agents/handoffs.rs` for its two texts.
#[wasm_bindgen(js_name = handoffVerdicts, unchecked_return_type = "JsonOf<HandoffVerdict[]>")]
pub fn handoff_verdicts(rows: &[u8], allow_extra: bool) -> Result<String, JsValue> {
    verdicts(rows, |messages, expected| Ok(handoffs::judge(messages, expected, allow_extra, lowercase)))
}

/// Compares the calls of each row with the accepted ones, which are the second text.
#[wasm_bindgen(js_name = functionCallVerdicts, unchecked_return_type = "JsonOf<FunctionCallVerdict[]>")]
pub fn function_call_verdicts(
    #[wasm_bindgen(unchecked_param_type = "JsonOf<FunctionCallConfig>")] config: &str,
    rows: &[u8],
) -> Result<String, JsValue> {
    let config: FunctionCallConfig = json::read(config)?;
    verdicts(rows, |calls, accepted| config.judge(calls, accepted, lowercase))
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
    verdicts(rows, tau::checks)
}
