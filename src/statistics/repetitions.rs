//! Variance components of repeated scores, and the share of examples that flip.

use super::clusters::components;
use super::interval::{Estimate, Settings, Units, of_mean};
use super::rounding;
use serde::Serialize;

/// The variance between repetitions of an example, compared with the variance between examples.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify), tsify(missing_as_null))]
pub struct RepetitionStatistics {
    /// The variance between repetitions of the same example. More repetitions average it out.
    pub within_variance: f64,
    /// The variance between the examples' means over many repetitions, at least 0. Only more examples average it out.
    /// `None` for a single example.
    pub between_variance: Option<f64>,
    /// The share of the variance that lies between examples, which is the correlation of two repetitions: 1 if they always
    /// agree, 0 if they are independent. `None` if nothing varies.
    pub correlation: Option<f64>,
    /// The share of examples whose scores are not all equal.
    pub flipped: Estimate,
    /// The number of examples with several scores.
    pub examples: u32,
}

/// The variance components, for any number of repetitions. `None` if no example has several scores.
///
/// `clusters` has the cluster of each score, if there are clusters; those of a cluster are adjacent.
pub fn repetition_statistics(
    scores: &[f64],
    examples: &Units,
    clusters: Option<&[u32]>,
    settings: Settings,
) -> Option<RepetitionStatistics> {
    if examples.are_rows() {
        return None;
    }
    let mut merged = scores.to_vec();
    rounding::merge(&mut merged, rounding::tolerance(&[scores]));
    let scores = merged.as_slice();
    let (within_variance, between_variance) = components(scores, examples);
    let (mut flipped, mut owners) = (Vec::new(), Vec::new());
    for example in 0..examples.count() {
        let repeated = examples.of_unit(example, scores);
        if repeated.len() > 1 {
            flipped.push(f64::from(repeated.iter().any(|score| repeated.first() != Some(score))));
            let cluster = clusters.and_then(|clusters| examples.of_unit(example, clusters).first());
            owners.push(cluster.copied().unwrap_or(example as u32));
        }
    }
    let all = within_variance + between_variance.unwrap_or(f64::NAN);
    if !all.is_finite() && between_variance.is_some() {
        return None;
    }
    let share = super::descriptive::mean(&flipped);
    Some(RepetitionStatistics {
        within_variance,
        between_variance,
        correlation: between_variance.filter(|_| all > 0.0).map(|between| between / all),
        flipped: Estimate::new(share, of_mean(&flipped, &Units::of(&owners), settings)),
        examples: flipped.len() as u32,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const SETTINGS: Settings = Settings { level: 0.95, seed: 0 };

    #[test]
    fn variances_are_those_of_the_analysis_of_variance() {
        // The means are 1/2, 1 and 0. The mean squares are 1/2 between and 1/6 within, so the component
        // between is (1/2 - 1/6) / 2 = 1/6.
        let scores = [0.0, 1.0, 1.0, 1.0, 0.0, 0.0];
        let found = repetition_statistics(&scores, &Units::of(&[0, 0, 1, 1, 2, 2]), None, SETTINGS).unwrap();
        assert!((found.within_variance - 1.0 / 6.0).abs() < 1e-12);
        assert!((found.between_variance.unwrap() - 1.0 / 6.0).abs() < 1e-12);
        assert!((found.correlation.unwrap() - 0.5).abs() < 1e-12);
        assert_eq!((found.flipped.value, found.examples), (Some(1.0 / 3.0), 3));
        assert!(found.flipped.interval.is_some());
    }

    #[test]
    fn undetermined_figures_are_none() {
        assert_eq!(repetition_statistics(&[0.0, 1.0], &Units::of(&[0, 1]), None, SETTINGS), None);
        let same = repetition_statistics(&[0.3; 4], &Units::of(&[0, 0, 1, 1]), None, SETTINGS).unwrap();
        assert_eq!((same.within_variance, same.correlation, same.flipped.value), (0.0, None, Some(0.0)));
        let rounded =
            repetition_statistics(&[0.3, 0.1 + 0.2, 0.3], &Units::of(&[0, 0, 1]), None, SETTINGS).unwrap();
        assert_eq!(
            (rounded.within_variance, rounded.correlation, rounded.flipped.value),
            (0.0, None, Some(0.0))
        );
        let one = repetition_statistics(&[0.0, 1.0, 1.0], &Units::of(&[0, 0, 0]), None, SETTINGS).unwrap();
        assert_eq!((one.between_variance, one.correlation), (None, None));
    }
}
