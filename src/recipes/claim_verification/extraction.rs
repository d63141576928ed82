//! The claims of a sentence, in the three steps of Claimify: what in it can be verified (selection), what that means
//! where it stands (disambiguation), and the single claims in it (decomposition).

use super::super::step::{Asking, Step};
use crate::chat::ChatModel;
use crate::error::Result;
use crate::json::{Fields, Json};

/// The steps from a sentence to its claims. Each makes sentences of a sentence: none, one or several.
pub struct Extraction(Vec<(Step, Reading)>);

/// The sentences in an answer about a sentence.
type Reading = fn(&Fields<'_>, &str) -> Vec<String>;

const STEPS: [(&str, Reading); 3] = [
    ("selection", selected),
    ("disambiguation", |answer, _| texts(answer, "decontextualized_sentences")),
    ("decomposition", |answer, _| {
        texts(answer, "specific_verifiable_decontextualized_propositions_with_clarifications")
    }),
];

impl Extraction {
    /// The steps in the options of the recipe.
    pub fn read(config: &Fields<'_>) -> Result<Self> {
        let mut steps = Vec::new();
        for (name, read) in STEPS {
            steps.push((Step::read(config, name)?, read));
        }
        Ok(Self(steps))
    }

    /// What the sentence claims, each claim so that it can be understood without the rest. None if nothing in it can be
    /// verified, or if it is not clear what it means.
    pub async fn claims<M: ChatModel>(
        &self,
        asking: &Asking<'_, M>,
        question: &str,
        excerpt: &str,
        sentence: &str,
    ) -> Result<Vec<String>> {
        let mut sentences = vec![sentence.to_owned()];
        for (step, read) in &self.0 {
            let mut results = Vec::new();
            for sentence in &sentences {
                let variables = [("question", question), ("excerpt", excerpt), ("sentence", sentence)];
                results.append(&mut read(&asking.ask(step, &variables).await?, sentence));
            }
            sentences = results;
        }
        Ok(sentences)
    }
}

/// What of the sentence can be verified.
fn selected(answer: &Fields<'_>, sentence: &str) -> Vec<String> {
    // The schema knows two submissions.
    let is_selected = answer.given("final_submission").is_some_and(|choice| choice.starts_with("Contains"));
    let rewritten = answer.given("sentence_with_verifiable_info").filter(|text| !says_nothing(text));
    if is_selected { vec![rewritten.unwrap_or_else(|| sentence.to_owned())] } else { Vec::new() }
}

/// The texts of a list.
fn texts(answer: &Fields<'_>, name: &str) -> Vec<String> {
    let texts = answer.list(name).iter().filter_map(Json::as_str);
    texts.filter(|text| !says_nothing(text)).map(str::to_owned).collect()
}

/// Whether a text only says that there is none, however it is written.
fn says_nothing(text: &str) -> bool {
    let is_word = |byte: &u8| !byte.is_ascii_punctuation() && !byte.is_ascii_whitespace();
    let is = |nothing: &&str| {
        text.bytes().filter(is_word).map(|byte| byte.to_ascii_lowercase()).eq(nothing.bytes())
    };
    ["", "none", "remainsunchanged", "cannotbedecontextualized"].iter().any(is)
}
