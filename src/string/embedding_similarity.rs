//! Embedding similarity: the similarity of the embedding vectors of two texts.

use crate::error::{Error, Result};
use crate::scale::{Scales, ScoreScale};

/// The score scales, by result key.
pub const SCALES: &Scales = &[
    ("embedding_similarity", ScoreScale::CORRELATION),
    ("embedding_dot_product", ScoreScale { pass_at: None, ..ScoreScale::VERDICT }),
];

/// A measure of vector similarity.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Algorithm {
    /// The cosine of the angle between the vectors, from -1 to 1.
    Cosine,
    /// The dot product, which is unbounded.
    DotProduct,
}

impl Algorithm {
    /// Looks up an algorithm by its option name.
    pub fn named(name: &str) -> Option<Self> {
        match name {
            "cosine" => Some(Self::Cosine),
            "dot_product" => Some(Self::DotProduct),
            _ => None,
        }
    }
}

/// The similarity of two vectors, rounded to two decimals as in the reference package.
pub fn similarity(algorithm: Algorithm, outputs: &[f64], reference_outputs: &[f64]) -> Result<f64> {
    exact_similarity(algorithm, outputs, reference_outputs).map(round_to_hundredths)
}

/// The similarity of two vectors, not rounded.
pub fn exact_similarity(algorithm: Algorithm, outputs: &[f64], reference_outputs: &[f64]) -> Result<f64> {
    if outputs.len() != reference_outputs.len() || outputs.is_empty() {
        return Err(Error::invalid_input(format!(
            "the embeddings of outputs and referenceOutputs have {} and {} dimensions; the same model has to embed both",
            outputs.len(),
            reference_outputs.len()
        )));
    }
    let dot = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(x, y)| x * y).sum::<f64>();
    let product = dot(outputs, reference_outputs);
    let similarity = match algorithm {
        Algorithm::DotProduct => product,
        Algorithm::Cosine => {
            let cosine = |a: &[f64], b: &[f64]| dot(a, b) / (dot(a, a).sqrt() * dot(b, b).sqrt());
            // The squares of huge or tiny numbers overflow or underflow, but the angle is still defined.
            let is_ordinary = |vector: &[f64]| (1e-280..1e280).contains(&dot(vector, vector));
            if is_ordinary(outputs) && is_ordinary(reference_outputs) {
                cosine(outputs, reference_outputs)
            } else {
                cosine(&scaled(outputs), &scaled(reference_outputs))
            }
        }
    };
    if !similarity.is_finite() {
        return Err(Error::invalid_input(
            "the embeddings have no finite similarity: one is all zeros, or holds numbers that are not finite",
        ));
    }
    Ok(similarity)
}

/// A vector with the same direction, whose largest component is 1.
fn scaled(vector: &[f64]) -> Vec<f64> {
    let largest = vector.iter().fold(0.0_f64, |largest, part| largest.max(part.abs()));
    vector.iter().map(|part| part / largest).collect()
}

/// Rounds the exact value of the double, with ties away from zero, as `Number(x.toFixed(2))` does.
fn round_to_hundredths(value: f64) -> f64 {
    /// From here on, doubles are further apart than hundredths, so each is its own rounding.
    const COARSE: f64 = (1_u64 << 46) as f64;
    if value.abs() >= COARSE {
        return value;
    }
    let scaled = value.abs() * 100.0;
    // The rounding error of the multiplication decides apparent ties.
    let lost = value.abs().mul_add(100.0, -scaled);
    let (whole, fraction) = (scaled.floor(), scaled.fract());
    let up = fraction > 0.5 || (fraction == 0.5 && lost >= 0.0);
    let rounded = (whole + f64::from(up)) / 100.0;
    // Adding zero turns negative zero into zero.
    rounded.copysign(value) + 0.0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn by_hand() {
        assert_eq!(similarity(Algorithm::Cosine, &[1.0, 0.0], &[1.0, 0.0]), Ok(1.0));
        assert_eq!(similarity(Algorithm::Cosine, &[1.0, 0.0], &[-2.0, 0.0]), Ok(-1.0));
        // cos 45° = 0.7071…
        assert_eq!(similarity(Algorithm::Cosine, &[1.0, 0.0], &[1.0, 1.0]), Ok(0.71));
        assert_eq!(similarity(Algorithm::DotProduct, &[1.0, 2.0], &[3.0, 4.5]), Ok(12.0));
    }

    #[test]
    fn rounds_as_to_fixed_does() {
        // 0.125 and 0.375 are exact ties. The doubles of 1.005 and 0.145 are slightly below and above.
        for (value, rounded) in [
            (0.125, 0.13),
            (0.375, 0.38),
            (-0.125, -0.13),
            (1.005, 1.0),
            (0.145, 0.14),
            (8.345, 8.35),
            (0.0049, 0.0),
        ] {
            assert_eq!(round_to_hundredths(value), rounded, "{value}");
        }
        assert!(round_to_hundredths(-0.001).is_sign_positive());
        for large in [1e300, 4.558_602_628_856_627e33, 70_368_744_177_664.02] {
            assert_eq!(round_to_hundredths(large), large);
        }
    }

    #[test]
    fn vectors_without_a_similarity_are_errors() {
        for (a, b) in [
            (&[][..], &[][..]),
            (&[1.0], &[1.0, 2.0]),
            (&[0.0, 0.0], &[1.0, 2.0]),
            (&[f64::NAN, 1.0], &[1.0, 2.0]),
            (&[f64::INFINITY, 1.0], &[1.0, 2.0]),
        ] {
            assert!(similarity(Algorithm::Cosine, a, b).is_err());
        }
    }
}
