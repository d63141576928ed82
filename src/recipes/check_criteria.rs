//! Criteria of the caller's, each judged by itself.

use super::feedback::Feedback;
use super::question::{Meter, Question, RecipeQuestion};
use crate::chat::{ChatModel, Usage};
use crate::error::Result;
use crate::json::{self, Number};
use serde::{Deserialize, Serialize};

/// The options of [`CheckCriteria`], and its question.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
pub struct CheckCriteriaConfig {
    /// What the response has to meet.
    pub criteria: Vec<String>,
    /// From which probability on, in percent, a criterion is met.
    #[cfg_attr(target_arch = "wasm32", tsify(type = "number"))]
    pub passed_threshold: Number<'static>,
    /// How many criteria are judged at the same time.
    #[cfg_attr(target_arch = "wasm32", tsify(type = "number"))]
    pub max_concurrency: Number<'static>,
    /// How likely a response meets a criterion.
    pub criterion: RecipeQuestion,
}

/// What `CheckCriteriaEvaluator.run` evaluates.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
pub struct CheckCriteriaInput {
    /// The conversation before the response.
    pub conversation_history: String,
    /// The response that has to meet the criteria.
    pub final_response: String,
}

/// What `CheckCriteriaEvaluator.run` finds out.
#[derive(Debug, Default, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
pub struct CheckCriteriaResult {
    /// Whether there was anything to evaluate.
    pub applicable: bool,
    /// From 0 to 100; 0 where there was nothing to evaluate.
    pub score: f64,
    /// What could be better.
    #[cfg_attr(target_arch = "wasm32", tsify(optional))]
    pub feedback: Option<String>,
    /// Each criterion, with the probability from 0 to 1 that it is met.
    #[cfg_attr(target_arch = "wasm32", tsify(optional))]
    pub criteria_evaluations: Option<Vec<CriterionEvaluation>>,
    /// The tokens that were used, where the provider tells.
    #[cfg_attr(target_arch = "wasm32", tsify(optional))]
    pub usage: Option<Usage>,
}

/// How likely a criterion is met.
#[derive(Debug, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
pub struct CriterionEvaluation {
    /// The criterion.
    pub criterion: String,
    /// What speaks for it, and what against it.
    pub reasoning: String,
    /// From 0 to 1.
    #[cfg_attr(target_arch = "wasm32", tsify(type = "number"))]
    pub probability: Number<'static>,
}

/// What a model answers about a criterion.
#[derive(Deserialize)]
struct Answer {
    reasoning: String,
    probability: Number<'static>,
}

/// Criteria that responses have to meet.
pub struct CheckCriteria {
    criteria: Vec<String>,
    /// From 0 to 1.
    passed_threshold: f64,
    max_concurrency: usize,
    criterion: Question,
}

impl CheckCriteria {
    /// Reads the options and the question.
    pub fn new(config: CheckCriteriaConfig) -> Result<Self> {
        Ok(Self {
            criteria: config.criteria,
            passed_threshold: config.passed_threshold.to_f64() / 100.0,
            max_concurrency: config.max_concurrency.to_usize(),
            criterion: Question::new("criterion", config.criterion)?,
        })
    }

    /// Asks how likely the response meets each criterion; the score is the mean of the probabilities.
    pub async fn run(
        &self,
        model: &impl ChatModel,
        input: CheckCriteriaInput,
    ) -> Result<CheckCriteriaResult> {
        if self.criteria.is_empty() {
            return Ok(CheckCriteriaResult::default());
        }
        let meter = Meter::default();
        let CheckCriteriaInput { conversation_history, final_response } = &input;
        let variables = [("conversation", conversation_history.as_str()), ("response", final_response)];
        let criteria = ("criterion", self.criteria.as_slice());
        let answers =
            self.criterion.ask_each(model, &meter, self.max_concurrency, &variables, criteria).await?;

        let mut sum = 0.0;
        let mut feedback = Feedback::new("The response does not meet these criteria, or not surely enough:");
        let mut evaluations = Vec::new();
        for (criterion, answer) in self.criteria.iter().zip(answers) {
            let Answer { reasoning, probability } = json::read(&answer)?;
            sum += probability.to_f64();
            if probability.to_f64() < self.passed_threshold {
                feedback.push(&[("criterion", criterion), ("reasoning", &reasoning)]);
            }
            evaluations.push(CriterionEvaluation { criterion: criterion.clone(), reasoning, probability });
        }
        Ok(CheckCriteriaResult {
            applicable: true,
            score: sum / self.criteria.len() as f64 * 100.0,
            feedback: feedback.into_text(),
            criteria_evaluations: Some(evaluations),
            usage: meter.read(),
        })
    }
}

#[cfg(test)]
mod tests;
