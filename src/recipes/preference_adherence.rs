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

    let mut found = Found::new();
    for (preference, answer) in preferences.iter().zip(&answers) {
        found.add(preference, answer)?;
    }
    Ok(found.into_output(places))
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

/// What was found out of the preferences so far.
struct Found {
    /// The probabilities of those that apply.
    sum: f64,
    adhered: u64,
    did_not_adhere: u64,
    not_applicable: u64,
    feedback: Feedback,
    evaluations: Vec<Draft>,
}

impl Found {
    fn new() -> Self {
        Self {
            sum: 0.0,
            adhered: 0,
            did_not_adhere: 0,
            not_applicable: 0,
            feedback: Feedback::new(
                "The user has these preferences, and the response does not adhere to them:",
            ),
            evaluations: Vec::new(),
        }
    }

    fn add(&mut self, preference: &str, answer: &Fields<'_>) -> Result<()> {
        let (reasoning, determination) = (answer.text("reasoning")?, answer.text("determination")?);
        let probability = answer.number("adherence_probability")?;
        let applies = match determination.as_str() {
            "not_applicable" => {
                self.not_applicable += 1;
                false
            }
            "adhered" => {
                self.adhered += 1;
                true
            }
            _ => {
                self.did_not_adhere += 1;
                self.feedback.push(&[("preference", preference), ("reasoning", &reasoning)]);
                true
            }
        };
        if applies {
            self.sum += probability.to_f64();
        }
        self.evaluations.push(Draft::object([
            ("preference", preference.into()),
            ("reasoning", reasoning.as_str().into()),
            ("adherenceProbability", Draft::verbatim(probability)),
            ("determination", determination.as_str().into()),
        ]));
        Ok(())
    }

    fn into_output(self, places: Vec<Draft>) -> Draft {
        let mut output = match self.adhered + self.did_not_adhere {
            0 => not_applicable(),
            applying => applicable(self.sum / applying as f64, self.feedback),
        };
        output.set("extractedUserPreferences", Draft::list(places.into_iter()));
        output.set("adherenceToPreferences", Draft::list(self.evaluations.into_iter()));
        output.set("adhered", self.adhered.into());
        output.set("didNotAdhere", self.did_not_adhere.into());
        output.set("notApplicable", self.not_applicable.into());
        output
    }
}

#[cfg(test)]
mod tests;
