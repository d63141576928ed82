//! The claims of sentences, in the three steps of Claimify: what in it can be verified (selection), what that means
//! where it stands (disambiguation), and the single claims in it (decomposition).

use super::super::question::Meter;
use super::items::{Item, ItemQuestion};
use super::types::ItemQuestionConfig;
use crate::chat::ChatModel;
use crate::error::Result;
use crate::json;
use serde::Deserialize;

/// Takes claims from sentences.
pub struct Extraction {
    selection: ItemQuestion,
    disambiguation: ItemQuestion,
    decomposition: ItemQuestion,
}

/// Where sentences stand.
#[derive(Clone, Copy)]
pub struct Passage<'p> {
    /// What the answer answers.
    pub question: &'p str,
    /// The sentences with their context.
    pub excerpt: &'p str,
}

/// What of a sentence can be verified.
#[derive(Deserialize)]
struct Selection {
    /// One of two sentences, of which the first begins with "Contains".
    final_submission: String,
    sentence_with_verifiable_info: String,
}

/// What a sentence means, in sentences that can be understood alone.
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
    /// Reads the questions.
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

    /// What these sentences claim, in their order, each claim so that it can be understood without the rest. None of a
    /// sentence in which nothing can be verified, or of which it is not clear what it means.
    pub async fn claims(
        &self,
        model: &impl ChatModel,
        meter: &Meter,
        Passage { question, excerpt }: Passage<'_>,
        sentences: Vec<Item>,
    ) -> Result<Vec<Item>> {
        let variables = &[("question", question), ("excerpt", excerpt)];
        let together = sentences.len() > 1;

        let answers =
            self.selection.ask_each(model, meter, variables, "sentence", &sentences, together).await?;
        let mut verifiable = Vec::new();
        for (Item { of, text }, answer) in sentences.into_iter().zip(answers) {
            let selection: Selection = json::read(&answer)?;
            if selection.final_submission.starts_with("Contains") {
                let rewritten = selection.sentence_with_verifiable_info;
                verifiable.push(Item { of, text: if says_nothing(&rewritten) { text } else { rewritten } });
            }
        }

        let answers =
            self.disambiguation.ask_each(model, meter, variables, "sentence", &verifiable, together).await?;
        let mut clear = Vec::new();
        for (Item { of, .. }, answer) in verifiable.into_iter().zip(answers) {
            let Disambiguation { decontextualized_sentences } = json::read(&answer)?;
            push_texts(&mut clear, of, decontextualized_sentences);
        }

        let answers =
            self.decomposition.ask_each(model, meter, variables, "sentence", &clear, together).await?;
        let mut claims = Vec::new();
        for (Item { of, .. }, answer) in clear.into_iter().zip(answers) {
            let parts: Decomposition = json::read(&answer)?;
            let found = parts.specific_verifiable_decontextualized_propositions_with_clarifications;
            push_texts(&mut claims, of, found);
        }
        Ok(claims)
    }
}

/// Adds what was found in a sentence.
fn push_texts(items: &mut Vec<Item>, of: usize, texts: Vec<String>) {
    for text in texts {
        if !says_nothing(&text) {
            items.push(Item { of, text });
        }
    }
}

/// Whether a text only says that there is none.
fn says_nothing(text: &str) -> bool {
    let text = text.trim().trim_end_matches('.');
    let mut nothings = ",none,remains unchanged,cannot be decontextualized".split(',');
    nothings.any(|nothing| text.eq_ignore_ascii_case(nothing))
}
