//! The claims of an answer, each verified against the sources that the answer had.
//!
//! [`extraction`] takes the claims from the answer, sentence by sentence (the items of a list and the rows of a table
//! together: [`excerpt`] says which, and what is shown of their surroundings), after Claimify (Metropolitansky and Larson,
//! "Towards Effective Extraction and Evaluation of Factual Claims", <https://arxiv.org/abs/2502.10855>). Then a model looks
//! for the evidence of each claim in the numbered lines of the [`sources`], so that it can be traced, after VeriTrail (by
//! the same authors, "VeriTrail: Closed-Domain Hallucination Detection with Traceability",
//! <https://arxiv.org/abs/2505.21786>). This is no official implementation of either.

mod excerpt;
mod extraction;
mod items;
mod metrics;
mod sources;
mod types;

use super::question::Meter;
use super::sentences::{self, Sentence};
use crate::chat::ChatModel;
use crate::error::{Code, Error, Result};
use crate::json;
use crate::tasks::work;
use extraction::{Extraction, Passage};
use items::{Item, ItemQuestion};
use metrics::{Finding, Thresholds};
use std::cell::RefCell;
use std::ops::Range;
use std::pin::Pin;
use types::{ClaimSource, Verdict};
pub use types::{ClaimVerificationConfig, ClaimVerificationInput, ClaimVerificationResult, VerifiedClaim};

/// Gets each claim as soon as it is verified. Once it is taken, says whether to stop.
pub type Report<'r> = dyn Fn(&VerifiedClaim) -> Pin<Box<dyn Future<Output = bool> + 'r>> + 'r;

/// Takes claims from answers, and verifies them.
pub struct ClaimVerification {
    thresholds: Thresholds,
    max_concurrency: usize,
    extraction: Extraction,
    verification: ItemQuestion,
}

/// What there is to do.
enum Job {
    /// To take the claims from these sentences.
    Extract(Range<usize>),
    /// To verify claims of such sentences, of which the first has this number.
    Verify(usize, Vec<Item>),
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
            verification: ItemQuestion::new("verification", config.verification)?,
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
        let jobs = excerpt::groups(sentences).into_iter().rev().map(Job::Extract);
        let jobs = &RefCell::new(jobs.collect::<Vec<_>>());

        let extract = async |group: Range<usize>| {
            let mut items = Vec::new();
            for (of, sentence) in sentences.iter().enumerate().take(group.end).skip(group.start) {
                if sentence.has_words() {
                    items.push(Item { of, text: sentence.text.to_owned() });
                }
            }
            let together = items.len() > 1;
            let excerpt = &excerpt::excerpt(text, sentences, &group);
            let mut claims =
                self.extraction.claims(model, meter, Passage { question, excerpt }, items).await?;
            // The claims of one sentence are verified one by one.
            let most = if together { items::most(claims.len()) } else { 1 };
            while !claims.is_empty() {
                let number = (claims.len() - 1) / most * most;
                jobs.borrow_mut().push(Job::Verify(number, claims.split_off(number)));
            }
            Ok(())
        };
        let verify = async |number: usize, claims: Vec<Item>| {
            let variables = [("sources", sources.as_str()), ("question", question)];
            let verdicts =
                self.verification.ask_each(verifier, meter, &variables, "claim", &claims, true).await?;
            for ((Item { of, text }, verdict), number) in claims.into_iter().zip(verdicts).zip(number..) {
                let Some(sentence) = sentences.get(of) else { continue };
                let claim = verified(sentence, text, json::read(&verdict)?, source_context);
                let stop = report(&claim).await;
                found.borrow_mut().push(Finding { place: (of, number), claim });
                if stop {
                    return Err(Error::new(Code::Aborted, "nobody waits for more claims"));
                }
            }
            Ok(())
        };
        let work_on = async |job: Job| match job {
            Job::Extract(group) => extract(group).await,
            Job::Verify(number, claims) => verify(number, claims).await,
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

#[cfg(test)]
mod tests;
