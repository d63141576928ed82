//! Requests that are beyond an assistant's capabilities, and how it deals with them.

use super::step::{Asking, Step};
use super::{Feedback, applicable, not_applicable};
use crate::chat::ChatModel;
use crate::conversation::render_tools;
use crate::error::Result;
use crate::json::{Draft, Fields, Json};

/// Up to this score, why it was given is worth telling whoever writes the next answer.
const POOR: f64 = 50.0;

/// Asks whether the last request is in scope. If it is not, asks how well it was dealt with. `variables` is what is
/// evaluated, as JSON text, since the prompts have nothing else in them.
pub async fn run<M: ChatModel>(
    asking: &Asking<'_, M>,
    config: &Fields<'_>,
    variables: &str,
) -> Result<Draft> {
    let scope = asking.ask_once(config, "scope", variables).await?;
    let is_in_scope =
        scope.number("is_in_scope_probability")? >= config.number("inScopeProbabilityThreshold")?;
    let mut output = if is_in_scope {
        not_applicable()
    } else {
        handled(&asking.ask_once(config, "handling", variables).await?)?
    };
    let names = [
        ("capabilities_analysis", "capabilitiesAnalysis"),
        ("sufficient_capabilities", "sufficientCapabilities"),
        ("in_scope_reasoning", "inScopeReasoning"),
        ("is_in_scope_probability", "isInScopeProbability"),
    ];
    output.set("isInScopeReasoning", renamed(&scope, &names));
    Ok(output)
}

fn handled(answer: &Fields<'_>) -> Result<Draft> {
    let score = answer.number("score")?.to_f64();
    let reasoning = answer.given("reasoning");
    let feedback = reasoning.clone().filter(|_| score <= POOR);
    let mut output = applicable(score, Feedback { introduction: "", text: feedback });
    output.set("reasoning", reasoning.unwrap_or_default().as_str().into());
    Ok(output)
}

/// What was answered, with the names that it has in the package.
fn renamed(answer: &Fields<'_>, names: &[(&str, &str)]) -> Draft {
    let mut object = Draft::object([]);
    for (answered, name) in names {
        object.set(name, Draft::Text(answer.get(answered).map(Json::to_text).unwrap_or_default()));
    }
    object
}

/// Asks for the capability manifest of an assistant, by its system message and its tools.
pub async fn manifest<M: ChatModel>(
    asking: &Asking<'_, M>,
    config: &Fields<'_>,
    input: &Fields<'_>,
) -> Result<Draft> {
    let step = Step::read(config, "capability_manifest")?;
    let (system, tools) = (input.text("systemPrompt")?, render_tools(input.list("tools")));
    let answer = asking.ask(&step, &[("systemPrompt", &system), ("tools", &tools)]).await?;
    Ok(renamed(&answer, &[("text", "capabilityManifest")]))
}

#[cfg(test)]
mod tests;
