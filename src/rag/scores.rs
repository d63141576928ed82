//! Scores from verdicts. A verdict is 1 (yes) or 0.

use crate::error::{Error, Result};
use crate::string::embedding_similarity::{Algorithm, exact_similarity};

/// The average precision of a ranking: the mean, over the relevant ranks, of the share of relevant ones up to
/// there. 0 if none is relevant.
pub fn average_precision(verdicts: &[u8]) -> f64 {
    let (mut relevant, mut sum) = (0.0, 0.0);
    for (verdict, rank) in verdicts.iter().zip(1u32..) {
        if *verdict == 1 {
            relevant += 1.0;
            sum += relevant / f64::from(rank);
        }
    }
    if relevant > 0.0 { sum / relevant } else { 0.0 }
}

/// The weighted harmonic mean of precision and recall; recall counts `beta` times as much. 0 if both are 0.
pub fn f_beta(precision: f64, recall: f64, beta: f64) -> f64 {
    let weight = beta * beta;
    let sum = weight * precision + recall;
    if sum > 0.0 { (1.0 + weight) * precision * recall / sum } else { 0.0 }
}

/// Wrong claims of an answer by the contexts that support them.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Noise {
    /// The share of claims that are wrong, and supported by a relevant context.
    pub relevant: f64,
    /// The share of claims that are wrong, and supported by irrelevant contexts only.
    pub irrelevant: f64,
}

/// How many claims of an answer are wrong because of a context, after Ragas.
///
/// `right` has a verdict for each claim of the answer: whether the reference supports it. `supported` has, for
/// each context, a verdict for each claim of the reference and then for each claim of the answer. A context is
/// relevant if it supports a claim of the reference.
pub fn noise(right: &[u8], supported: &[u8], reference_claims: usize) -> Noise {
    let claims = right.len();
    let (mut relevant, mut irrelevant) = (vec![false; claims], vec![false; claims]);
    for context in supported.chunks((reference_claims + claims).max(1)) {
        let (of_reference, of_answer) = context.split_at_checked(reference_claims).unwrap_or_default();
        let marks = if of_reference.contains(&1) { &mut relevant } else { &mut irrelevant };
        for (mark, verdict) in marks.iter_mut().zip(of_answer) {
            *mark |= *verdict == 1;
        }
    }
    let (mut by_relevant, mut by_irrelevant) = (0.0, 0.0);
    for ((right, relevant), irrelevant) in right.iter().zip(relevant).zip(irrelevant) {
        if *right == 1 {
            continue;
        }
        if relevant {
            by_relevant += 1.0;
        } else if irrelevant {
            by_irrelevant += 1.0;
        }
    }
    let claims = claims.max(1) as f64;
    Noise { relevant: by_relevant / claims, irrelevant: by_irrelevant / claims }
}

/// The mean cosine similarity of the first vector and `count` others of the same length. A negative mean counts
/// as 0.
///
/// # Errors
///
/// `invalid_input` for empty vectors, and for the similarity of two of them.
pub fn mean_similarity(vectors: &[f64], count: usize) -> Result<f64> {
    if vectors.is_empty() {
        return Err(Error::invalid_input("the embeddings are empty"));
    }
    let mut parts = vectors.chunks((vectors.len() / (count + 1)).max(1));
    let first = parts.next().unwrap_or_default();
    let mut sum = 0.0;
    for other in parts {
        sum += exact_similarity(Algorithm::Cosine, first, other)?;
    }
    Ok((sum / count.max(1) as f64).clamp(0.0, 1.0))
}
