//! Questions about a list of items, such as whether contexts support each claim, or whether messages show that a
//! goal is reached. Items and the texts to judge them by are numbered from 0, in blocks that they cannot close.

use super::report;
use crate::chat::ChatModel;
use crate::error::{Code, Error, Result};
use crate::json::{self, Json, JsonBuilder, Number};
use crate::prompt::blocks;
use crate::recipes::RecipeQuestion;
use crate::recipes::claim_verification::size_of_parts;
use crate::recipes::question::{Meter, Question};
use crate::tasks::join;
use serde::Deserialize;
use std::ops::Range;

/// A question about items.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
pub struct IndexedQuestionConfig {
    /// The name of the question in errors.
    pub name: String,
    /// The name of an item's block, such as `claim`.
    pub item: String,
    /// The name of the block of a text to judge them by, such as `context`. An answer names such texts by their
    /// indices in a field with an `s` more: `contexts`.
    pub source: String,
    /// The most items in a request.
    #[cfg_attr(target_arch = "wasm32", tsify(type = "number"))]
    pub most_items: Number<'static>,
    /// The prompt, with `{items}` and, if it needs them, `{contexts}`, `{question}` and `{answer}`. The answer
    /// is `{ answers: [{ index, … }] }`.
    pub question: RecipeQuestion,
}

/// The subject of a question.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
pub struct IndexedQuestionInput {
    /// The items.
    pub items: Vec<String>,
    /// The texts to judge them by.
    pub contexts: Vec<String>,
    /// The question of the user, if it is known.
    #[cfg_attr(target_arch = "wasm32", tsify(optional))]
    pub question: Option<String>,
    /// The answer to it, if the items are not parts of it.
    #[cfg_attr(target_arch = "wasm32", tsify(optional))]
    pub answer: Option<String>,
    /// The maximum number of concurrent requests.
    #[cfg_attr(target_arch = "wasm32", tsify(type = "number"))]
    pub max_concurrency: Number<'static>,
}

/// A prepared question.
pub struct IndexedQuestion {
    item: String,
    source: String,
    most_items: usize,
    question: Question,
}

impl IndexedQuestion {
    /// Prepares the request.
    pub fn new(config: IndexedQuestionConfig) -> Result<Self> {
        let question = Question::new(&config.name, config.question)?;
        let IndexedQuestionConfig { item, source, most_items, .. } = config;
        Ok(Self { item, source, most_items: most_items.to_usize(), question })
    }

    /// The answers in the order of the items, as JSON text: `{ found, metadata }`.
    pub async fn run(&self, model: &impl ChatModel, input: &IndexedQuestionInput) -> Result<String> {
        let meter = Meter::default();
        let answers = self.ask(model, &meter, input).await?;
        report(answers.into_iter().map(JsonBuilder::Text), meter)
    }

    /// The answers in the order of the items, each as JSON text. Many items take several requests of equal size.
    pub async fn ask(
        &self,
        model: &impl ChatModel,
        meter: &Meter,
        input: &IndexedQuestionInput,
    ) -> Result<Vec<String>> {
        let contexts = &blocks((&self.source, "index"), 0, input.contexts.iter().map(String::as_str));
        let size = size_of_parts(input.items.len(), self.most_items);
        let requests = input.items.chunks(size).enumerate().map(|(request, items)| async move {
            let first = request * size;
            let range = first..first + items.len();
            let items = blocks((&self.item, "index"), first, items.iter().map(String::as_str));
            let mut variables = vec![("contexts", contexts.as_str()), ("items", &items)];
            variables.extend(input.question.as_deref().map(|question| ("question", question)));
            variables.extend(input.answer.as_deref().map(|answer| ("answer", answer)));
            let sources = (self.source.as_str(), input.contexts.len());
            let read = |answer: &str| in_order(answer, &range, sources);
            let check = |answer: &str| read(answer).map(|_| ());
            read(&self.question.ask_for(model, meter, &variables, Some(&check)).await?)
        });
        let answers = join(input.max_concurrency.to_usize(), requests).await?;
        Ok(answers.into_iter().flatten().collect())
    }
}

/// The answers in the order of their items. Fails unless each index in the range has exactly one answer, whose
/// sources exist: `(name, count)`.
fn in_order(answer: &str, range: &Range<usize>, (source, count): (&str, usize)) -> Result<Vec<String>> {
    let sources = format!("{source}s");
    let answer = json::parse(answer)?;
    let answers = answer.as_object().and_then(|answer| answer.get("answers")?.as_array()).unwrap_or_default();
    let mut found: Vec<Option<String>> = vec![None; range.len()];
    for answer in answers {
        let Some(members) = answer.as_object() else { continue };
        let index = members.get("index").and_then(whole).filter(|index| range.contains(index));
        let slot = index.and_then(|index| found.get_mut(index - range.start));
        let (Some(index), Some(slot)) = (index, slot) else {
            let (first, last) = (range.start, range.end.saturating_sub(1));
            return Err(invalid(&format!("an answer has an index outside of {first} to {last}")));
        };
        if slot.is_some() {
            return Err(invalid(&format!("index {index} has more than one answer")));
        }
        if let Some(named) = members.get(&sources).and_then(Json::as_array) {
            if named.iter().any(|index| whole(index).is_none_or(|index| index >= count)) {
                return Err(invalid(&format!(
                    "the answer for index {index} names a {source} that does not exist"
                )));
            }
            if members.get("verdict").and_then(whole) == Some(1) && named.is_empty() {
                let problem = format!("the verdict for index {index} is 1, but the answer names no {source}");
                return Err(invalid(&problem));
            }
        }
        *slot = Some(answer.to_text());
    }
    let missing = found.iter().position(Option::is_none).map(|missing| missing + range.start);
    match missing {
        Some(index) => Err(invalid(&format!("index {index} has no answer"))),
        None => Ok(found.into_iter().flatten().collect()),
    }
}

fn whole(value: &Json<'_>) -> Option<usize> {
    match value {
        Json::Number(Number::Integer(number)) => usize::try_from(*number).ok(),
        _ => None,
    }
}

fn invalid(problem: &str) -> Error {
    Error::new(Code::InvalidJudgeOutput, problem)
}
