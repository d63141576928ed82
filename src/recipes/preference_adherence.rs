//! Preference adherence: whether an answer follows the preferences that the user stated.

use super::feedback::Feedback;
use super::question::{Meter, Question, RecipeQuestion};
use crate::chat::{ChatModel, Usage};
use crate::error::Result;
use crate::json::{self, Number};
use serde::{Deserialize, Serialize};

/// The options of [`PreferenceAdherence`], and its requests.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
pub struct PreferenceAdherenceConfig {
    /// The maximum number of concurrent requests.
    #[cfg_attr(target_arch = "wasm32", tsify(type = "number"))]
    pub max_concurrency: Number<'static>,
    /// Asks for the user's preferences.
    pub extraction: RecipeQuestion,
    /// Asks whether the last answer follows a preference.
    pub adherence: RecipeQuestion,
}

/// The input of `PreferenceAdherenceEvaluator.run`.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
pub struct PreferenceAdherenceInput {
    /// The conversation up to and including the user's last message. Preferences are extracted from it.
    pub conversation_history_beginning_turn: String,
    /// The whole conversation, including the response.
    pub conversation_history_full: String,
}

/// A preference with its position.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all(serialize = "camelCase"))]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
pub struct UserPreference {
    /// The first line that states it, counted from 0.
    #[cfg_attr(target_arch = "wasm32", tsify(type = "number"))]
    pub start_line: Number<'static>,
    /// The last line that states it, inclusive.
    #[cfg_attr(target_arch = "wasm32", tsify(type = "number"))]
    pub end_line: Number<'static>,
    /// The preference, in words.
    pub preference: String,
}

/// The relation of a response to a preference.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
pub enum Adherence {
    /// The response follows the preference.
    Adhered,
    /// The response goes against the preference.
    DidNotAdhere,
    /// The preference does not apply to the response.
    NotApplicable,
}

/// Whether a response adheres to a preference.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
pub struct PreferenceEvaluation {
    /// The preference.
    pub preference: String,
    /// The arguments for and against adherence.
    pub reasoning: String,
    /// The probability of adherence, from 0 to 100.
    #[cfg_attr(target_arch = "wasm32", tsify(type = "number"))]
    pub adherence_probability: Number<'static>,
    /// The model's conclusion.
    pub determination: Adherence,
}

/// The result of `PreferenceAdherenceEvaluator.run`.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
pub struct PreferenceAdherenceResult {
    /// Whether any preference applies.
    pub applicable: bool,
    /// The mean probability of adherence over the preferences that apply, from 0 to 100; 0 if not applicable.
    pub score: f64,
    /// Possible improvements, if any.
    #[cfg_attr(target_arch = "wasm32", tsify(optional))]
    pub feedback: Option<String>,
    /// The evaluation of each preference.
    pub adherence_to_preferences: Vec<PreferenceEvaluation>,
    /// The number of preferences that the response adheres to.
    pub adhered: usize,
    /// The number of preferences that it does not adhere to.
    pub did_not_adhere: usize,
    /// The number of preferences that do not apply.
    pub not_applicable: usize,
    /// The preferences with their lines, counted from 0, in `conversationHistoryBeginningTurn` (for
    /// `evaluate`, in the text of `formatFullHistory(messages, { onlyUptoLastUser: true })`).
    pub extracted_user_preferences: Vec<UserPreference>,
    /// The token usage, if the provider reports it.
    #[cfg_attr(target_arch = "wasm32", tsify(optional))]
    pub usage: Option<Usage>,
}

/// The model's answer to the extraction request.
#[derive(Deserialize)]
struct Extracted {
    preferences: Vec<UserPreference>,
}

/// The model's answer about a preference.
#[derive(Deserialize)]
struct AdherenceAnswer {
    reasoning: String,
    adherence_probability: Number<'static>,
    determination: Adherence,
}

/// The recipe that evaluates preference adherence.
pub struct PreferenceAdherence {
    max_concurrency: usize,
    extraction: Question,
    adherence: Question,
}

impl PreferenceAdherence {
    /// Prepares the options and the requests.
    pub fn new(config: PreferenceAdherenceConfig) -> Result<Self> {
        Ok(Self {
            max_concurrency: config.max_concurrency.to_usize(),
            extraction: Question::new("extraction", config.extraction)?,
            adherence: Question::new("adherence", config.adherence)?,
        })
    }

    /// Extracts the user's preferences, then asks how likely the response adheres to each. The score is the
    /// mean over the preferences that apply.
    pub async fn run(
        &self,
        model: &impl ChatModel,
        input: PreferenceAdherenceInput,
    ) -> Result<PreferenceAdherenceResult> {
        let meter = Meter::default();
        let beginning = with_line_numbers(&input.conversation_history_beginning_turn);
        let variables = [("conversation", beginning.as_str())];
        let Extracted { preferences } = json::read(&self.extraction.ask(model, &meter, &variables).await?)?;

        let variables = [("conversation", input.conversation_history_full.as_str())];
        let wishes: Vec<String> = preferences.iter().map(|wish| wish.preference.clone()).collect();
        let wishes = ("preference", wishes.as_slice());
        let answers =
            self.adherence.ask_each(model, &meter, self.max_concurrency, &variables, wishes).await?;
        Ok(PreferenceAdherenceResult { usage: meter.read(), ..judged(preferences, &answers)? })
    }
}

/// The text with line numbers, counted from 0.
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

/// Aggregates the evaluations of all preferences.
fn judged(preferences: Vec<UserPreference>, answers: &[String]) -> Result<PreferenceAdherenceResult> {
    let mut feedback = Feedback::new("The response does not adhere to these preferences of the user:");
    let mut sum = 0.0;
    let (mut adhered, mut did_not_adhere, mut not_applicable) = (0, 0, 0);
    let mut evaluations = Vec::new();
    for (UserPreference { preference, .. }, answer) in preferences.iter().zip(answers) {
        let AdherenceAnswer { reasoning, adherence_probability, determination } = json::read(answer)?;
        match determination {
            Adherence::Adhered => adhered += 1,
            Adherence::DidNotAdhere => {
                did_not_adhere += 1;
                feedback.push(&[("preference", preference), ("reasoning", &reasoning)]);
            }
            Adherence::NotApplicable => not_applicable += 1,
        }
        if determination != Adherence::NotApplicable {
            sum += adherence_probability.to_f64();
        }
        let preference = preference.clone();
        evaluations.push(PreferenceEvaluation {
            preference,
            reasoning,
            adherence_probability,
            determination,
        });
    }
    let applying = adhered + did_not_adhere;
    Ok(PreferenceAdherenceResult {
        applicable: applying > 0,
        score: sum / applying.max(1) as f64,
        feedback: feedback.into_text(),
        adherence_to_preferences: evaluations,
        adhered,
        did_not_adhere,
        not_applicable,
        extracted_user_preferences: preferences,
        usage: None,
    })
}

#[cfg(test)]
mod tests;
