//! The questions of a recipe, and asking them.

use crate::chat::{ChatModel, Usage};
use crate::error::Result;
use crate::join;
use crate::json::{self, Draft, Fields};
use crate::judge::{CustomSchema, Evaluation, Judge, JudgeConfig};
use std::borrow::Cow;
use std::cell::Cell;
use std::future::Future;
use std::pin::Pin;

/// A question of a recipe: a prompt, and the form of the answer. Without a schema, that is `{ text }` with free text.
pub struct Step {
    name: &'static str,
    judge: Judge,
}

impl Step {
    /// The step of this name among the `steps` of a recipe.
    pub fn read(config: &Fields<'_>, name: &'static str) -> Result<Self> {
        let step = config.object("steps")?.object(name)?;
        // As text, since the order of its properties counts.
        let schema = step.given("schema");
        let free_text = schema.is_none();
        let output_schema =
            schema.map(|schema| CustomSchema { name: Some(name.to_owned()), strict: None, schema });
        let judge = Judge::new(JudgeConfig {
            prompt: Some(step.text("prompt")?),
            system: step.given("system"),
            output_schema,
            free_text,
            ..JudgeConfig::default()
        })?;
        Ok(Self { name, judge })
    }
}

/// The variables of a prompt.
pub type Variables<'v> = [(&'static str, &'v str)];

/// What is waited for. In a box, since the code for asking would otherwise be in the binary once for each question.
pub type Answer<'a> = Pin<Box<dyn Future<Output = Result<Fields<'static>>> + 'a>>;

/// A model that is asked, and the tokens that all answers took, where the provider tells.
pub struct Asking<'m, M> {
    model: &'m M,
    usage: &'m Cell<Option<Usage>>,
}

impl<'m, M: ChatModel> Asking<'m, M> {
    /// Nothing has been asked yet.
    pub fn new(model: &'m M, usage: &'m Cell<Option<Usage>>) -> Self {
        Self { model, usage }
    }

    /// Asks for an answer that fits the schema of the step. An error names the step, and has the raw answer.
    pub fn ask<'a>(&'a self, step: &'a Step, variables: &Variables<'_>) -> Answer<'a> {
        let mut question = Draft::object([]);
        for (name, value) in variables {
            question.set(name, (*value).into());
        }
        self.answer(step, question.into_text().into())
    }

    /// The same for a step of `config` that is asked once. `variables` is the JSON text of an object that has them.
    pub fn ask_once<'a>(
        &'a self,
        config: &'a Fields<'_>,
        name: &'static str,
        variables: &'a str,
    ) -> Answer<'a> {
        Box::pin(async move { self.answer(&Step::read(config, name)?, variables.into()).await })
    }

    fn answer<'a>(&'a self, step: &'a Step, question: Cow<'a, str>) -> Answer<'a> {
        Box::pin(async move {
            let asked = step.judge.evaluate(self.model, &question).await;
            let Evaluation { verdict, metadata } = asked.map_err(|error| error.at(step.name))?;
            if let Some(usage) = metadata.usage {
                let mut sum = self.usage.take().unwrap_or_default();
                sum += usage;
                self.usage.set(Some(sum));
            }
            Fields::of(&json::parse(&verdict.into_json().into_text())?.into_owned())
        })
    }
}

impl<M: ChatModel> Asking<'_, M> {
    /// Asks about each value of the variable `name`, at most `limit` of them at the same time, beside the same variables.
    pub async fn ask_each(
        &self,
        step: &Step,
        limit: u32,
        variables: &Variables<'_>,
        (name, values): (&'static str, &[String]),
    ) -> Result<Vec<Fields<'static>>> {
        let questions = values.iter().map(|value| {
            let variable: &Variables<'_> = &[(name, value)];
            self.ask(step, &[variables, variable].concat())
        });
        join(limit as usize, questions).await
    }
}
