//! What the claims of an answer come to.

use super::super::sentences::Sentence;
use super::super::{Feedback, applicable};
use crate::error::Result;
use crate::json::{Draft, Fields};
use crate::sort::sorted;

/// With that many claims or fewer, the share of those that are supported tells little.
const FEW_CLAIMS: usize = 2;
/// Below this share, in percent, most claims being open-domain means that the answer was not about the sources.
const LITTLE_SUPPORT: f64 = 15.0;

/// A claim that was verified.
pub struct Finding {
    /// The number of the sentence, and that of the claim among those of the sentence.
    pub place: (usize, usize),
    /// The claim.
    pub claim: String,
    /// What the model says about it.
    pub verdict: Fields<'static>,
    /// All of it, as the caller gets it.
    pub json: String,
}

/// The share of the claims about the sources that these support, and what it rests on.
pub fn measure(findings: &[Finding], sentences: &[Sentence<'_>], config: &Fields<'_>) -> Result<Draft> {
    let threshold = config.number("verificationThreshold")?.to_f64();
    let open_domain_threshold = config.number("isOpenDomainThreshold")?.to_f64();
    let (mut supported, mut open) = (0, 0);
    let mut feedback =
        Feedback::new("The sources do not support these claims of the response, or not surely enough:");
    let mut claims = Vec::new();
    let place = |index: usize| findings.get(index).map(|finding| finding.place);
    for index in sorted(findings.len(), &|a, b| place(a).cmp(&place(b))) {
        let Some(Finding { place, claim, verdict, json }) = findings.get(index) else { continue };
        claims.push(Draft::Text(json.clone()));
        if is_at_least(open_domain_threshold, verdict, "open_domain_probability") {
            open += 1;
        } else if is_at_least(threshold, verdict, "verified_probability") {
            supported += 1;
        } else {
            let sentence = sentences.get(place.0).map_or("", |sentence| sentence.text);
            let proof = verdict.given("proof").unwrap_or_default();
            feedback.push(&[("sentence", sentence), ("claim", claim), ("reasoning", &proof)]);
        }
    }
    let total = findings.len();
    let closed = total - open;
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
    output.set("claims", Draft::list(claims.into_iter()));
    Ok(output)
}

fn is_at_least(threshold: f64, verdict: &Fields<'_>, name: &str) -> bool {
    verdict.number(name).is_ok_and(|probability| probability.to_f64() >= threshold)
}
