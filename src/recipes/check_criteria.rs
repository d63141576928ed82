//! Checks a response against the caller's criteria, each in its own request.

use super::feedback::Feedback;
use super::question::{Meter, Question, RecipeQuestion};
use crate::chat::{ChatModel, Usage};
use crate::error::Result;
use crate::json::{self, Number};
use serde::{Deserialize, Serialize};

/// The options of [`CheckCriteria`], and its request.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
pub struct CheckCriteriaConfig {
    /// The criteria.
    pub criteria: Vec<String>,
    /// The lowest probability, in percent, at which a criterion is met.
    #[cfg_attr(target_arch = "wasm32", tsify(type = "number"))]
    pub passed_threshold: Number<'static>,
    /// The maximum number of concurrent requests.
    #[cfg_attr(target_arch = "wasm32", tsify(type = "number"))]
    pub max_concurrency: Number<'static>,
    /// Asks how likely a response meets a criterion.
    pub criterion: RecipeQuestion,
}

/// The input of `CheckCriteriaEvaluator.run`.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
pub struct CheckCriteriaInput {
    /// The conversation before the response.
    pub conversation_history: String,
    /// The response to evaluate.
    pub final_response: String,
}

/// The result of `CheckCriteriaEvaluator.run`.
#[derive(Debug, Default, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
pub struct CheckCriteriaResult {
    /// Whether there was anything to evaluate.
    pub applicable: bool,
    /// The mean probability, from 0 to 100; 0 if not applicable.
    pub score: f64,
    /// Possible improvements; absent if all criteria are met.
    #[cfg_attr(target_arch = "wasm32", tsify(optional))]
    pub feedback: Option<String>,
    /// The criteria, each with the probability from 0 to 1 that it is met.
    #[cfg_attr(target_arch = "wasm32", tsify(optional))]
    pub criteria_evaluations: Option<Vec<CriterionEvaluation>>,
    /// The token usage, if the provider reports it.
    #[cfg_attr(target_arch = "wasm32", tsify(optional))]
    pub usage: Option<Usage>,
}

/// The evaluation of a criterion.
#[derive(Debug, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
pub struct CriterionEvaluation {
    /// The criterion.
    pub criterion: String,
    /// The arguments for and against the criterion being met.
    pub reasoning: String,
    /// The probability that the criterion is met, from 0 to 1.
    #[cfg_attr(target_arch = "wasm32", tsify(type = "number"))]
    pub probability: Number<'static>,
}

/// The model's answer about a criterion.
#[derive(Deserialize)]
struct CriterionAnswer {
    reasoning: String,
    probability: Number<'static>,
}

/// The recipe that checks criteria.
pub struct CheckCriteria {
    criteria: Vec<String>,
    /// The probability from which on a criterion is met, from 0 to 1.
    passed_threshold: f64,
    max_concurrency: usize,
    criterion: Question,
}

impl CheckCriteria {
    /// Prepares the options and the request.
    pub fn new(config: CheckCriteriaConfig) -> Result<Self> {
        Ok(Self {
            criteria: config.criteria,
            passed_threshold: config.passed_threshold.to_f64() / 100.0,
            max_concurrency: config.max_concurrency.to_usize(),
            criterion: Question::new("criterion", config.criterion)?,
        })
    }

    /// Asks how likely the response meets each criterion. The score is the mean probability.
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
        let mut feedback = Feedback::new("The response does not clearly meet these criteria:");
        let mut evaluations = Vec::new();
        for (criterion, answer) in self.criteria.iter().zip(answers) {
            let CriterionAnswer { reasoning, probability } = json::read(&answer)?;
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
