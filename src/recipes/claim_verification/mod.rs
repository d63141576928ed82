//! The claims of an answer, each verified against the sources that the answer had.
//!
//! [`extraction`] takes the claims from the answer, sentence by sentence, after Claimify (Metropolitansky and Larson,
//! "Towards Effective Extraction and Evaluation of Factual Claims", <https://arxiv.org/abs/2502.10855>).
//! [`verification`] looks for the evidence of each claim in the numbered lines of the [`sources`], so that it can be
//! traced, after VeriTrail (by the same authors, "VeriTrail: Closed-Domain Hallucination Detection with Traceability",
//! <https://arxiv.org/abs/2505.21786>). This is no official implementation of either.

mod extraction;
mod sources;
mod verification;

use super::sentences::{self, Sentence};
use super::step::Asking;
use super::{Feedback, Report, applicable};
use crate::chat::ChatModel;
use crate::error::{Code, Error, Result};
use crate::json::{Draft, Fields};
use crate::work;
use extraction::{Extraction, Passage};
use std::cell::RefCell;
use std::collections::VecDeque;
use verification::{Finding, Verification};

/// With that many claims or fewer, the share of those that are supported tells little.
const FEW_CLAIMS: usize = 2;
/// Below this share, in percent, most claims being open-domain means that the answer was not about the sources.
const LITTLE_SUPPORT: f64 = 15.0;

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
    let (text, question) = (input.text("text")?, &input.text("userQuestion")?);
    let sentences = &sentences::split(&text);
    let excerpts = &extraction::excerpts(&text, sentences);

    // The findings of each sentence, and the claims that wait for theirs.
    let found: &RefCell<Vec<Vec<Option<Finding>>>> = &RefCell::default();
    found.borrow_mut().resize_with(sentences.len(), Vec::new);
    let waiting: &RefCell<VecDeque<(usize, usize, String)>> = &RefCell::default();

    let verify = async |sentence: usize, place: usize, claim: String| {
        let Some(spoken) = sentences.get(sentence) else { return Ok(()) };
        let finding = verification.verify(verifying, question, spoken, &claim).await?;
        let part = finding.json.clone().into_text();
        if let Some(slot) = found.borrow_mut().get_mut(sentence).and_then(|claims| claims.get_mut(place)) {
            *slot = Some(finding);
        }
        if report(&part).await { Err(stopped()) } else { Ok(()) }
    };
    let extract = async |index: usize, excerpt: &str, sentence: &Sentence<'_>| {
        let passage = Passage { question, excerpt, sentence: sentence.text };
        let claims = extraction.claims(asking, &passage).await?;
        if let Some(slots) = found.borrow_mut().get_mut(index) {
            slots.resize_with(claims.len(), || None);
        }
        let claims = claims.into_iter().enumerate().map(|(place, claim)| (index, place, claim));
        waiting.borrow_mut().extend(claims);
        Ok(())
    };
    let mut unread =
        sentences.iter().zip(excerpts).enumerate().filter(|(_, (sentence, _))| sentence.has_words());
    // What a sentence claims is verified before the next one is read, as far as `limit` allows.
    let limit = config.whole("maxConcurrency")? as usize;
    work(limit, &mut || {
        if let Some((sentence, place, claim)) = waiting.borrow_mut().pop_front() {
            return Some(Box::pin(verify(sentence, place, claim)));
        }
        let (index, (sentence, excerpt)) = unread.next()?;
        Some(Box::pin(extract(index, excerpt, sentence)))
    })
    .await?;
    let findings: Vec<Finding> = found.take().into_iter().flatten().flatten().collect();
    Ok(measure(&findings))
}

/// Nobody waits for the result any more.
fn stopped() -> Error {
    Error::new(Code::Aborted, "the claims are not read any further")
}

/// The share of the claims about the sources that these support, and what it rests on.
fn measure(findings: &[Finding]) -> Draft {
    let total = findings.len();
    let closed: Vec<&Finding> = findings.iter().filter(|finding| !finding.is_open_domain).collect();
    let supported = closed.iter().filter(|finding| finding.is_supported).count();
    let open = total - closed.len();
    // Without any such claims, which are few claims or all of them open-domain, the score is 0 and to be ignored.
    let score = supported as f64 / closed.len().max(1) as f64 * 100.0;
    let ignore = total <= FEW_CLAIMS || (open > closed.len() && score < LITTLE_SUPPORT);

    let mut feedback =
        Feedback::new("The sources do not support these claims of the response, or not surely enough:");
    for Finding { sentence, claim, proof, .. } in closed.iter().filter(|finding| !finding.is_supported) {
        feedback.push(&[("sentence", sentence), ("claim", claim), ("reasoning", proof)]);
    }
    let mut output = applicable(if ignore { 0.0 } else { score }, feedback);
    output.set("applicable", (!ignore).into());
    output.set("totalClaims", (total as u64).into());
    output.set("closedDomainSupported", Draft::score(score));
    output.set("ignoreMetricRecommended", ignore.into());
    output.set("numClosedDomainSupported", (supported as u64).into());
    output.set("numOpenDomainClaims", (open as u64).into());
    output.set("totalClaimsClosedDomain", (closed.len() as u64).into());
    output.set("claims", Draft::list(findings.iter().map(|finding| finding.json.clone())));
    output
}

#[cfg(test)]
mod tests;
