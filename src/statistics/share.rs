//! Confidence intervals of shares, and other means between 0 and 1, from their variance.

use super::clusters::{correlation, freedom, variance_of_mean, variance_of_shares};
use super::descriptive::mean;
use super::interval::{Estimate, Interval, Units, wilson};
use super::probability::{normal_quantile, student_quantile_between};

/// A share below this is a rounding error.
const ROUNDING: f64 = 1e-12;

/// Wilson's interval with the effective sample size: that of a rate with this variance (Korn and Graubard,
/// *Confidence intervals for proportions with small expected number of positive counts estimated from survey
/// data*, 1998). At 0 and at 1, where the variance is 0, uses the degrees of freedom plus one as the sample
/// size (rule of three).
pub fn interval(share: f64, variance: f64, freedom: f64, level: f64) -> Option<Interval> {
    interval_of_at_most(share, variance, freedom, level, f64::INFINITY)
}

/// [`interval`] with an effective sample size of at most `most`, and at least the degrees of freedom plus one.
fn interval_of_at_most(share: f64, variance: f64, freedom: f64, level: f64, most: f64) -> Option<Interval> {
    let count = freedom + 1.0;
    // Rounded, so that the interval of 0 begins at exactly 0.
    let share = if share < ROUNDING { 0.0 } else { share.min(1.0) };
    let spread = share * (1.0 - share);
    let varies = variance > ROUNDING * ROUNDING && spread > ROUNDING && freedom > 0.0;
    let mut worth = if varies { spread / variance } else { count };
    if worth > count && freedom > 0.0 {
        // The variance is an estimate, so Student's t replaces the normal quantile.
        let ratio = normal_quantile(level) / student_quantile_between(level, freedom);
        worth = (worth * ratio * ratio).max(count);
    }
    worth = worth.min(most.max(count));
    wilson(share * worth, worth, level)
}

/// The mean of values between 0 and 1, one for each independent unit, with its interval. The effective sample size is at
/// most `most`: a few values that happen to be equal do not prove that the variance is small.
pub fn of_values_worth(values: &[f64], most: f64, level: f64) -> Estimate {
    let share = mean(values);
    let units = Units::of_rows(values.len());
    if values.len() < 2 {
        return of_values(values, &units, level);
    }
    let freedom = freedom(&units, 0.0);
    Estimate::new(share, interval_of_at_most(share, variance_of_mean(values, &units), freedom, level, most))
}

/// The mean of values between 0 and 1, such as scores, distances or squared errors, with its interval.
pub fn of_values(values: &[f64], units: &Units, level: f64) -> Estimate {
    let share = mean(values);
    if values.is_empty() || units.count() < 2 {
        return Estimate::new(share, interval(share, 0.0, 0.0, level).filter(|_| !values.is_empty()));
    }
    let correlation = correlation(values, units);
    let variance = variance_of_shares(values, units, correlation);
    Estimate::new(share, interval(share, variance, freedom(units, correlation), level))
}

/// The flip rate: the probability that two runs of an example have different classes, averaged over the
/// examples with several runs.
pub fn flip_rate(classes: &[f64], units: &Units, level: f64) -> Estimate {
    let mut shares = Vec::new();
    for unit in 0..units.count() {
        let runs = units.of_unit(unit, classes);
        let pairs = (runs.len() * runs.len().saturating_sub(1)) as f64;
        if pairs > 0.0 {
            let differing = |run: &f64| runs.iter().filter(|other| *other != run).count();
            shares.push(runs.iter().map(differing).sum::<usize>() as f64 / pairs);
        }
    }
    of_values(&shares, &Units::of_rows(shares.len()), level)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::statistics::testing::{Coverage, rows, samples, uniform};

    #[test]
    fn a_rate_has_wilsons_interval_but_for_the_correction_of_its_variance() {
        let values = [1.0, 0.0, 1.0, 1.0, 0.0, 1.0, 1.0, 1.0, 1.0, 1.0];
        let found = of_values(&values, &rows(10), 0.95);
        // The variance of few values is divided by n - 1.
        assert_eq!(found.value, Some(0.8));
        let expected = wilson(0.8 * 9.0, 9.0, 0.95).unwrap();
        let Interval { low, high, .. } = found.interval.unwrap();
        assert!((low - expected.low).abs() < 1e-12 && (high - expected.high).abs() < 1e-12);
        assert_eq!(of_values(&[0.0; 10], &rows(10), 0.95).interval, wilson(0.0, 10.0, 0.95));
        assert_eq!(of_values(&[], &rows(0), 0.95), Estimate { value: None, interval: None });
    }

    #[test]
    fn the_flip_rate_is_the_share_of_pairs_that_differ() {
        let units = Units::of(&[0, 0, 0, 1, 1, 2]);
        let found = flip_rate(&[1.0, 0.0, 1.0, 1.0, 1.0, 0.0], &units, 0.95);
        // Four of the six ordered pairs of the first example differ, none of the second; the third has one
        // run.
        assert_eq!(found.value, Some(1.0 / 3.0));
        assert_eq!(flip_rate(&[1.0, 0.0], &rows(2), 0.95).value, None);
    }

    #[test]
    fn means_are_covered() {
        for count in [10, 50] {
            for (name, expected) in [("even", 0.5), ("small", 1.0 / 3.0), ("mostly none", 0.1)] {
                let mut random = uniform(7);
                let mut coverage = Coverage::default();
                for _ in 0..samples(300) {
                    let mut value = || match name {
                        "even" => random(),
                        "small" => random() * random().max(random()),
                        _ => f64::from(random() < 0.2) * random(),
                    };
                    let values: Vec<f64> = (0..count).map(|_| value()).collect();
                    coverage.note(of_values(&values, &rows(count), 0.95), expected);
                }
                coverage.expect(&format!("{name}, {count}"), 0.93..=0.97);
            }
        }
    }
}
