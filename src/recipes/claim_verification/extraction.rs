//! The claims of a sentence, in the three steps of Claimify: what in it can be verified (selection), what that means
//! where it stands (disambiguation), and the single claims in it (decomposition).

use super::super::step::{Asking, Step};
use crate::chat::ChatModel;
use crate::error::Result;
use crate::json::{Fields, Json};

/// The steps from a sentence to its claims. Each makes sentences of a sentence: none, one or several.
pub struct Extraction([(Step, Reading); 3]);

/// The sentences in an answer about a sentence.
type Reading = fn(&Fields<'_>, &str) -> Result<Vec<String>>;

impl Extraction {
    /// The steps in the options of the recipe.
    pub fn read(config: &Fields<'_>) -> Result<Self> {
        let step = |name| Step::read(config, name);
        Ok(Self([
            (step("selection")?, selected),
            (step("disambiguation")?, |answer, _| Ok(texts(answer, "decontextualized_sentences"))),
            (step("decomposition")?, |answer, _| {
                Ok(texts(answer, "specific_verifiable_decontextualized_propositions_with_clarifications"))
            }),
        ]))
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
                results.append(&mut read(&asking.ask(step, &variables).await?, sentence)?);
            }
            sentences = results;
        }
        Ok(sentences)
    }
}

/// What of the sentence can be verified.
fn selected(answer: &Fields<'_>, sentence: &str) -> Result<Vec<String>> {
    // The schema knows two submissions.
    if !answer.text("final_submission")?.starts_with("Contains") {
        return Ok(Vec::new());
    }
    let rewritten = answer.text("sentence_with_verifiable_info")?;
    Ok(vec![if says_nothing(&rewritten) { sentence.to_owned() } else { rewritten }])
}

/// The texts of a list.
fn texts(answer: &Fields<'_>, name: &str) -> Vec<String> {
    let texts = answer.list(name).iter().filter_map(Json::as_str);
    texts.filter(|text| !says_nothing(text)).map(str::to_owned).collect()
}

/// Whether a text only says that there is none, however it is written.
fn says_nothing(text: &str) -> bool {
    let text = text.trim_matches(|c: char| !c.is_ascii_alphabetic() && c.is_ascii());
    ["", "none", "remains unchanged", "cannot be decontextualized"]
        .iter()
        .any(|nothing| text.eq_ignore_ascii_case(nothing))
}
