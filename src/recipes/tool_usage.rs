//! Tools that should have been called, and those that were.

use super::feedback::Feedback;
use super::question::{Meter, Question, RecipeQuestion};
use crate::chat::{ChatModel, Usage};
use crate::conversation::render_tools;
use crate::error::{Error, Result};
use crate::json::{self, Draft, Number};
use serde::{Deserialize, Serialize};

/// The options of [`ToolUsage`], and its question.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
pub struct ToolUsageConfig {
    /// By the name of a tool, the probability in percent from which on it should be called.
    #[cfg_attr(target_arch = "wasm32", tsify(type = "[name: string, threshold: number][]"))]
    pub tool_thresholds: Vec<(String, Number<'static>)>,
    /// How likely each tool should be called.
    pub tool_evaluations: RecipeQuestion,
}

/// What `ToolUsageEvaluator.run` evaluates.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
pub struct ToolUsageInput {
    /// The tools of the assistant; without any, the evaluation is not applicable.
    #[cfg_attr(target_arch = "wasm32", tsify(type = "readonly ToolUsageTool[]"))]
    pub tools: Vec<ToolUsageTool>,
    /// The conversation up to where the assistant calls tools or does not.
    pub conversation_history_full: String,
}

/// A tool that `ToolUsageEvaluator.run` evaluates the use of.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
pub struct ToolUsageTool {
    /// The name by which it is called.
    pub tool_name: String,
    /// What it does, and its parameters.
    pub tool_text: String,
    /// Whether the assistant called it.
    pub was_called: bool,
    /// The probability from which on it should be called; what `toolThresholds` says by default.
    #[cfg_attr(target_arch = "wasm32", tsify(optional, type = "number | undefined"))]
    pub threshold: Option<Number<'static>>,
}

/// What `ToolUsageEvaluator.run` finds out.
#[derive(Debug, Default, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
pub struct ToolUsageResult {
    /// Whether there was anything to evaluate.
    pub applicable: bool,
    /// From 0 to 100; 0 where there was nothing to evaluate.
    pub score: f64,
    /// What could be better.
    #[cfg_attr(target_arch = "wasm32", tsify(optional))]
    pub feedback: Option<String>,
    /// Each tool, with the probability from 0 to 100 that it should be called.
    #[cfg_attr(target_arch = "wasm32", tsify(optional))]
    pub tool_evaluations: Option<Vec<ToolEvaluation>>,
    /// What the model took for tools and is none: what it says of them does not count.
    #[cfg_attr(target_arch = "wasm32", tsify(optional))]
    pub invented_tools: Option<Vec<String>>,
    /// The tokens that were used, where the provider tells.
    #[cfg_attr(target_arch = "wasm32", tsify(optional))]
    pub usage: Option<Usage>,
}

/// How likely a tool should be called, and whether it was.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
pub struct ToolEvaluation {
    /// The name by which it is called.
    pub tool_name: String,
    /// What speaks for calling it, and what against it.
    pub reasoning: String,
    /// From 0 to 100.
    #[cfg_attr(target_arch = "wasm32", tsify(type = "number"))]
    pub probability: Number<'static>,
    /// From which probability on it should be called.
    #[cfg_attr(target_arch = "wasm32", tsify(type = "number"))]
    pub threshold: Number<'static>,
    /// Whether the assistant called it.
    pub was_called: bool,
}

/// What a model answers.
#[derive(Deserialize)]
struct Answer {
    tool_evaluations: Vec<AnsweredTool>,
}

/// What a model answers about a tool, or about what it takes for one.
#[derive(Deserialize)]
struct AnsweredTool {
    tool_name: String,
    reasoning: String,
    probability: Number<'static>,
}

/// Compares the tools that were called with those that should be.
pub struct ToolUsage {
    tool_thresholds: Vec<(String, Number<'static>)>,
    tool_evaluations: Question,
}

impl ToolUsage {
    /// Reads the options and the question.
    pub fn new(config: ToolUsageConfig) -> Result<Self> {
        let tool_evaluations = Question::new("tool_evaluations", config.tool_evaluations)?;
        Ok(Self { tool_thresholds: config.tool_thresholds, tool_evaluations })
    }

    /// Asks how likely each of the tools should be called now, and compares that with the calls.
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

    /// What is said of each tool, and what follows from it.
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

    /// What is said of a tool.
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

/// What a model says of tools.
fn evaluations_in(answer: &str) -> Result<Vec<AnsweredTool>> {
    json::read(answer).map(|Answer { tool_evaluations }| tool_evaluations)
}

/// Refuses answers that do not evaluate each tool once, by its very name: a tool that a model leaves out is not one that
/// it finds needless.
fn each_once(tools: &[ToolUsageTool], answers: &[AnsweredTool]) -> Result<()> {
    let mut wrong = String::new();
    for ToolUsageTool { tool_name, .. } in tools {
        let is_named = answers.iter().any(|answer| answer.tool_name == *tool_name);
        // A name in another case is meant for the same tool, unless there is one of that name.
        let named = answers.iter().filter(|answer| answer.tool_name.eq_ignore_ascii_case(tool_name)).count();
        if !is_named
            || named != tools.iter().filter(|tool| tool.tool_name.eq_ignore_ascii_case(tool_name)).count()
        {
            wrong.push_str(if wrong.is_empty() { "" } else { ", " });
            wrong.push_str(&Draft::from(tool_name.as_str()).into_text());
        }
    }
    let rule = "each tool has to be evaluated once, by its name exactly as on the list, which is not so for ";
    if wrong.is_empty() { Ok(()) } else { Err(Error::invalid_input([rule, &wrong].concat())) }
}

const DEFAULT_THRESHOLD: Number<'static> = Number::Integer(50);

#[cfg(test)]
mod tests;
