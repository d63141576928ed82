//! The claims of a sentence, in the three steps of Claimify: what in it can be verified (selection), what that means
//! where it stands (disambiguation), and the single claims in it (decomposition).

use super::super::step::{Asking, Step};
use crate::chat::ChatModel;
use crate::error::Result;
use crate::json::{Fields, Json};

/// The names of the steps, and of the lists that they answer with. Each makes sentences of a sentence: none, one or
/// several.
pub const STEPS: [(&str, &str); 3] = [
    ("selection", ""),
    ("disambiguation", "decontextualized_sentences"),
    ("decomposition", "specific_verifiable_decontextualized_propositions_with_clarifications"),
];

/// A sentence, where it stands.
pub struct Passage<'p> {
    /// What the answer answers.
    pub question: &'p str,
    /// The sentence with its context.
    pub excerpt: &'p str,
    /// The sentence.
    pub sentence: &'p str,
}

impl Passage<'_> {
    /// What the sentence claims, each claim so that it can be understood without the rest. None if nothing in it can be
    /// verified, or if it is not clear what it means.
    pub async fn claims<M: ChatModel>(&self, asking: &Asking<'_, M>, steps: &[Step]) -> Result<Vec<String>> {
        let mut sentences = vec![self.sentence.to_owned()];
        for (step, (_, list)) in steps.iter().zip(STEPS) {
            for sentence in std::mem::take(&mut sentences) {
                let variables =
                    [("question", self.question), ("excerpt", self.excerpt), ("sentence", &sentence)];
                let answer = asking.ask(step, &variables).await?;
                if list.is_empty() {
                    sentences.extend(selected(&answer, sentence));
                } else {
                    push_texts(answer.list(list), &mut sentences);
                }
            }
        }
        Ok(sentences)
    }
}

/// What of the sentence can be verified.
fn selected(answer: &Fields<'_>, sentence: String) -> Option<String> {
    // The schema knows two submissions.
    answer.given("final_submission").filter(|submission| submission.starts_with("Contains"))?;
    let rewritten = answer.given("sentence_with_verifiable_info");
    Some(rewritten.filter(|text| !says_nothing(text)).unwrap_or(sentence))
}

fn push_texts(list: &[Json<'_>], texts: &mut Vec<String>) {
    for text in list.iter().filter_map(Json::as_str) {
        if !says_nothing(text) {
            texts.push(text.to_owned());
        }
    }
}

/// Whether a text only says that there is none.
fn says_nothing(text: &str) -> bool {
    let text = text.trim().trim_end_matches('.');
    let mut nothings = ",none,remains unchanged,cannot be decontextualized".split(',');
    nothings.any(|nothing| text.eq_ignore_ascii_case(nothing))
}
