//! Tools that should have been called, and those that were.

use super::step::{Asking, Step};
use super::{Feedback, applicable, not_applicable};
use crate::chat::ChatModel;
use crate::conversation::render_tools;
use crate::error::Result;
use crate::json::{Draft, Fields, Json, Number};

/// Asks how likely each of the `tools` should be called now, and compares that with the calls.
pub async fn run<M: ChatModel>(
    asking: &Asking<'_, M>,
    config: &Fields<'_>,
    input: &Fields<'_>,
) -> Result<Draft> {
    let tools = input.list("tools");
    if tools.is_empty() {
        return Ok(not_applicable());
    }
    let step = Step::read(config, "tool_evaluations")?;
    let (conversation, list) = (input.text("conversationHistoryFull")?, render_tools(tools));
    let variables = [("conversationHistoryFull", conversation.as_str()), ("toolList", &list)];
    let answer = asking.ask(&step, &variables).await?;
    Ok(compared(tools, answer.list("tool_evaluations")))
}

/// What is said of each tool, and what follows from it.
fn compared(tools: &[Json<'_>], answers: &[Json<'_>]) -> Draft {
    let mut missed = Feedback::new("These tools should have been called:");
    let mut needless = Feedback::new("These tools should not have been called:");
    let (mut any_was_called, mut any_hit) = (false, false);
    let mut evaluations = Vec::new();
    for tool in tools {
        let name = text(tool, "toolName");
        let answer = answers.iter().rfind(|answer| text(answer, "tool_name") == name).unwrap_or(&Json::Null);
        let reasoning = text(answer, "reasoning");
        let probability = number(answer, "probability").max(&NONE).min(&ALL);
        let threshold = number(tool, "threshold");
        let is_needed = probability >= threshold;
        let was_called = member(tool, "wasCalled") == Some(&Json::Bool(true));
        any_was_called |= was_called;
        any_hit |= was_called && is_needed;
        if is_needed != was_called {
            let section = if is_needed { &mut missed } else { &mut needless };
            section.push(&[("tool", name), ("reasoning", reasoning)]);
        }
        evaluations.push(Draft::object([
            ("toolName", name.into()),
            ("reasoning", reasoning.into()),
            ("probability", Draft::verbatim(probability)),
            ("threshold", Draft::verbatim(threshold)),
            ("wasCalled", was_called.into()),
        ]));
    }
    let is_right = any_hit || !any_was_called && missed.text.is_none();
    let mut output = applicable(if is_right { 100.0 } else { 0.0 }, Feedback::new(""));
    if !is_right {
        let mut feedback = missed.text.unwrap_or_default();
        if let Some(text) = needless.text {
            feedback.push_str(if feedback.is_empty() { "" } else { "\n\n" });
            feedback.push_str(&text);
        }
        output.set("feedback", feedback.as_str().into());
    }
    output.set("toolEvaluations", Draft::list(evaluations.into_iter()));

    let mut invented: Vec<Draft> = Vec::new();
    for answer in answers {
        let name = text(answer, "tool_name");
        if tools.iter().all(|tool| text(tool, "toolName") != name) {
            invented.push(name.into());
        }
    }
    if !invented.is_empty() {
        output.set("inventedTools", Draft::list(invented.into_iter()));
    }
    output
}

static NONE: Number<'static> = Number::Integer(0);
static ALL: Number<'static> = Number::Integer(100);

fn member<'j>(value: &'j Json<'_>, name: &str) -> Option<&'j Json<'j>> {
    value.as_object()?.get(name)
}

fn text<'j>(value: &'j Json<'_>, name: &str) -> &'j str {
    member(value, name).and_then(Json::as_str).unwrap_or_default()
}

fn number<'j>(value: &'j Json<'_>, name: &str) -> &'j Number<'j> {
    match member(value, name) {
        Some(Json::Number(number)) => number,
        _ => &NONE,
    }
}

#[cfg(test)]
mod tests;
