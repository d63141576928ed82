//! The claims of an answer, each verified against the sources that the answer had.
//!
//! [`extraction`] takes the claims from the answer, sentence by sentence, after Claimify (Metropolitansky and Larson,
//! "Towards Effective Extraction and Evaluation of Factual Claims", <https://arxiv.org/abs/2502.10855>). Then a model looks
//! for the evidence of each claim in the numbered lines of the [`sources`], so that it can be traced, after VeriTrail (by
//! the same authors, "VeriTrail: Closed-Domain Hallucination Detection with Traceability",
//! <https://arxiv.org/abs/2505.21786>). This is no official implementation of either.

mod extraction;
mod metrics;
mod sources;
mod types;

use super::question::{Meter, Question};
use super::sentences::{self, Sentence};
use crate::chat::ChatModel;
use crate::error::{Code, Error, Result};
use crate::json;
use crate::tasks::work;
use extraction::{Extraction, Passage};
use metrics::{Finding, Thresholds};
use std::cell::RefCell;
use std::pin::Pin;
use types::{ClaimSource, Verdict};
pub use types::{ClaimVerificationConfig, ClaimVerificationInput, ClaimVerificationResult, VerifiedClaim};

/// So many sentences before and after one are its context.
const CONTEXT: usize = 2;

/// Gets each claim as soon as it is verified. Once it is taken, says whether to stop.
pub type Report<'r> = dyn Fn(&VerifiedClaim) -> Pin<Box<dyn Future<Output = bool> + 'r>> + 'r;

/// Takes claims from answers, and verifies them.
pub struct ClaimVerification {
    thresholds: Thresholds,
    max_concurrency: usize,
    extraction: Extraction,
    verification: Question,
}

/// What there is to do: to take the claims from a sentence or, once there is one, to verify a claim.
struct Job {
    sentence: usize,
    place: usize,
    claim: Option<String>,
}

impl ClaimVerification {
    /// Reads the options and the questions.
    pub fn new(config: ClaimVerificationConfig) -> Result<Self> {
        Ok(Self {
            thresholds: Thresholds {
                verified: config.verification_threshold.to_f64(),
                open_domain: config.is_open_domain_threshold.to_f64(),
            },
            max_concurrency: config.max_concurrency.to_usize(),
            extraction: Extraction::new(config.selection, config.disambiguation, config.decomposition)?,
            verification: Question::new("verification", config.verification)?,
        })
    }

    /// Takes the claims from the text with `model`, and verifies them with `verifier`. Each claim is reported as soon as
    /// it is verified; the result has all of them, in the order of the text.
    pub async fn run<M: ChatModel>(
        &self,
        model: &M,
        verifier: &M,
        input: ClaimVerificationInput,
        report: &Report<'_>,
    ) -> Result<ClaimVerificationResult> {
        let meter = &Meter::default();
        let ClaimVerificationInput { text, user_question: question, source_context } = &input;
        let sources = &sources::render(source_context);
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
                let passage = Passage { question, excerpt };
                let claims = self.extraction.claims(model, meter, passage, sentence.text).await?;
                let job = |(place, claim)| Job { sentence: index, place, claim: Some(claim) };
                jobs.borrow_mut().extend(claims.into_iter().enumerate().rev().map(job));
                return Ok(());
            };
            let variables = [("sources", sources.as_str()), ("question", question), ("claim", &claim)];
            let verdict = self.verification.ask(verifier, meter, &variables).await?;
            let claim = verified(sentence, claim, json::read(&verdict)?, source_context);
            let stop = report(&claim).await;
            found.borrow_mut().push(Finding { place: (index, place), claim });
            if stop { Err(Error::new(Code::Aborted, "nobody waits for more claims")) } else { Ok(()) }
        };
        let next = &mut || jobs.borrow_mut().pop().map(|job| Box::pin(work_on(job)) as _);
        work(self.max_concurrency, next).await?;
        Ok(metrics::measure(found.take(), &self.thresholds, meter.read()))
    }
}

/// A claim, with the place of its sentence and what a model says about it.
fn verified(
    sentence: &Sentence<'_>,
    claim: String,
    verdict: Verdict,
    sources: &[ClaimSource],
) -> VerifiedClaim {
    let (citations, invalid) = sources::cited(sources, verdict.citations);
    VerifiedClaim {
        sentence: sentence.text.to_owned(),
        start_index: sentence.start,
        end_index: sentence.end,
        claim,
        proof: verdict.proof,
        citations,
        verified_probability: verdict.verified_probability,
        open_domain_justification: verdict.open_domain_justification,
        open_domain_probability: verdict.open_domain_probability,
        is_open_domain: verdict.is_open_domain,
        invalid_citations: Some(invalid).filter(|invalid| !invalid.is_empty()),
    }
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
