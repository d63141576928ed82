//! Extracts the claims of sentences in the three steps of Claimify: selection of verifiable content,
//! disambiguation in context, and decomposition into single claims.

use super::super::question::Meter;
use super::super::sentences::Sentence;
use super::excerpt::excerpt;
use super::items::{ItemQuestion, NumberedItem};
use super::types::ItemQuestionConfig;
use crate::chat::ChatModel;
use crate::error::Result;
use crate::json;
use serde::Deserialize;
use std::ops::Range;

/// Extracts claims from sentences.
pub struct Extraction {
    selection: ItemQuestion,
    disambiguation: ItemQuestion,
    decomposition: ItemQuestion,
}

/// A group of sentences in their text.
pub struct Passage<'p> {
    /// The question that the text answers.
    pub question: &'p str,
    /// The whole text.
    pub text: &'p str,
    /// Its sentences.
    pub sentences: &'p [Sentence<'p>],
    /// The sentences to extract claims from.
    pub group: Range<usize>,
}

/// The verifiable content of a sentence.
#[derive(Deserialize)]
struct Selection {
    /// One of two sentences; the first begins with "Contains".
    final_submission: String,
    sentence_with_verifiable_info: String,
}

/// The disambiguated, self-contained sentences.
#[derive(Deserialize)]
struct Disambiguation {
    decontextualized_sentences: Vec<String>,
}

/// The claims of a sentence.
#[derive(Deserialize)]
struct Decomposition {
    specific_verifiable_decontextualized_propositions_with_clarifications: Vec<String>,
}

impl Extraction {
    /// Prepares the requests.
    pub fn new(
        selection: ItemQuestionConfig,
        disambiguation: ItemQuestionConfig,
        decomposition: ItemQuestionConfig,
    ) -> Result<Self> {
        Ok(Self {
            selection: ItemQuestion::new("selection", selection)?,
            disambiguation: ItemQuestion::new("disambiguation", disambiguation)?,
            decomposition: ItemQuestion::new("decomposition", decomposition)?,
        })
    }

    /// The claims of a group of sentences, in order, each of them self-contained, and whether the sentences
    /// shared requests. A sentence without verifiable content, or whose meaning stays ambiguous, has no claims.
    pub async fn claims(
        &self,
        model: &impl ChatModel,
        meter: &Meter,
        Passage { question, text, sentences: all, group }: Passage<'_>,
    ) -> Result<(Vec<NumberedItem>, bool)> {
        let mut sentences = Vec::new();
        for (of, sentence) in all.iter().enumerate().take(group.end).skip(group.start) {
            if sentence.has_words() {
                sentences.push(NumberedItem { of, text: sentence.text.to_owned() });
            }
        }
        let excerpt = excerpt(text, all, &group);
        let variables = &[("question", question), ("excerpt", excerpt.as_str())];
        let together = sentences.len() > 1;

        let answers =
            self.selection.ask_each(model, meter, variables, "sentence", &sentences, together).await?;
        let mut verifiable = Vec::new();
        for (NumberedItem { of, text }, answer) in sentences.into_iter().zip(answers) {
            let selection: Selection = json::read(&answer)?;
            if selection.final_submission.starts_with("Contains") {
                let rewritten = selection.sentence_with_verifiable_info;
                verifiable
                    .push(NumberedItem { of, text: if says_nothing(&rewritten) { text } else { rewritten } });
            }
        }

        let answers =
            self.disambiguation.ask_each(model, meter, variables, "sentence", &verifiable, together).await?;
        let mut clear = Vec::new();
        for (NumberedItem { of, .. }, answer) in verifiable.into_iter().zip(answers) {
            let Disambiguation { decontextualized_sentences } = json::read(&answer)?;
            push_texts(&mut clear, of, decontextualized_sentences);
        }

        let answers =
            self.decomposition.ask_each(model, meter, variables, "sentence", &clear, together).await?;
        let mut claims = Vec::new();
        for (NumberedItem { of, .. }, answer) in clear.into_iter().zip(answers) {
            let parts: Decomposition = json::read(&answer)?;
            let found = parts.specific_verifiable_decontextualized_propositions_with_clarifications;
            push_texts(&mut claims, of, found);
        }
        Ok((claims, together))
    }
}

/// How many texts of a sentence are searched for an equal one.
const MAX_SEARCHED: usize = 100;

/// Adds the texts found in a sentence. Models may repeat themselves, and each claim is a question with all sources.
fn push_texts(items: &mut Vec<NumberedItem>, of: usize, texts: Vec<String>) {
    for text in texts {
        let mut before = items.iter().rev().take(MAX_SEARCHED);
        if !says_nothing(&text) && !before.any(|item| item.of == of && item.text == text) {
            items.push(NumberedItem { of, text });
        }
    }
}

/// Whether a text is a placeholder for "nothing".
fn says_nothing(text: &str) -> bool {
    let text = text.trim().trim_end_matches('.');
    let mut nothings = ",none,remains unchanged,cannot be decontextualized".split(',');
    nothings.any(|nothing| text.eq_ignore_ascii_case(nothing))
}
