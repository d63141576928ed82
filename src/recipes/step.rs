//! The questions of a recipe, and asking them.

use crate::chat::{ChatModel, Usage};
use crate::error::Result;
use crate::join;
use crate::json::{self, Draft, Fields};
use crate::judge::{Config, CustomSchema, Evaluation, Judge};
use std::cell::Cell;

/// A question of a recipe: a prompt, and the form of the answer.
pub struct Step {
    name: &'static str,
    judge: Judge,
}

impl Step {
    /// The step of this name among the `steps` of a recipe.
    pub fn read(config: &Fields<'_>, name: &'static str) -> Result<Self> {
        let step = config.object("steps")?.object(name)?;
        let schema = CustomSchema {
            name: Some(name.to_owned()),
            strict: None,
            // As text, since the order of its properties counts.
            schema: step.text("schema")?,
        };
        let judge = Judge::new(Config {
            prompt: Some(step.text("prompt")?),
            system: step.given("system"),
            output_schema: Some(schema),
            ..Config::default()
        })?;
        Ok(Self { name, judge })
    }
}

/// The variables of a prompt.
pub type Variables<'v> = [(&'static str, &'v str)];

/// A model that is asked, and the tokens that all its answers took.
pub struct Asking<'m, M> {
    model: &'m M,
    usage: Cell<Option<Usage>>,
}

impl<'m, M: ChatModel> Asking<'m, M> {
    /// Nothing has been asked yet.
    pub fn new(model: &'m M) -> Self {
        Self { model, usage: Cell::default() }
    }

    /// Asks for an answer that fits the schema of the step. An error names the step, and has the raw answer.
    pub async fn ask(&self, step: &Step, variables: &Variables<'_>) -> Result<Fields<'static>> {
        let mut question = Draft::object([]);
        for (name, value) in variables {
            question.set(name, (*value).into());
        }
        let asked = step.judge.evaluate(self.model, &question.into_text()).await;
        let Evaluation { verdict, metadata } = asked.map_err(|error| error.at(step.name))?;
        if let Some(usage) = metadata.usage {
            let mut sum = self.usage.take().unwrap_or_default();
            sum += usage;
            self.usage.set(Some(sum));
        }
        Fields::of(&json::parse(&verdict.into_json().into_text())?.into_owned())
    }

    /// The tokens that all answers took, where the provider tells.
    pub fn usage(&self) -> Option<Usage> {
        self.usage.get()
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
        let questions = values.iter().map(async |value| {
            let variable: &Variables<'_> = &[(name, value)];
            self.ask(step, &[variables, variable].concat()).await
        });
        join(limit as usize, questions).await
    }
}
