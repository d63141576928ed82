//! The claims of an answer, each verified against the sources that the answer had.
//!
//! [`extraction`] takes the claims from the answer, sentence by sentence, after Claimify (Metropolitansky and Larson,
//! "Towards Effective Extraction and Evaluation of Factual Claims", <https://arxiv.org/abs/2502.10855>). Then a model looks
//! for the evidence of each claim in the numbered lines of the sources, so that it can be traced, after VeriTrail (by the
//! same authors, "VeriTrail: Closed-Domain Hallucination Detection with Traceability",
//! <https://arxiv.org/abs/2505.21786>). This is no official implementation of either.

mod extraction;
mod metrics;

use super::Report;
use super::sentences::{self, Sentence};
use super::step::{Asking, Step};
use crate::chat::ChatModel;
use crate::error::{Code, Error, Result};
use crate::json::{Draft, Fields, Json};
use crate::work;
use extraction::{Passage, STEPS};
use metrics::Finding;
use std::cell::RefCell;

/// So many sentences before and after one are its context.
const CONTEXT: usize = 2;

/// What the verification of a claim answers.
const VERDICT: [&str; 6] = [
    "proof",
    "citations",
    "verified_probability",
    "open_domain_justification",
    "open_domain_probability",
    "is_open_domain",
];

/// What there is to do: to take the claims from a sentence or, once there is one, to verify a claim.
struct Job {
    sentence: usize,
    place: usize,
    claim: Option<String>,
}

/// Takes the claims from the `text` with `asking`, and verifies them with `verifying`. Each claim is reported as soon as
/// it is verified; the result has all of them, in the order of the text.
pub async fn run<M: ChatModel>(
    asking: &Asking<'_, M>,
    verifying: &Asking<'_, M>,
    config: &Fields<'_>,
    input: &Fields<'_>,
    report: &Report<'_>,
) -> Result<Draft> {
    let mut steps = Vec::new();
    for (name, _) in STEPS {
        steps.push(Step::read(config, name)?);
    }
    let (steps, verification) = (&steps, &Step::read(config, "verification")?);
    let (text, question) = (&input.text("text")?, &input.text("userQuestion")?);
    let sources = &input.text("sources")?;
    let sentences = &sentences::split(text);
    let found: &RefCell<Vec<Finding>> = &RefCell::default();
    // What is done next stands last, so that a sentence's claims are verified before the next sentence is read.
    let jobs = (0..sentences.len()).rev().map(|sentence| Job { sentence, place: 0, claim: None });
    let jobs = &RefCell::new(jobs.collect::<Vec<_>>());

    let work_on = async |Job { sentence: index, place, claim }: Job| {
        let Some(sentence) = sentences.get(index).filter(|sentence| sentence.has_words()) else {
            return Ok(());
        };
        let Some(claim) = claim else {
            let excerpt = &excerpt(text, sentences, index);
            let passage = Passage { question, excerpt, sentence: sentence.text };
            let claims = passage.claims(asking, steps).await?;
            let job = |(place, claim)| Job { sentence: index, place, claim: Some(claim) };
            jobs.borrow_mut().extend(claims.into_iter().enumerate().rev().map(job));
            return Ok(());
        };
        let variables = [("sources", sources.as_str()), ("question", question), ("claim", &claim)];
        let verdict = verifying.ask(verification, &variables).await?;
        let json = verified(sentence, &claim, &verdict);
        found.borrow_mut().push(Finding { place: (index, place), claim, verdict, json: json.clone() });
        let stop = report(&json).await;
        if stop { Err(Error::new(Code::Aborted, "nobody waits for more claims")) } else { Ok(()) }
    };
    let limit = config.whole("maxConcurrency")? as usize;
    work(limit, &mut || jobs.borrow_mut().pop().map(|job| Box::pin(work_on(job)) as _)).await?;
    metrics::measure(&found.take(), sentences, config)
}

/// The JSON text of a claim, with the place of its sentence and what a model says about it.
fn verified(sentence: &Sentence<'_>, claim: &str, verdict: &Fields<'_>) -> String {
    let mut json = Draft::object([("claim", claim.into())]);
    for (name, place) in [("startIndex", sentence.start), ("endIndex", sentence.end)] {
        json.set(name, (place as u64).into());
    }
    for name in VERDICT {
        json.set(name, Draft::Text(verdict.get(name).map(Json::to_text).unwrap_or_default()));
    }
    json.into_text()
}

/// A sentence with those around it, as they stand in the text; `[...]` stands for what is left out.
fn excerpt(text: &str, sentences: &[Sentence<'_>], index: usize) -> String {
    let around = sentences.get(index.saturating_sub(CONTEXT)..).unwrap_or_default();
    let around = around.get(..CONTEXT.min(index) + 1 + CONTEXT).unwrap_or(around);
    let (Some(first), Some(last)) = (around.first(), around.last()) else { return String::new() };
    // Sentences are parts of the text.
    let offset = |sentence: &Sentence<'_>| sentence.text.as_ptr().addr() - text.as_ptr().addr();
    let excerpt = text.get(offset(first)..offset(last) + last.text.len()).unwrap_or_default();
    let is_first = first.start == sentences.first().map_or(0, |sentence| sentence.start);
    let is_last = last.end == sentences.last().map_or(0, |sentence| sentence.end);
    [if is_first { "" } else { "[...] " }, excerpt, if is_last { "" } else { " [...]" }].concat()
}

#[cfg(test)]
mod tests;
