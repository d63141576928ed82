//! Verifies each claim of an answer against its sources.
//!
//! [`extraction`] extracts the claims sentence by sentence, after Claimify (Metropolitansky and Larson,
//! "Towards Effective Extraction and Evaluation of Factual Claims", <https://arxiv.org/abs/2502.10855>).
//! [`excerpt`] groups the items of a list and the rows of a table, and selects the context to show. Then a
//! model cites evidence for each claim from the numbered lines of the [`sources`], after VeriTrail (same
//! authors, "VeriTrail: Closed-Domain Hallucination Detection with Traceability",
//! <https://arxiv.org/abs/2505.21786>). This is not an official implementation of either.

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
pub(crate) use excerpt::groups;
pub(crate) use extraction::{Extraction, Passage};
use items::ItemQuestion;
pub(crate) use items::{NumberedItem, size_of_parts};
use metrics::{Finding, Thresholds};
use std::cell::RefCell;
use std::ops::Range;
use std::pin::Pin;
use types::{ClaimSource, ClaimVerdict};
pub use types::{
    ClaimVerificationConfig, ClaimVerificationInput, ClaimVerificationResult, ItemQuestionConfig,
    VerifiedClaim,
};

/// Called with each claim as soon as it is verified; returns whether to stop.
pub type Report<'r> = dyn Fn(&VerifiedClaim) -> Pin<Box<dyn Future<Output = bool> + 'r>> + 'r;

/// The recipe that verifies claims.
pub struct ClaimVerification {
    thresholds: Thresholds,
    max_concurrency: usize,
    extraction: Extraction,
    verification: ItemQuestion,
}

/// A job of the recipe.
enum Job {
    /// Extract the claims of these sentences.
    Extract(Range<usize>),
    /// Verify these claims. The number belongs to the first sentence.
    Verify(usize, Vec<NumberedItem>),
}

impl ClaimVerification {
    /// Prepares the options and the requests.
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

    /// Extracts the claims of the text with `model`, and verifies them with `verifier`. Each claim is
    /// reported as soon as it is verified. The result has all claims, in the order of the text.
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
        // A stack: the claims of a sentence are verified before the next sentence is read.
        let jobs = groups(sentences).into_iter().rev().map(Job::Extract);
        let jobs = &RefCell::new(jobs.collect::<Vec<_>>());

        let extract = async |group: Range<usize>| {
            let passage = Passage { question, text, sentences, group };
            let (mut claims, together) = self.extraction.claims(model, meter, passage).await?;
            // The claims of a single sentence are verified one by one.
            let size = if together { items::items_per_request(claims.len()) } else { 1 };
            while !claims.is_empty() {
                let number = (claims.len() - 1) / size * size;
                jobs.borrow_mut().push(Job::Verify(number, claims.split_off(number)));
            }
            Ok(())
        };
        let verify = async |number: usize, claims: Vec<NumberedItem>| {
            let variables = [("sources", sources.as_str()), ("question", question)];
            let verdicts =
                self.verification.ask_each(verifier, meter, &variables, "claim", &claims, true).await?;
            for ((NumberedItem { of, text }, verdict), number) in
                claims.into_iter().zip(verdicts).zip(number..)
            {
                let Some(sentence) = sentences.get(of) else { continue };
                let claim = verified(sentence, text, json::read(&verdict)?, source_context);
                let stop = report(&claim).await;
                found.borrow_mut().push(Finding { place: (of, number), claim });
                if stop {
                    return Err(Error::new(Code::Aborted, "the caller stopped reading claims"));
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

/// A verified claim: the position of its sentence, and the model's verdict.
fn verified(
    sentence: &Sentence<'_>,
    claim: String,
    verdict: ClaimVerdict,
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
