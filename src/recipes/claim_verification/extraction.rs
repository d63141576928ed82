//! The claims of a sentence, in the three steps of Claimify: what in it can be verified (selection), what it means
//! where it stands (disambiguation), and the single claims in that (decomposition).

use super::super::sentences::Sentence;
use super::super::step::{Asking, Step};
use crate::chat::ChatModel;
use crate::error::Result;
use crate::json::{Fields, Json};

/// So many sentences before and after one are its context.
const CONTEXT: usize = 2;
/// Stands for the sentences that an excerpt leaves out.
const LEFT_OUT: &str = "[...]";

/// The steps from a sentence to its claims.
pub struct Extraction {
    selection: Step,
    disambiguation: Step,
    decomposition: Step,
}

/// A sentence, where it stands.
pub struct Passage<'p> {
    /// What the answer answers.
    pub question: &'p str,
    /// The sentence with its context.
    pub excerpt: &'p str,
    /// The sentence.
    pub sentence: &'p str,
}

impl Extraction {
    /// The steps in the options of the recipe.
    pub fn read(config: &Fields<'_>) -> Result<Self> {
        Ok(Self {
            selection: Step::read(config, "selection")?,
            disambiguation: Step::read(config, "disambiguation")?,
            decomposition: Step::read(config, "decomposition")?,
        })
    }

    /// What the sentence claims, each claim so that it can be understood without the rest. None if nothing in it can be
    /// verified, or if it is not clear what it means.
    pub async fn claims<M: ChatModel>(
        &self,
        asking: &Asking<'_, M>,
        passage: &Passage<'_>,
    ) -> Result<Vec<String>> {
        let ask = async |step: &Step, sentence: &str| {
            let Passage { question, excerpt, .. } = passage;
            asking
                .ask(step, &[("question", question), ("excerpt", excerpt), ("sentence", sentence)])
                .await
        };
        let mut claims = Vec::new();
        let selected = ask(&self.selection, passage.sentence).await?;
        // The schema knows two submissions.
        if !selected.text("final_submission")?.starts_with("Contains") {
            return Ok(claims);
        }
        let rewritten = selected.text("sentence_with_verifiable_info")?;
        let sentence =
            if says(&rewritten, &["", "none", "remains unchanged"]) { passage.sentence } else { &rewritten };
        let clear = ask(&self.disambiguation, sentence).await?;
        for sentence in texts(&clear, "decontextualized_sentences") {
            let parts = ask(&self.decomposition, sentence).await?;
            let parts =
                texts(&parts, "specific_verifiable_decontextualized_propositions_with_clarifications");
            claims.extend(parts.map(str::to_owned));
        }
        Ok(claims)
    }
}

/// The texts of a list, without those that say that there is none.
fn texts<'f>(answer: &'f Fields<'_>, name: &str) -> impl Iterator<Item = &'f str> {
    let texts = answer.list(name).iter().filter_map(Json::as_str);
    texts.filter(|text| !says(text, &["", "none", "cannot be decontextualized"]))
}

/// Whether a text is one of these, which are in lower case, however it is written.
fn says(text: &str, any: &[&str]) -> bool {
    let text = text.trim_matches([' ', '\n', '"', '\'', '.']);
    any.iter().any(|wanted| text.eq_ignore_ascii_case(wanted))
}

/// Each sentence with those around it, as they stand in the text.
pub fn excerpts(text: &str, sentences: &[Sentence<'_>]) -> Vec<String> {
    let mut end = 0;
    // There is only white space between sentences.
    let ranges = sentences.iter().map(|sentence| {
        let start = text.len() - text.get(end..).unwrap_or_default().trim_start().len();
        end = start + sentence.text.len();
        (start, end)
    });
    let ranges: Vec<(usize, usize)> = ranges.collect();
    let excerpt = |index: usize| {
        let (first, last) = (index.saturating_sub(CONTEXT), (index + CONTEXT).min(ranges.len() - 1));
        let (start, end) = (ranges.get(first)?.0, ranges.get(last)?.1);
        let before = if first > 0 { [LEFT_OUT, " "].concat() } else { String::new() };
        let after = if last + 1 < ranges.len() { [" ", LEFT_OUT].concat() } else { String::new() };
        Some([&before, text.get(start..end)?, &after].concat())
    };
    (0..ranges.len()).filter_map(excerpt).collect()
}
