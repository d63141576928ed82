//! The claims of a sentence, in the three steps of Claimify: what in it can be verified (selection), what that means
//! where it stands (disambiguation), and the single claims in it (decomposition).

use super::super::RecipeQuestion;
use super::super::question::{Answer, Meter, Question};
use crate::chat::ChatModel;
use crate::error::Result;
use crate::json;
use serde::Deserialize;

/// Takes claims from sentences.
pub struct Extraction {
    selection: Question,
    disambiguation: Question,
    decomposition: Question,
}

/// Where a sentence stands.
#[derive(Clone, Copy)]
pub struct Passage<'p> {
    /// What the answer answers.
    pub question: &'p str,
    /// The sentence with its context.
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
        selection: RecipeQuestion,
        disambiguation: RecipeQuestion,
        decomposition: RecipeQuestion,
    ) -> Result<Self> {
        Ok(Self {
            selection: Question::new("selection", selection)?,
            disambiguation: Question::new("disambiguation", disambiguation)?,
            decomposition: Question::new("decomposition", decomposition)?,
        })
    }

    /// What a sentence claims, each claim so that it can be understood without the rest. None if nothing in it can be
    /// verified, or if it is not clear what it means.
    pub async fn claims(
        &self,
        model: &impl ChatModel,
        meter: &Meter,
        passage: Passage<'_>,
        sentence: &str,
    ) -> Result<Vec<String>> {
        let selected: Selection = json::read(&passage.ask(&self.selection, model, meter, sentence).await?)?;
        if !selected.final_submission.starts_with("Contains") {
            return Ok(Vec::new());
        }
        let rewritten = selected.sentence_with_verifiable_info;
        let verifiable = if says_nothing(&rewritten) { sentence } else { &rewritten };

        let clear: Disambiguation =
            json::read(&passage.ask(&self.disambiguation, model, meter, verifiable).await?)?;
        let mut claims = Vec::new();
        for sentence in clear.decontextualized_sentences.iter().filter(|sentence| !says_nothing(sentence)) {
            let parts: Decomposition =
                json::read(&passage.ask(&self.decomposition, model, meter, sentence).await?)?;
            claims.extend(parts.specific_verifiable_decontextualized_propositions_with_clarifications);
        }
        claims.retain(|claim| !says_nothing(claim));
        Ok(claims)
    }
}

impl Passage<'_> {
    fn ask<'a>(
        self,
        question: &'a Question,
        model: &'a impl ChatModel,
        meter: &'a Meter,
        sentence: &str,
    ) -> Answer<'a> {
        let variables = [("question", self.question), ("excerpt", self.excerpt), ("sentence", sentence)];
        question.ask(model, meter, &variables)
    }
}

/// Whether a text only says that there is none.
fn says_nothing(text: &str) -> bool {
    let text = text.trim().trim_end_matches('.');
    let mut nothings = ",none,remains unchanged,cannot be decontextualized".split(',');
    nothings.any(|nothing| text.eq_ignore_ascii_case(nothing))
}
