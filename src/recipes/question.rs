//! Requests of recipes.

use crate::chat::{ChatModel, Usage};
use crate::error::Result;
use crate::json::JsonBuilder;
use crate::json_schema::no_text_rules;
use crate::judge::{AnswerCheck, CustomSchema, Evaluation, Judge, JudgeConfig, Metadata};
use crate::tasks::join;
use serde::Deserialize;
use std::cell::RefCell;
use std::future::Future;
use std::pin::Pin;

/// The prompt and schema of a request.
#[derive(Debug, Clone, Deserialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
pub struct RecipeQuestion {
    /// The system message.
    pub system: String,
    /// The template of the user message.
    pub prompt: String,
    /// The JSON text of the schema of the answer, in which the order of properties matters. Without it, the
    /// answer is free text.
    pub schema: Option<String>,
}

/// A prepared request.
pub struct Question {
    name: String,
    judge: Judge,
}

/// The usage of a run: the number of requests, the tokens, and the model that answered last.
#[derive(Default)]
pub struct Meter(RefCell<Metadata>);

impl Meter {
    /// Starts with an earlier usage.
    pub fn from(usage: Option<Usage>) -> Self {
        Self(RefCell::new(Metadata { usage, ..Metadata::default() }))
    }

    /// The token usage so far, if the provider reports it.
    pub fn read(&self) -> Option<Usage> {
        self.0.borrow().usage.clone()
    }

    /// Everything so far.
    pub fn into_metadata(self) -> Metadata {
        self.0.into_inner()
    }

    fn add(&self, Metadata { usage, attempts, model, .. }: Metadata) {
        let mut sum = self.0.borrow_mut();
        if let Some(usage) = usage {
            *sum.usage.get_or_insert_default() += usage;
        }
        sum.attempts += attempts;
        sum.model = model.or(sum.model.take());
    }
}

/// The variables of a prompt.
pub type Variables<'v> = [(&'static str, &'v str)];

/// The answer as JSON text. Boxed, because otherwise the binary would have a copy of the code for each
/// request.
pub type AnswerFuture<'a> = Pin<Box<dyn Future<Output = Result<String>> + 'a>>;

impl Question {
    /// Prepares the request. Errors call it `name`.
    pub fn new(name: &str, question: RecipeQuestion) -> Result<Self> {
        let RecipeQuestion { system, prompt, schema } = question;
        let free_text = schema.is_none();
        let output_schema = schema.map(|schema| CustomSchema::new(name, schema));
        let judge = Judge::new(JudgeConfig {
            prompt: Some(prompt),
            system: Some(system),
            output_schema,
            free_text,
            ..JudgeConfig::default()
        })?;
        Ok(Self { name: name.to_owned(), judge })
    }

    /// Asks for an answer that fits the schema; free text becomes `{ text }`. An error names the request, and
    /// has the raw answer.
    pub fn ask<'a>(
        &'a self,
        model: &'a impl ChatModel,
        meter: &'a Meter,
        variables: &Variables<'_>,
    ) -> AnswerFuture<'a> {
        self.ask_for(model, meter, variables, None)
    }

    /// Asks for an answer that also passes the check, and asks once more if it does not.
    pub fn ask_for<'a>(
        &'a self,
        model: &'a impl ChatModel,
        meter: &'a Meter,
        variables: &Variables<'_>,
        check: Option<&'a AnswerCheck<'_>>,
    ) -> AnswerFuture<'a> {
        let mut question = JsonBuilder::object([]);
        for (name, value) in variables {
            question.set(name, (*value).into());
        }
        let question = question.into_text();
        Box::pin(async move {
            let asked = self.judge.evaluate_checked(model, &question, &no_text_rules, check).await;
            let Evaluation { verdict, metadata } = asked.map_err(|error| error.at(&self.name))?;
            meter.add(metadata);
            Ok(verdict.into_json().into_text())
        })
    }

    /// Asks about each value of the variable `name`, with the same other variables. At most `limit` requests
    /// run concurrently.
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
