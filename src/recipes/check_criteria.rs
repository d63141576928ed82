//! Criteria of the caller's, each judged by itself.

use super::step::{Asking, Step};
use super::{Feedback, applicable, not_applicable};
use crate::chat::ChatModel;
use crate::error::Result;
use crate::json::{Draft, Fields, Json};

/// Asks how likely the response meets each of the `criteria`; the score is the mean of the probabilities.
pub async fn run<M: ChatModel>(
    asking: &Asking<'_, M>,
    config: &Fields<'_>,
    input: &Fields<'_>,
) -> Result<Draft> {
    let criteria: Vec<String> =
        config.list("criteria").iter().filter_map(Json::as_str).map(str::to_owned).collect();
    if criteria.is_empty() {
        return Ok(not_applicable());
    }
    let (conversation, response) = (&input.text("conversationHistory")?, &input.text("finalResponse")?);
    let variables = [("conversation", conversation.as_str()), ("response", response)];
    let (step, limit) = (&Step::read(config, "criterion")?, config.whole("maxConcurrency")?);
    let answers = asking.ask_each(step, limit, &variables, ("criterion", &criteria)).await?;

    let threshold = config.number("passedThreshold")?.to_f64() / 100.0;
    let mut sum = 0.0;
    let mut feedback = Feedback::new("The response does not meet these criteria, or not surely enough:");
    let mut evaluations = Vec::new();
    for (criterion, answer) in criteria.iter().zip(&answers) {
        let (reasoning, probability) = (answer.text("reasoning")?, answer.number("probability")?);
        sum += probability.to_f64();
        if probability.to_f64() < threshold {
            feedback.push(&[("criterion", criterion), ("reasoning", &reasoning)]);
        }
        evaluations.push(Draft::object([
            ("criterion", criterion.as_str().into()),
            ("reasoning", reasoning.as_str().into()),
            ("probability", Draft::verbatim(probability)),
        ]));
    }
    let mut output = applicable(sum / answers.len() as f64 * 100.0, feedback);
    output.set("criteriaEvaluations", Draft::list(evaluations.into_iter()));
    Ok(output)
}

#[cfg(test)]
mod tests;
