//! Aggregates the verified claims of an answer.

use super::super::feedback::Feedback;
use super::types::{ClaimVerificationMetrics, ClaimVerificationResult, VerifiedClaim};
use crate::chat::Usage;

/// Up to this number of claims, the share of supported claims is not reliable.
const FEW_CLAIMS: usize = 2;
/// Below this share, in percent, a majority of open-domain claims means that the answer was not about the
/// sources.
const LITTLE_SUPPORT: f64 = 15.0;

/// The probabilities, in percent, from which on a judgment counts as true.
pub struct Thresholds {
    /// The sources support the claim.
    pub verified: f64,
    /// The claim needs no source.
    pub open_domain: f64,
}

/// A verified claim with its position.
pub struct Finding {
    /// The index of the sentence, and the index of the claim within its sentence.
    pub place: (usize, usize),
    /// The verified claim.
    pub claim: VerifiedClaim,
}

/// The share of closed-domain claims that the sources support, with its metrics and feedback.
pub fn measure(
    findings: Vec<Finding>,
    thresholds: &Thresholds,
    usage: Option<Usage>,
) -> ClaimVerificationResult {
    let (mut supported, mut open) = (0, 0);
    let mut feedback = Feedback::new("The sources do not clearly support these claims of the response:");
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
    // Without closed-domain claims the score is 0, and the metrics recommend ignoring it.
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
        // The claims are nearly sorted, so insertion sort is fast.
        let before = ordered.iter().rposition(|other| other.place < finding.place);
        ordered.insert(before.map_or(0, |at| at + 1), finding);
    }
    ordered.into_iter().map(|finding| finding.claim).collect()
}
