//! Calibration of a judge's probabilities, and its bias towards a group of rows.

use super::interval::{Estimate, Interval, Settings, Units};
use super::significance::compare;

/// The number of equal-width bins.
const BINS: usize = 10;

/// The expected calibration error: the distance of each bin's mean probability from its rate of positive
/// outcomes, weighted by rows (Guo et al., *On calibration of modern neural networks*, 2017). A probability
/// on an edge belongs to the bin below. From 0 to 1; NaN without probabilities.
///
/// It has no interval: resampling adds noise to the error, so a bootstrap interval never covers the true
/// value of a calibrated judge.
pub fn calibration_error(probabilities: &[f64], outcomes: &[f64]) -> f64 {
    let mut gaps = [0.0; BINS];
    for (probability, outcome) in probabilities.iter().zip(outcomes) {
        let bin = ((probability * BINS as f64).ceil() as usize).saturating_sub(1).min(BINS - 1);
        if let Some(gap) = gaps.get_mut(bin) {
            *gap += probability - outcome;
        }
    }
    gaps.iter().map(|gap| gap.abs()).sum::<f64>() / probabilities.len() as f64
}

/// The difference in mean excess (score minus label) between some rows and all others. Undefined unless there
/// are rows of both kinds.
///
/// The interval is combined from the intervals of both means (Zou and Donner, *Construction of confidence
/// limits about effect measures*, 2008).
pub fn favour(
    scores: &[f64],
    labels: &[f64],
    favoured: &[f64],
    units: &Units,
    settings: Settings,
) -> Estimate {
    let excess = |of: f64| {
        let pick = |column: &[f64]| -> Vec<f64> {
            let rows = column.iter().zip(favoured);
            rows.filter(|(_, favoured)| **favoured == of).map(|(value, _)| *value).collect()
        };
        let units = units.of_some(&|row| favoured.get(row) == Some(&of));
        compare(&pick(labels), &pick(scores), &units, settings)
    };
    let (some, others) = (excess(1.0), excess(0.0));
    let (Some(one), Some(other)) = (some.difference, others.difference) else {
        return Estimate { value: None, interval: None };
    };
    let value = one - other;
    let interval = some.interval.zip(others.interval).and_then(|(a, b)| {
        let distance = |a: f64, b: f64| (a * a + b * b).sqrt();
        let low = value - distance(one - a.low, b.high - other);
        Interval::between(low, value + distance(a.high - one, other - b.low), settings.level)
    });
    Estimate::new(value, interval)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::statistics::testing::{Coverage, SETTINGS, samples, uniform};

    #[test]
    fn the_error_of_calibration_is_that_of_the_bins() {
        let found = calibration_error(&[0.05, 0.1, 0.85, 0.95], &[1.0, 0.0, 1.0, 1.0]);
        // 0.05 and 0.1 share a bin, with one positive outcome; 0.85 and 0.95 have separate bins.
        assert!((found - (0.85 + 0.15 + 0.05) / 4.0).abs() < 1e-12, "{found}");
        assert_eq!(calibration_error(&[0.0, 1.0], &[0.0, 1.0]), 0.0);
        assert!(calibration_error(&[], &[]).is_nan());
    }

    #[test]
    fn favour_is_the_difference_of_two_excesses() {
        let labels = [0.0, 1.0, 0.0, 1.0, 0.0, 1.0, 0.0, 1.0];
        let scores = [1.0, 1.0, 1.0, 1.0, 0.0, 1.0, 0.0, 0.0];
        let favoured = [1.0, 1.0, 1.0, 1.0, 0.0, 0.0, 0.0, 0.0];
        let units = Units::of_rows(8);
        let found = favour(&scores, &labels, &favoured, &units, SETTINGS);
        assert_eq!(found.value, Some(0.75));
        assert_eq!(favour(&scores, &labels, &[1.0; 8], &units, SETTINGS).value, None);
    }

    #[test]
    fn favour_is_covered() {
        for bias in [0.0, 0.2] {
            for count in [20, 60] {
                let mut coverage = Coverage::default();
                for seed in 0..samples(100) {
                    let mut random = uniform(seed + 50);
                    let mut columns = [const { Vec::new() }; 3];
                    for row in 0..count {
                        let favoured = row % 2 == 0;
                        let label = random() < 0.5;
                        let errs = random() < if favoured && !label { 0.1 + 2.0 * bias } else { 0.1 };
                        columns[0].push(f64::from(label != errs));
                        columns[1].push(f64::from(label));
                        columns[2].push(f64::from(favoured));
                    }
                    let units = Units::of_rows(count);
                    let [scores, labels, favoured] = &columns;
                    coverage.note(favour(scores, labels, favoured, &units, SETTINGS), bias);
                }
                coverage.expect(&format!("favour of {bias}: {count}"), 0.93..=0.985);
            }
        }
    }
}
