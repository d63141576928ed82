//! Win rates of two competitors.

use super::descriptive::mean;
use super::interval::{Interval, Settings, Units, is_significant};
use super::{rounding, share, significance};
use serde::Serialize;

/// The result of comparisons between two competitors.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify), tsify(missing_as_null))]
pub struct Wins {
    /// The win rate from 0 to 1, where a tie counts half; `None` without comparisons.
    pub win_rate: Option<f64>,
    /// The confidence interval of the win rate.
    pub interval: Option<Interval>,
    /// The two-sided p-value of a win rate of one half; `None` without comparisons.
    pub p_value: Option<f64>,
}

/// The win rate (1 is a win, 0.5 a tie, 0 a loss) with its interval by units, and the p-value of the sign
/// test: exact if all units that are not tied count equally, otherwise by permutation. The interval is
/// consistent with the test: it includes one half unless the p-value is significant.
pub fn wins(scores: &[f64], units: &Units, settings: Settings) -> Wins {
    if scores.is_empty() {
        return Wins { win_rate: None, interval: None, p_value: None };
    }
    let rate = mean(scores);
    let losses: Vec<f64> = scores.iter().map(|score| 1.0 - score).collect();
    let p_value = significance::of_signs(&rounding::differences(&losses, scores, units).1, settings.seed);
    let interval = share::of_values(scores, units, settings.level).interval;
    Wins {
        win_rate: Some(rate),
        interval: interval.map(|interval| agreeing(interval, rate, p_value)),
        p_value: Some(p_value),
    }
}

/// Like [`Interval::agreeing`], for one half instead of zero.
fn agreeing(Interval { low, high, level }: Interval, rate: f64, p_value: f64) -> Interval {
    match (is_significant(p_value, level), rate > 0.5) {
        (true, true) => Interval { low: low.max(0.5 + f64::EPSILON), high, level },
        (true, false) => Interval { low, high: high.min(0.5 - f64::EPSILON), level },
        (false, _) => Interval { low: low.min(0.5), high: high.max(0.5), level },
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::statistics::interval::{Estimate, wilson};
    use crate::statistics::testing::{Coverage, SETTINGS, rows, samples, uniform};

    #[test]
    fn ties_are_half_and_tell_nothing_to_the_test() {
        let scores = [1.0, 1.0, 0.5, 1.0, 0.5, 1.0, 0.0, 1.0, 1.0, 1.0];
        let found = wins(&scores, &rows(10), SETTINGS);
        assert_eq!(found.win_rate, Some(0.8));
        // scipy 1.16: binomtest(7, 8).pvalue
        assert!((found.p_value.unwrap() - 0.0703125).abs() < 1e-12);
        let interval = found.interval.unwrap();
        assert!(interval.low <= 0.5 && interval.high > 0.9, "{interval:?}");
    }

    #[test]
    fn constant_results_are_not_certain() {
        let ties = wins(&[0.5; 10], &rows(10), SETTINGS);
        assert_eq!((ties.win_rate, ties.p_value), (Some(0.5), Some(1.0)));
        assert_eq!(ties.interval, wilson(5.0, 10.0, 0.95));
        let won = wins(&[1.0; 10], &rows(10), SETTINGS);
        assert_eq!(won.interval, wilson(10.0, 10.0, 0.95));
        assert!((won.p_value.unwrap() - 2.0 / 1024.0).abs() < 1e-12);
        assert_eq!(wins(&[], &rows(0), SETTINGS), Wins { win_rate: None, interval: None, p_value: None });
    }

    #[test]
    fn repetitions_of_an_example_are_one_observation() {
        let scores = [1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 0.0, 0.0];
        let alone = wins(&scores, &rows(8), SETTINGS);
        let together = wins(&scores, &Units::of(&[0, 0, 1, 1, 2, 2, 3, 3]), SETTINGS);
        assert_eq!(together.win_rate, Some(0.75));
        assert!((alone.p_value.unwrap() - 74.0 / 256.0).abs() < 1e-12);
        assert!((together.p_value.unwrap() - 10.0 / 16.0).abs() < 1e-12);
        let width = |found: &Wins| found.interval.map(|interval| interval.high - interval.low).unwrap();
        assert!(width(&together) > width(&alone));
    }

    #[test]
    fn rates_are_covered() {
        for (count, ties, truth) in
            [(10, 0.0, 0.6), (10, 0.4, 0.5), (20, 0.3, 0.7), (50, 0.5, 0.6), (50, 0.1, 0.85)]
        {
            let mut random = uniform(11);
            let mut coverage = Coverage::default();
            for _ in 0..samples(300) {
                let chance = (truth - ties / 2.0) / (1.0 - ties);
                let mut score = || {
                    if random() < ties { 0.5 } else { f64::from(random() < chance) }
                };
                let scores: Vec<f64> = (0..count).map(|_| score()).collect();
                let found = wins(&scores, &rows(count), SETTINGS);
                coverage.note(Estimate { value: found.win_rate, interval: found.interval }, truth);
            }
            coverage.expect(&format!("{count} comparisons, {ties} ties, {truth}"), 0.93..=1.0);
        }
    }
}
