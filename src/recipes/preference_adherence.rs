//! How an answer should be, as far as the user has said so, and whether it is like that.

use super::feedback::Feedback;
use super::question::{Meter, Question, RecipeQuestion};
use crate::chat::{ChatModel, Usage};
use crate::error::Result;
use crate::json::{self, Number};
use serde::{Deserialize, Serialize};

/// The options of [`PreferenceAdherence`], and its questions.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
pub struct PreferenceAdherenceConfig {
    /// How many preferences are judged at the same time.
    #[cfg_attr(target_arch = "wasm32", tsify(type = "number"))]
    pub max_concurrency: Number<'static>,
    /// How the user likes answers to be.
    pub extraction: RecipeQuestion,
    /// Whether the last answer is as a preference wants it.
    pub adherence: RecipeQuestion,
}

/// What `PreferenceAdherenceEvaluator.run` evaluates.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
pub struct PreferenceAdherenceInput {
    /// The conversation up to the last message of the user and with it, which the preferences are looked for in.
    pub conversation_history_beginning_turn: String,
    /// The conversation with the response.
    pub conversation_history_full: String,
}

/// A preference, and where it stands.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all(serialize = "camelCase"))]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
pub struct UserPreference {
    /// The first line that states it, counted from 0.
    #[cfg_attr(target_arch = "wasm32", tsify(type = "number"))]
    pub start_line: Number<'static>,
    /// The last line that states it.
    #[cfg_attr(target_arch = "wasm32", tsify(type = "number"))]
    pub end_line: Number<'static>,
    /// The preference.
    pub preference: String,
}

/// What a response is to a preference.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
pub enum Adherence {
    /// The response follows the preference.
    Adhered,
    /// The response goes against the preference.
    DidNotAdhere,
    /// The preference is about something else.
    NotApplicable,
}

/// Whether a response adheres to a preference.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
pub struct PreferenceEvaluation {
    /// The preference.
    pub preference: String,
    /// What speaks for adherence, and what against it.
    pub reasoning: String,
    /// From 0 to 100.
    #[cfg_attr(target_arch = "wasm32", tsify(type = "number"))]
    pub adherence_probability: Number<'static>,
    /// What follows from the reasoning.
    pub determination: Adherence,
}

/// What `PreferenceAdherenceEvaluator.run` finds out.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
pub struct PreferenceAdherenceResult {
    /// Whether there was anything to evaluate.
    pub applicable: bool,
    /// From 0 to 100; 0 where there was nothing to evaluate.
    pub score: f64,
    /// What could be better.
    #[cfg_attr(target_arch = "wasm32", tsify(optional))]
    pub feedback: Option<String>,
    /// Whether the response adheres to each preference, and how likely that is, from 0 to 100.
    pub adherence_to_preferences: Vec<PreferenceEvaluation>,
    /// How many preferences the response adheres to.
    pub adhered: usize,
    /// How many it does not adhere to.
    pub did_not_adhere: usize,
    /// How many preferences do not apply to the response.
    pub not_applicable: usize,
    /// The preferences, and which lines of `conversationHistoryBeginningTurn` (for `evaluate`, of
    /// `formatFullHistory(messages, { onlyUptoLastUser: true })`), counted from 0, they stand in.
    pub extracted_user_preferences: Vec<UserPreference>,
    /// The tokens that were used, where the provider tells.
    #[cfg_attr(target_arch = "wasm32", tsify(optional))]
    pub usage: Option<Usage>,
}

/// What a model answers when it is asked for preferences.
#[derive(Deserialize)]
struct Extracted {
    preferences: Vec<UserPreference>,
}

/// What a model answers about a preference.
#[derive(Deserialize)]
struct Answer {
    reasoning: String,
    adherence_probability: Number<'static>,
    determination: Adherence,
}

/// Looks for preferences, and judges by them.
pub struct PreferenceAdherence {
    max_concurrency: usize,
    extraction: Question,
    adherence: Question,
}

impl PreferenceAdherence {
    /// Reads the options and the questions.
    pub fn new(config: PreferenceAdherenceConfig) -> Result<Self> {
        Ok(Self {
            max_concurrency: config.max_concurrency.to_usize(),
            extraction: Question::new("extraction", config.extraction)?,
            adherence: Question::new("adherence", config.adherence)?,
        })
    }

    /// Asks for the user's preferences, and then of each how likely the response adheres to it; the score is the mean
    /// for those that apply to the response.
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

/// What follows from the answers on the preferences.
fn judged(preferences: Vec<UserPreference>, answers: &[String]) -> Result<PreferenceAdherenceResult> {
    let mut feedback =
        Feedback::new("The user has these preferences, and the response does not adhere to them:");
    let mut sum = 0.0;
    let (mut adhered, mut did_not_adhere, mut not_applicable) = (0, 0, 0);
    let mut evaluations = Vec::new();
    for (UserPreference { preference, .. }, answer) in preferences.iter().zip(answers) {
        let Answer { reasoning, adherence_probability, determination } = json::read(answer)?;
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
