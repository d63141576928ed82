//! Tool usage: compares the tools that were called with those that should have been.

use super::feedback::Feedback;
use super::question::{Meter, Question, RecipeQuestion};
use crate::chat::{ChatModel, Usage};
use crate::conversation::render_tools;
use crate::error::{Error, Result};
use crate::json::{self, JsonBuilder, Number};
use serde::{Deserialize, Serialize};

/// The options of [`ToolUsage`], and its request.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
pub struct ToolUsageConfig {
    /// For each tool name, the lowest probability in percent at which the tool should be called.
    #[cfg_attr(target_arch = "wasm32", tsify(type = "[name: string, threshold: number][]"))]
    pub tool_thresholds: Vec<(String, Number<'static>)>,
    /// Asks how likely each tool should be called.
    pub tool_evaluations: RecipeQuestion,
}

/// The input of `ToolUsageEvaluator.run`.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
pub struct ToolUsageInput {
    /// The tools of the assistant. Without tools, the evaluation is not applicable.
    #[cfg_attr(target_arch = "wasm32", tsify(type = "readonly ToolUsageTool[]"))]
    pub tools: Vec<ToolUsageTool>,
    /// The conversation up to the point at which the assistant calls tools or answers.
    pub conversation_history_full: String,
}

/// A tool of the assistant.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
pub struct ToolUsageTool {
    /// The name of the tool.
    pub tool_name: String,
    /// The description and parameters of the tool, as text.
    pub tool_text: String,
    /// Whether the assistant called it.
    pub was_called: bool,
    /// The lowest probability in percent at which it should be called; by default, that of `toolThresholds`.
    #[cfg_attr(target_arch = "wasm32", tsify(optional, type = "number | undefined"))]
    pub threshold: Option<Number<'static>>,
}

/// The result of `ToolUsageEvaluator.run`.
#[derive(Debug, Default, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
pub struct ToolUsageResult {
    /// Whether there was anything to evaluate.
    pub applicable: bool,
    /// The score, from 0 to 100; 0 if not applicable.
    pub score: f64,
    /// Possible improvements, if any.
    #[cfg_attr(target_arch = "wasm32", tsify(optional))]
    pub feedback: Option<String>,
    /// The evaluation of each tool.
    #[cfg_attr(target_arch = "wasm32", tsify(optional))]
    pub tool_evaluations: Option<Vec<ToolEvaluation>>,
    /// Names in the model's answer that are not tools of the assistant. Their evaluations are ignored.
    #[cfg_attr(target_arch = "wasm32", tsify(optional))]
    pub invented_tools: Option<Vec<String>>,
    /// The token usage, if the provider reports it.
    #[cfg_attr(target_arch = "wasm32", tsify(optional))]
    pub usage: Option<Usage>,
}

/// The evaluation of a tool.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
pub struct ToolEvaluation {
    /// The name of the tool.
    pub tool_name: String,
    /// The arguments for and against calling it.
    pub reasoning: String,
    /// The probability that it should be called, from 0 to 100.
    #[cfg_attr(target_arch = "wasm32", tsify(type = "number"))]
    pub probability: Number<'static>,
    /// The lowest probability in percent at which it should be called.
    #[cfg_attr(target_arch = "wasm32", tsify(type = "number"))]
    pub threshold: Number<'static>,
    /// Whether the assistant called it.
    pub was_called: bool,
}

/// The model's answer.
#[derive(Deserialize)]
struct ToolUsageAnswer {
    tool_evaluations: Vec<AnsweredTool>,
}

/// The model's answer about a tool.
#[derive(Deserialize)]
struct AnsweredTool {
    tool_name: String,
    reasoning: String,
    probability: Number<'static>,
}

/// The recipe that evaluates tool usage.
pub struct ToolUsage {
    tool_thresholds: Vec<(String, Number<'static>)>,
    tool_evaluations: Question,
}

impl ToolUsage {
    /// Prepares the options and the request.
    pub fn new(config: ToolUsageConfig) -> Result<Self> {
        let tool_evaluations = Question::new("tool_evaluations", config.tool_evaluations)?;
        Ok(Self { tool_thresholds: config.tool_thresholds, tool_evaluations })
    }

    /// Asks how likely each tool should be called next, and compares that with the actual calls.
    pub async fn run(&self, model: &impl ChatModel, input: ToolUsageInput) -> Result<ToolUsageResult> {
        let ToolUsageInput { tools, conversation_history_full } = input;
        if tools.is_empty() {
            return Ok(ToolUsageResult::default());
        }
        let meter = Meter::default();
        let described: Vec<_> = tools.iter().map(|tool| (&*tool.tool_name, &*tool.tool_text)).collect();
        let list = render_tools(&described);
        let variables =
            [("conversationHistoryFull", conversation_history_full.as_str()), ("toolList", &list)];
        let each_once = |answer: &str| each_once(&tools, &evaluations_in(answer)?);
        let answer = self.tool_evaluations.ask_for(model, &meter, &variables, Some(&each_once)).await?;
        let answers = evaluations_in(&answer)?;
        Ok(ToolUsageResult { usage: meter.read(), ..self.compare(tools, &answers) })
    }

    /// Aggregates the evaluations of all tools.
    fn compare(&self, tools: Vec<ToolUsageTool>, answers: &[AnsweredTool]) -> ToolUsageResult {
        let is_tool = |name: &str| tools.iter().any(|tool| tool.tool_name == name);
        let invented: Vec<String> =
            answers.iter().map(|answer| answer.tool_name.clone()).filter(|name| !is_tool(name)).collect();
        let evaluations: Vec<ToolEvaluation> =
            tools.into_iter().map(|tool| self.evaluation(tool, answers)).collect();

        let mut missed = Feedback::new("These tools should have been called:");
        let mut needless = Feedback::new("These tools should not have been called:");
        let (mut any_was_called, mut any_hit, mut any_missed) = (false, false, false);
        for ToolEvaluation { tool_name, reasoning, probability, threshold, was_called } in &evaluations {
            let is_needed = probability >= threshold;
            any_was_called |= was_called;
            any_hit |= *was_called && is_needed;
            any_missed |= is_needed && !was_called;
            if is_needed != *was_called {
                let section = if is_needed { &mut missed } else { &mut needless };
                section.push(&[("tool", tool_name), ("reasoning", reasoning)]);
            }
        }
        let is_right = any_hit || !any_was_called && !any_missed;
        let sections: Vec<String> = [missed, needless].into_iter().filter_map(Feedback::into_text).collect();
        ToolUsageResult {
            applicable: true,
            score: if is_right { 100.0 } else { 0.0 },
            feedback: (!is_right).then(|| sections.join("\n\n")),
            tool_evaluations: Some(evaluations),
            invented_tools: Some(invented).filter(|invented| !invented.is_empty()),
            usage: None,
        }
    }

    /// The evaluation of a tool.
    fn evaluation(&self, tool: ToolUsageTool, answers: &[AnsweredTool]) -> ToolEvaluation {
        let ToolUsageTool { tool_name, was_called, threshold, .. } = tool;
        let answer = answers.iter().find(|answer| answer.tool_name == tool_name);
        let probability = answer.map_or(Number::Integer(0), |answer| answer.probability.clone());
        let configured = || self.tool_thresholds.iter().find(|(name, _)| *name == tool_name);
        ToolEvaluation {
            reasoning: answer.map(|answer| answer.reasoning.clone()).unwrap_or_default(),
            probability,
            threshold: threshold
                .or_else(|| configured().map(|(_, threshold)| threshold.clone()))
                .unwrap_or(DEFAULT_THRESHOLD),
            tool_name,
            was_called,
        }
    }
}

/// The evaluations in a model's answer.
fn evaluations_in(answer: &str) -> Result<Vec<AnsweredTool>> {
    json::read(answer).map(|ToolUsageAnswer { tool_evaluations }| tool_evaluations)
}

/// Rejects answers that do not evaluate each tool exactly once by its exact name. A missing tool does not
/// mean that the model finds it unnecessary.
fn each_once(tools: &[ToolUsageTool], answers: &[AnsweredTool]) -> Result<()> {
    let mut wrong = String::new();
    for ToolUsageTool { tool_name, .. } in tools {
        let is_named = answers.iter().any(|answer| answer.tool_name == *tool_name);
        // A name that differs only in case means the same tool, unless another tool has that exact name.
        let named = answers.iter().filter(|answer| answer.tool_name.eq_ignore_ascii_case(tool_name)).count();
        if !is_named
            || named != tools.iter().filter(|tool| tool.tool_name.eq_ignore_ascii_case(tool_name)).count()
        {
            wrong.push_str(if wrong.is_empty() { "" } else { ", " });
            wrong.push_str(&JsonBuilder::from(tool_name.as_str()).into_text());
        }
    }
    let rule = "each tool has to be evaluated exactly once, by its exact name; this is not the case for ";
    if wrong.is_empty() { Ok(()) } else { Err(Error::invalid_input([rule, &wrong].concat())) }
}

const DEFAULT_THRESHOLD: Number<'static> = Number::Integer(50);

#[cfg(test)]
mod tests;
