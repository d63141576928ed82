//! How an answer should be, as far as the user has said so, and whether it is like that.

use super::step::{Asking, Step};
use super::{Feedback, applicable, not_applicable};
use crate::chat::ChatModel;
use crate::error::Result;
use crate::json::{Draft, Fields};

/// Asks for the user's preferences, and then of each how likely the response adheres to it; the score is the mean for
/// those that apply to the response.
pub async fn run<M: ChatModel>(
    asking: &Asking<'_, M>,
    config: &Fields<'_>,
    input: &Fields<'_>,
) -> Result<Draft> {
    let beginning = with_line_numbers(&input.text("conversationHistoryBeginningTurn")?);
    let extraction = &Step::read(config, "extraction")?;
    let extracted = asking.ask(extraction, &[("conversation", &beginning)]).await?;
    let mut preferences = Vec::new();
    let mut places = Vec::new();
    for extracted in extracted.list("preferences") {
        let extracted = Fields::of(extracted)?;
        let preference = extracted.text("preference")?;
        places.push(Draft::object([
            ("startLine", Draft::verbatim(extracted.number("start_line")?)),
            ("endLine", Draft::verbatim(extracted.number("end_line")?)),
            ("preference", preference.as_str().into()),
        ]));
        preferences.push(preference);
    }
    let conversation = input.text("conversationHistoryFull")?;
    let (step, limit) = (&Step::read(config, "adherence")?, config.whole("maxConcurrency")?);
    let variables = [("conversation", conversation.as_str())];
    let answers = asking.ask_each(step, limit, &variables, ("preference", &preferences)).await?;

    let mut output = result(&preferences, &answers)?;
    output.set("extractedUserPreferences", Draft::list(places.into_iter()));
    Ok(output)
}

/// Each line behind its number, counted from 0.
fn with_line_numbers(text: &str) -> String {
    let mut numbered = String::new();
    for (number, line) in text.split('\n').enumerate() {
        numbered.push_str(if number == 0 { "" } else { "\n" });
        numbered.push_str(&number.to_string());
        numbered.push('→');
        numbered.push_str(line);
    }
    numbered
}

/// What the answers can say of a preference.
const DETERMINATIONS: [(&str, &str); 3] =
    [("adhered", "adhered"), ("did_not_adhere", "didNotAdhere"), ("not_applicable", "notApplicable")];

/// What follows from the answers on the preferences.
fn result(preferences: &[String], answers: &[Fields<'_>]) -> Result<Draft> {
    let mut feedback =
        Feedback::new("The user has these preferences, and the response does not adhere to them:");
    let mut sum = 0.0;
    let mut counts = [0; 3];
    let mut evaluations = Vec::new();
    for (preference, answer) in preferences.iter().zip(answers) {
        let (reasoning, determination) = (answer.text("reasoning")?, answer.text("determination")?);
        let probability = answer.number("adherence_probability")?;
        for ((name, _), count) in DETERMINATIONS.iter().zip(&mut counts) {
            *count += u64::from(*name == determination);
        }
        if determination != "not_applicable" {
            sum += probability.to_f64();
        }
        if determination == "did_not_adhere" {
            feedback.push(&[("preference", preference), ("reasoning", &reasoning)]);
        }
        evaluations.push(Draft::object([
            ("preference", preference.as_str().into()),
            ("reasoning", reasoning.as_str().into()),
            ("adherenceProbability", Draft::verbatim(probability)),
            ("determination", determination.as_str().into()),
        ]));
    }
    let [adhered, did_not_adhere, _] = counts;
    let mut output = match adhered + did_not_adhere {
        0 => not_applicable(),
        applying => applicable(sum / applying as f64, feedback),
    };
    output.set("adherenceToPreferences", Draft::list(evaluations.into_iter()));
    for ((_, name), count) in DETERMINATIONS.iter().zip(counts) {
        output.set(name, count.into());
    }
    Ok(output)
}

#[cfg(test)]
mod tests;
