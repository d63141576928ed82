//! Eval Recipes: evaluations of an assistant's answer that take several questions to a model, after Microsoft's
//! package of that name.
//!
//! | recipe | what it finds out |
//! | --- | --- |
//! | `check_criteria` | how likely the answer meets each of the caller's criteria |
//! | `claim_verification` | which claims of the answer its sources support |
//! | `guidance` | how well it deals with a request that is beyond the assistant's capabilities |
//! | `capability_manifest` | what these are: no evaluation, but what `guidance` goes by |
//! | `preference_adherence` | whether it is as the user has said that answers should be |
//! | `tool_usage` | whether tools were called that should be |
//!
//! The package finds the texts in the messages, and brings the prompts. What is asked in which order, and what follows
//! from the answers, is decided here: [`run`] gets JSON with the options and the steps of a recipe, and JSON with the
//! texts, and gives `{ applicable, score, feedback, … , usage }`, with a score from 0 to 100.

mod check_criteria;
mod claim_verification;
mod guidance;
mod preference_adherence;
mod sentences;
mod step;
mod tool_usage;

use crate::chat::ChatModel;
use crate::error::{Error, Result};
use crate::json::{Draft, Fields};
use std::cell::Cell;
use std::pin::Pin;
use step::Asking;

/// What a recipe is run with.
pub struct Task<'t, M> {
    /// Answers the questions.
    pub model: &'t M,
    /// Answers those that verify something, where a recipe tells them apart.
    pub verifier: &'t M,
    /// The JSON text of the options, which hold the `steps` by name, each with `system`, `prompt` and `schema`.
    pub config: &'t str,
    /// The JSON text of what is evaluated.
    pub input: &'t str,
    /// Gets the parts of the result, where a recipe has such parts.
    pub report: &'t Report<'t>,
}

/// Gets the JSON text of a part of the result as soon as it is there. Once it is taken, says whether to stop.
pub type Report<'r> = dyn Fn(&str) -> Pin<Box<dyn Future<Output = bool> + 'r>> + 'r;

/// Runs a recipe by its name.
pub async fn run<M: ChatModel>(name: &str, task: Task<'_, M>) -> Result<Draft> {
    let (config, input) = (Fields::read(task.config)?, Fields::read(task.input)?);
    let usage = &Cell::default();
    let (asking, verifying) = (Asking::new(task.model, usage), Asking::new(task.verifier, usage));
    // In a box each, since the code that holds any of them would otherwise be larger than they are.
    let recipe: Pin<Box<dyn Future<Output = Result<Draft>>>> = match name {
        "check_criteria" => Box::pin(check_criteria::run(&asking, &config, &input)),
        "claim_verification" => {
            Box::pin(claim_verification::run(&asking, &verifying, &config, &input, task.report))
        }
        "guidance" => Box::pin(guidance::run(&asking, &config, task.input)),
        "capability_manifest" => Box::pin(guidance::manifest(&asking, &config, &input)),
        "preference_adherence" => Box::pin(preference_adherence::run(&asking, &config, &input)),
        "tool_usage" => Box::pin(tool_usage::run(&asking, &config, &input)),
        _ => return Err(Error::invalid_config("there is no such recipe")),
    };
    let mut output = recipe.await?;
    if let Some(usage) = usage.take() {
        output.set("usage", usage.to_json());
    }
    Ok(output)
}

/// What a recipe says that has nothing to evaluate.
fn not_applicable() -> Draft {
    Draft::object([("applicable", false.into()), ("score", 0.into())])
}

/// What a recipe says, whatever else it has found out.
fn applicable(score: f64, feedback: Feedback) -> Draft {
    let mut output = Draft::object([("applicable", true.into()), ("score", Draft::score(score))]);
    if let Some(text) = feedback.text {
        output.set("feedback", text.as_str().into());
    }
    output
}

/// What could be better, for whoever writes the next answer.
struct Feedback {
    introduction: &'static str,
    text: Option<String>,
}

impl Feedback {
    /// Nothing could be better so far.
    fn new(introduction: &'static str) -> Self {
        Self { introduction, text: None }
    }

    /// Something could: each text in a block of this name.
    fn push(&mut self, blocks: &[(&str, &str)]) {
        let text = self.text.get_or_insert_with(|| self.introduction.to_owned());
        for (name, content) in blocks {
            for piece in ["\n<", name, ">", content, "</", name, ">"] {
                text.push_str(piece);
            }
        }
    }
}

#[cfg(test)]
mod tests;
