//! The questions of a recipe, and asking them.

use crate::chat::{ChatModel, Usage};
use crate::error::Result;
use crate::json::Draft;
use crate::json_schema::no_text_rules;
use crate::judge::{Check, CustomSchema, Evaluation, Judge, JudgeConfig};
use crate::tasks::join;
use serde::Deserialize;
use std::cell::Cell;
use std::future::Future;
use std::pin::Pin;

/// What a recipe asks a model, once or of each of many things.
#[derive(Debug, Clone, Deserialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
pub struct RecipeQuestion {
    /// The system message.
    pub system: String,
    /// The template of the user message.
    pub prompt: String,
    /// The JSON text of the schema that the answer has to fit, in which the order of properties counts. Without one,
    /// the answer is free text.
    pub schema: Option<String>,
}

/// A question, ready to be asked.
pub struct Question {
    name: &'static str,
    judge: Judge,
}

/// The tokens that the answers of a run took, where the provider tells.
#[derive(Default)]
pub struct Meter(Cell<Option<Usage>>);

impl Meter {
    /// Begins with what was used before.
    pub fn from(usage: Option<Usage>) -> Self {
        Self(Cell::new(usage))
    }

    /// What was used so far.
    pub fn read(&self) -> Option<Usage> {
        self.0.get()
    }

    fn add(&self, usage: Option<Usage>) {
        if let Some(usage) = usage {
            let mut sum = self.read().unwrap_or_default();
            sum += usage;
            self.0.set(Some(sum));
        }
    }
}

/// The variables of a prompt.
pub type Variables<'v> = [(&'static str, &'v str)];

/// The JSON text of an answer, once it is there. In a box, since the code for asking would otherwise be in the binary
/// once for each question.
pub type Answer<'a> = Pin<Box<dyn Future<Output = Result<String>> + 'a>>;

impl Question {
    /// The question that errors call `name`.
    pub fn new(name: &'static str, question: RecipeQuestion) -> Result<Self> {
        let RecipeQuestion { system, prompt, schema } = question;
        let free_text = schema.is_none();
        let output_schema =
            schema.map(|schema| CustomSchema { name: Some(name.to_owned()), strict: None, schema });
        let judge = Judge::new(JudgeConfig {
            prompt: Some(prompt),
            system: Some(system),
            output_schema,
            free_text,
            ..JudgeConfig::default()
        })?;
        Ok(Self { name, judge })
    }

    /// Asks for an answer that fits the schema; of free text, that is `{ text }`. An error names the question, and has
    /// the raw answer.
    pub fn ask<'a>(
        &'a self,
        model: &'a impl ChatModel,
        meter: &'a Meter,
        variables: &Variables<'_>,
    ) -> Answer<'a> {
        self.ask_for(model, meter, variables, None)
    }

    /// Asks for an answer that also passes the check, and again for one that does not.
    pub fn ask_for<'a>(
        &'a self,
        model: &'a impl ChatModel,
        meter: &'a Meter,
        variables: &Variables<'_>,
        check: Option<&'a Check<'_>>,
    ) -> Answer<'a> {
        let mut question = Draft::object([]);
        for (name, value) in variables {
            question.set(name, (*value).into());
        }
        let question = question.into_text();
        Box::pin(async move {
            let asked = self.judge.evaluate_checked(model, &question, &no_text_rules, check).await;
            let Evaluation { verdict, metadata } = asked.map_err(|error| error.at(self.name))?;
            meter.add(metadata.usage);
            Ok(verdict.into_json().into_text())
        })
    }

    /// Asks about each value of the variable `name`, at most `limit` of them at the same time, beside the same variables.
    pub async fn ask_each(
        &self,
        model: &impl ChatModel,
        meter: &Meter,
        limit: usize,
        variables: &Variables<'_>,
        (name, values): (&'static str, &[String]),
    ) -> Result<Vec<String>> {
        let questions = values.iter().map(|value| {
            let variable: &Variables<'_> = &[(name, value)];
            self.ask(model, meter, &[variables, variable].concat())
        });
        join(limit, questions).await
    }
}
