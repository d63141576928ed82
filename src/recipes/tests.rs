//! Recipes on scripted models; their prompts are in the package, and tested there.

use super::*;
use crate::chat::testing::ScriptedModel;
use crate::executor::ready;

/// What a recipe says, with the messages that its model read.
pub(super) fn ran(name: &str, config: &str, input: &str, answers: &[&str]) -> (Result<String>, Vec<String>) {
    let model = ScriptedModel::saying(answers.iter().copied());
    let task = Task {
        model: &model,
        verifier: &model,
        config,
        input,
        report: &|_| Box::pin(std::future::ready(false)),
    };
    let output = ready(run(name, task)).expect("scripted models do not wait").map(Draft::into_text);
    let requests = model.requests.borrow();
    let last =
        |messages: &Vec<crate::chat::Message>| messages.last().map(|message| message.to_json().into_text());
    (output, requests.iter().filter_map(|(messages, _)| last(messages)).collect())
}
