//! The claims of an answer, each verified against the sources that the answer had.
//!
//! [`extraction`] takes the claims from the answer, sentence by sentence, after Claimify (Metropolitansky and Larson,
//! "Towards Effective Extraction and Evaluation of Factual Claims", <https://arxiv.org/abs/2502.10855>).
//! [`verification`] looks for the evidence of each claim in the numbered lines of the sources, so that it can be traced,
//! after VeriTrail (by the same authors, "VeriTrail: Closed-Domain Hallucination Detection with Traceability",
//! <https://arxiv.org/abs/2505.21786>). This is no official implementation of either.

mod extraction;
mod verification;

use super::sentences::{self, Sentence};
use super::step::Asking;
use super::{Feedback, Report, applicable};
use crate::chat::ChatModel;
use crate::error::{Code, Error, Result};
use crate::json::{Draft, Fields};
use crate::work;
use extraction::Extraction;
use std::cell::RefCell;
use verification::{Finding, Verification};

/// So many sentences before and after one are its context.
const CONTEXT: usize = 2;
/// Stands for the sentences that an excerpt leaves out.
const LEFT_OUT: &str = "[...]";
/// With that many claims or fewer, the share of those that are supported tells little.
const FEW_CLAIMS: usize = 2;
/// Below this share, in percent, most claims being open-domain means that the answer was not about the sources.
const LITTLE_SUPPORT: f64 = 15.0;

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
    let extraction = &Extraction::read(config)?;
    let verification = &Verification::read(config, input)?;
    let (text, question) = (&input.text("text")?, &input.text("userQuestion")?);
    let sentences = &sentences::split(text);
    let found: &RefCell<Vec<Finding>> = &RefCell::default();
    // What is done next stands last, so that a sentence's claims are verified before the next sentence is read.
    let sentences_with_words =
        (0..sentences.len()).rev().filter(|index| sentences.get(*index).is_some_and(Sentence::has_words));
    let jobs: Vec<Job> =
        sentences_with_words.map(|sentence| Job { sentence, place: 0, claim: None }).collect();
    let jobs = &RefCell::new(jobs);

    let work_on = async |Job { sentence: index, place, claim }: Job| {
        let Some(sentence) = sentences.get(index) else { return Ok(()) };
        let Some(claim) = claim else {
            let excerpt = &excerpt(text, sentences, index);
            let claims = extraction.claims(asking, question, excerpt, sentence.text).await?;
            let claims = claims.into_iter().enumerate().rev();
            jobs.borrow_mut().extend(claims.map(|(place, claim)| Job {
                sentence: index,
                place,
                claim: Some(claim),
            }));
            return Ok(());
        };
        let finding = verification.verify(verifying, question, sentence, claim, (index, place)).await?;
        let json = finding.json.clone();
        let before = found.borrow().partition_point(|before| before.place < finding.place);
        found.borrow_mut().insert(before, finding);
        if report(&json).await {
            Err(Error::new(Code::Aborted, "nobody waits for more claims"))
        } else {
            Ok(())
        }
    };
    let limit = config.whole("maxConcurrency")? as usize;
    work(limit, &mut || {
        let job = jobs.borrow_mut().pop()?;
        Some(Box::pin(work_on(job)))
    })
    .await?;
    Ok(measure(&found.take(), sentences))
}

/// A sentence with those around it, as they stand in the text.
fn excerpt(text: &str, sentences: &[Sentence<'_>], index: usize) -> String {
    let (first, last) =
        (index.saturating_sub(CONTEXT), (index + CONTEXT).min(sentences.len().saturating_sub(1)));
    // Sentences are parts of the text.
    let offset = |index: usize| {
        sentences.get(index).map_or(0, |sentence| sentence.text.as_ptr().addr() - text.as_ptr().addr())
    };
    let end = offset(last) + sentences.get(last).map_or(0, |sentence| sentence.text.len());
    let mut excerpt = String::new();
    if first > 0 {
        excerpt.push_str(LEFT_OUT);
        excerpt.push(' ');
    }
    excerpt.push_str(text.get(offset(first)..end).unwrap_or_default());
    if last + 1 < sentences.len() {
        excerpt.push(' ');
        excerpt.push_str(LEFT_OUT);
    }
    excerpt
}

/// The share of the claims about the sources that these support, and what it rests on.
fn measure(findings: &[Finding], sentences: &[Sentence<'_>]) -> Draft {
    let (mut supported, mut closed) = (0, 0);
    let mut feedback =
        Feedback::new("The sources do not support these claims of the response, or not surely enough:");
    for Finding { place, claim, proof, is_supported, is_open_domain, .. } in findings {
        if *is_open_domain {
            continue;
        }
        closed += 1;
        if *is_supported {
            supported += 1;
        } else {
            let sentence = sentences.get(place.0).map_or("", |sentence| sentence.text);
            feedback.push(&[("sentence", sentence), ("claim", claim), ("reasoning", proof)]);
        }
    }
    let total = findings.len();
    let open = total - closed;
    // Without closed-domain claims, there are few claims or only open-domain ones: the score is 0, and to be ignored.
    let score = supported as f64 / closed.max(1) as f64 * 100.0;
    let ignore = total <= FEW_CLAIMS || (open > closed && score < LITTLE_SUPPORT);

    let mut output = applicable(if ignore { 0.0 } else { score }, feedback);
    output.set("applicable", (!ignore).into());
    output.set("closedDomainSupported", Draft::score(score));
    output.set("ignoreMetricRecommended", ignore.into());
    for (name, count) in [
        ("totalClaims", total),
        ("numClosedDomainSupported", supported),
        ("numOpenDomainClaims", open),
        ("totalClaimsClosedDomain", closed),
    ] {
        output.set(name, (count as u64).into());
    }
    output.set("claims", Draft::list(findings.iter().map(|finding| Draft::Text(finding.json.clone()))));
    output
}

#[cfg(test)]
mod tests;
