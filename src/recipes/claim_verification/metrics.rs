//! What the claims of an answer come to.

use super::super::feedback::Feedback;
use super::types::{ClaimVerificationMetrics, ClaimVerificationResult, VerifiedClaim};
use crate::chat::Usage;

/// With that many claims or fewer, the share of those that are supported tells little.
const FEW_CLAIMS: usize = 2;
/// Below this share, in percent, most claims being open-domain means that the answer was not about the sources.
const LITTLE_SUPPORT: f64 = 15.0;

/// From which probabilities on, in percent, something is taken for true.
pub struct Thresholds {
    /// That the sources support a claim.
    pub verified: f64,
    /// That a claim needs no source.
    pub open_domain: f64,
}

/// A claim that was verified.
pub struct Finding {
    /// The number of the sentence, and that of the claim among those of its list.
    pub place: (usize, usize),
    /// The claim.
    pub claim: VerifiedClaim,
}

/// The share of the claims about the sources that these support, and what it rests on.
pub fn measure(
    findings: Vec<Finding>,
    thresholds: &Thresholds,
    usage: Option<Usage>,
) -> ClaimVerificationResult {
    let (mut supported, mut open) = (0, 0);
    let mut feedback =
        Feedback::new("The sources do not support these claims of the response, or not surely enough:");
    let claims = in_order(findings);
    for claim in &claims {
        if claim.open_domain_probability.to_f64() >= thresholds.open_domain {
            open += 1;
        } else if claim.verified_probability.to_f64() >= thresholds.verified {
            supported += 1;
        } else {
            let VerifiedClaim { sentence, claim, proof, .. } = claim;
            feedback.push(&[("sentence", sentence), ("claim", claim), ("reasoning", proof)]);
        }
    }
    let total = claims.len();
    let closed = total - open;
    // Without closed-domain claims, there are few claims or only open-domain ones: the score is 0, and to be ignored.
    let score = supported as f64 / closed.max(1) as f64 * 100.0;
    let ignore = total <= FEW_CLAIMS || (open > closed && score < LITTLE_SUPPORT);
    ClaimVerificationResult {
        applicable: !ignore,
        score: if ignore { 0.0 } else { score },
        feedback: feedback.into_text(),
        metrics: ClaimVerificationMetrics {
            total_claims: total,
            closed_domain_supported: score,
            ignore_metric_recommended: ignore,
            num_closed_domain_supported: supported,
            num_open_domain_claims: open,
            total_claims_closed_domain: closed,
            usage,
        },
        claims,
    }
}

/// The claims in the order of the text.
fn in_order(findings: Vec<Finding>) -> Vec<VerifiedClaim> {
    let mut ordered: Vec<Finding> = Vec::new();
    for finding in findings {
        // They nearly are in this order.
        let before = ordered.iter().rposition(|other| other.place < finding.place);
        ordered.insert(before.map_or(0, |at| at + 1), finding);
    }
    ordered.into_iter().map(|finding| finding.claim).collect()
}
