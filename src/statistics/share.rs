//! Intervals of what lies between 0 and 1, such as a share, by how much it varies.

use super::descriptive::mean;
use super::interval::{Estimate, Interval, Settings, Units, wilson};
use super::probability::{normal_quantile, student_quantile};

/// What of a share is an error of rounding.
const ROUNDING: f64 = 1e-12;

/// Wilson's interval of a share that varies so much between samples of so many units: that of a rate of as many rows as
/// vary that little (the effective count of Korn and Graubard, *Confidence intervals for proportions with small expected
/// number of positive counts estimated from survey data*, 1998). At 0 and at 1, where nothing varies, it is that of a rate
/// of the units: the rule of three.
pub fn interval(share: f64, variance: f64, units: usize, level: f64) -> Option<Interval> {
    let count = units as f64;
    // Without a remainder, so that the interval of nothing ends there.
    let share = if share < ROUNDING { 0.0 } else { share.min(1.0) };
    let spread = share * (1.0 - share);
    let varies = variance > ROUNDING * ROUNDING && spread > ROUNDING && units > 1;
    let mut worth = if varies { spread / variance } else { count };
    if worth > count && units > 1 {
        // The variance is itself an estimate from so many units.
        let ratio = normal_quantile(level) / student_quantile(level, (units as u32).saturating_sub(1));
        worth = (worth * ratio * ratio).max(count);
    }
    wilson(share * worth, worth, level)
}

/// The mean of values between 0 and 1, such as distances or squared errors.
pub fn of_values(values: &[f64], units: &Units, settings: Settings) -> Estimate {
    let share = mean(values);
    if share.is_nan() {
        return Estimate::new(share, None);
    }
    let (count, rows) = (units.count() as f64, units.rows() as f64);
    let off = (0..units.count()).map(|unit| units.sum(unit, values) - share * units.size(unit));
    let variance = off.map(|off| off * off).sum::<f64>() / (rows * rows) * count / (count - 1.0).max(1.0);
    Estimate::new(share, interval(share, variance, units.count(), settings.level))
}

/// How often two runs on the same example come to different classes, as the mean over the examples that have several.
pub fn flip_rate(classes: &[f64], units: &Units, settings: Settings) -> Estimate {
    let mut shares = Vec::new();
    for unit in 0..units.count() {
        let own = units.of_unit(unit, classes);
        let pairs = (own.len() * own.len().saturating_sub(1)) as f64;
        if pairs > 0.0 {
            let differ = |one: &f64| own.iter().filter(|other| *other != one).count();
            shares.push(own.iter().map(differ).sum::<usize>() as f64 / pairs);
        }
    }
    let each: Vec<u32> = (0..shares.len() as u32).collect();
    of_values(&shares, &Units::of(&each), settings)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::statistics::testing::{Coverage, SETTINGS, rows, samples, uniform};

    #[test]
    fn a_rate_has_wilsons_interval_but_for_the_correction_of_its_variance() {
        let values = [1.0, 0.0, 1.0, 1.0, 0.0, 1.0, 1.0, 1.0, 1.0, 1.0];
        let found = of_values(&values, &rows(10), SETTINGS);
        // The variance of so few is divided by one less.
        assert_eq!(found.value, Some(0.8));
        assert_eq!(found.interval, wilson(0.8 * 9.0, 9.0, 0.95));
        assert_eq!(of_values(&[0.0; 10], &rows(10), SETTINGS).interval, wilson(0.0, 10.0, 0.95));
        assert_eq!(of_values(&[], &rows(0), SETTINGS), Estimate { value: None, interval: None });
    }

    #[test]
    fn the_flip_rate_is_the_share_of_pairs_that_differ() {
        let units = Units::of(&[0, 0, 0, 1, 1, 2]);
        let found = flip_rate(&[1.0, 0.0, 1.0, 1.0, 1.0, 0.0], &units, SETTINGS);
        // Four of six ordered pairs of the first, none of the second; the third was run once.
        assert_eq!(found.value, Some(1.0 / 3.0));
        assert_eq!(flip_rate(&[1.0, 0.0], &rows(2), SETTINGS).value, None);
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
                    coverage.note(of_values(&values, &rows(count), SETTINGS), expected);
                }
                coverage.expect(&format!("{name}, {count}"), 0.93..=0.97);
            }
        }
    }
}
