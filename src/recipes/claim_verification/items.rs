//! Questions that are asked about one thing or, since each takes time and money, about several at once: sentences of
//! one list, and their claims.

use super::super::question::{Meter, Question, Variables};
use super::types::ItemQuestionConfig;
use crate::chat::ChatModel;
use crate::error::Result;
use crate::json::{self, Json, Number};
use crate::prompt::push_value;
use std::pin::Pin;

/// So many items are asked about at once, at most.
const MOST: usize = 12;

/// How many of so many items are asked about at once, so that the questions are about equally many.
pub fn most(count: usize) -> usize {
    count.div_ceil(count.div_ceil(MOST).max(1))
}

/// What is asked about: a sentence, or what was found in it.
pub struct Item {
    /// The index of the sentence.
    pub of: usize,
    pub text: String,
}

/// The JSON texts of answers, once they are there. In a box, as `Answer` is.
pub type Answers<'a> = Pin<Box<dyn Future<Output = Result<Vec<String>>> + 'a>>;

/// A question about one thing, or about several.
pub struct ItemQuestion {
    one: Question,
    several: Question,
}

impl ItemQuestion {
    /// The question that errors call `name`.
    pub fn new(name: &'static str, config: ItemQuestionConfig) -> Result<Self> {
        Ok(Self { one: Question::new(name, config.one)?, several: Question::new(name, config.several)? })
    }

    /// Asks about each of these items, called `name`, beside the same variables: several at once, if they may be asked
    /// about together, and alone where it is not clear which of the answers is about an item.
    pub fn ask_each<'a>(
        &'a self,
        model: &'a impl ChatModel,
        meter: &'a Meter,
        variables: &'a Variables<'_>,
        name: &'static str,
        items: &'a [Item],
        together: bool,
    ) -> Answers<'a> {
        Box::pin(async move {
            let most = if together { most(items.len()) } else { 1 };
            let mut found = Vec::new();
            for part in items.chunks(most.max(1)) {
                let mut answers = Vec::new();
                if part.len() > 1 {
                    let things: &Variables<'_> = &[("things", &numbered(name, part))];
                    let answer = self.several.ask(model, meter, &[variables, things].concat()).await?;
                    answers = told_apart(&json::parse(&answer)?, part.len());
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

/// Each item in a block, with its number. No text can end the block that it stands in.
fn numbered(name: &str, items: &[Item]) -> String {
    let mut text = String::new();
    for (item, number) in items.iter().zip(1..) {
        let gap = if text.is_empty() { "" } else { "\n" };
        text.push_str(&format!("{gap}<{name} number=\"{number}\">\n"));
        push_value(&mut text, &item.text, &[name.to_owned()]);
        text.push_str(&format!("\n</{name}>"));
    }
    text
}

/// The JSON text of the answer about each of `count` items, where there is just one with its number.
fn told_apart(answer: &Json<'_>, count: usize) -> Vec<Option<String>> {
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
