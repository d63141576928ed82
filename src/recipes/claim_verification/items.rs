//! Requests about single items, or about several at once to save time and money: the sentences of a list, and
//! their claims.

use super::super::question::{Meter, Question, Variables};
use super::types::ItemQuestionConfig;
use crate::chat::ChatModel;
use crate::error::Result;
use crate::json::{self, Json, Number};
use crate::prompt::blocks;
use std::pin::Pin;

/// The most items in a request.
const MAX_ITEMS: usize = 12;

/// The number of items in each of the fewest requests about `count` items.
pub fn items_per_request(count: usize) -> usize {
    size_of_parts(count, MAX_ITEMS)
}

/// The size of the fewest equal parts of `count` items, none of which has more than `most`.
pub fn size_of_parts(count: usize, most: usize) -> usize {
    count.div_ceil(count.div_ceil(most.max(1)).max(1)).max(1)
}

/// A sentence, or something found in it.
pub struct NumberedItem {
    /// The index of the sentence.
    pub of: usize,
    pub text: String,
}

/// The answers as JSON texts. Boxed for the same reason as `AnswerFuture`.
pub type AnswersFuture<'a> = Pin<Box<dyn Future<Output = Result<Vec<String>>> + 'a>>;

/// A request about one item, or about several.
pub struct ItemQuestion {
    one: Question,
    several: Question,
}

impl ItemQuestion {
    /// Prepares the request. Errors call it `name`.
    pub fn new(name: &'static str, config: ItemQuestionConfig) -> Result<Self> {
        Ok(Self { one: Question::new(name, config.one)?, several: Question::new(name, config.several)? })
    }

    /// Asks about each item, which the prompt calls `name`, with the same variables. If items may be grouped,
    /// several share a request; an item without an unambiguous answer is then asked about alone.
    pub fn ask_each<'a>(
        &'a self,
        model: &'a impl ChatModel,
        meter: &'a Meter,
        variables: &'a Variables<'_>,
        name: &'static str,
        items: &'a [NumberedItem],
        together: bool,
    ) -> AnswersFuture<'a> {
        Box::pin(async move {
            let size = if together { items_per_request(items.len()) } else { 1 };
            let mut found = Vec::new();
            for part in items.chunks(size) {
                let mut answers = Vec::new();
                if part.len() > 1 {
                    let things: &Variables<'_> = &[("things", &numbered(name, part))];
                    let answer = self.several.ask(model, meter, &[variables, things].concat()).await?;
                    answers = answers_by_number(&json::parse(&answer)?, part.len());
                }
                answers.resize(part.len(), None);
                for (item, answer) in part.iter().zip(answers) {
                    found.push(match answer {
                        Some(answer) => answer,
                        None => {
                            let item: &Variables<'_> = &[(name, &item.text)];
                            self.one.ask(model, meter, &[variables, item].concat()).await?
                        }
                    });
                }
            }
            Ok(found)
        })
    }
}

/// Each item in a numbered block.
fn numbered(name: &str, items: &[NumberedItem]) -> String {
    blocks((name, "number"), 1, items.iter().map(|item| item.text.as_str()))
}

/// The answer about each of `count` items, as JSON text; `None` unless exactly one answer has its number.
fn answers_by_number(answer: &Json<'_>, count: usize) -> Vec<Option<String>> {
    let answers = answer.as_object().and_then(|answer| answer.get("answers")?.as_array()).unwrap_or_default();
    let about = |number: usize| {
        let number = Json::Number(Number::Integer(number as i64));
        let is_about = |answer: &&Json<'_>| {
            answer.as_object().is_some_and(|answer| answer.get("number") == Some(&number))
        };
        let mut about = answers.iter().filter(is_about);
        about.next().filter(|_| about.next().is_none()).map(Json::to_text)
    };
    (1..=count).map(about).collect()
}
