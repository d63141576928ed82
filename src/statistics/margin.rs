//! Whether a difference is less than a margin.

use super::descriptive;
use super::interval::{Interval, Units, standard_error};
use super::probability::student_above;
use super::significance::rate_interval;
use serde::Serialize;

/// How likely such scores are if the truth is beyond a margin.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify), tsify(missing_as_null))]
pub struct MarginTest {
    /// If the second is lower than the first by the margin or more; none where nothing can be told.
    pub not_lower: Option<f64>,
    /// If it is higher by the margin or more.
    pub not_higher: Option<f64>,
}

/// Two tests, each of one side (Schuirmann, *A comparison of the two one-sided tests procedure and the power approach*,
/// 1987). Rates go by Newcombe's interval, at the level where it ends at the margin; all else by Student's t.
pub fn within_margin(from: &[f64], to: &[f64], units: &Units, margin: f64) -> MarginTest {
    let differences: Vec<f64> = from.iter().zip(to).map(|(from, to)| to - from).collect();
    let is_rate = from.iter().chain(to).all(|score| *score == 0.0 || *score == 1.0);
    let mean = descriptive::mean(&differences);
    let not_above = |point: f64| {
        if !is_rate {
            let error = standard_error(&differences, units)?;
            return Some(student_above((mean - point) / error, units.count() as u32 - 1));
        }
        // Both ends of an interval leave out half of what it leaves out.
        let (mut low, mut high) = (0.0, 1.0 - 1e-13);
        for _ in 0..60 {
            let level = (low + high) / 2.0;
            let Interval { low: from, high: to, .. } = rate_interval(from, to, &differences, units, level)?;
            if if mean > point { from > point } else { to < point } {
                low = level;
            } else {
                high = level;
            }
        }
        let outside = (1.0 - low) / 2.0;
        Some(if mean > point { outside } else { 1.0 - outside })
    };
    MarginTest { not_lower: not_above(-margin), not_higher: not_above(margin).map(|p_value| 1.0 - p_value) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::statistics::random::Random;

    fn rows(count: usize) -> Units {
        Units::of(&(0..count as u32).collect::<Vec<_>>())
    }

    #[test]
    fn numbers_have_that_of_students_t() {
        // statsmodels 0.15: ttost_paired(to, from, -0.1, 0.1)
        let from = [0.3, 0.5, 0.7, 0.2, 0.9, 0.4];
        let to = [0.35, 0.45, 0.8, 0.2, 0.95, 0.3];
        let found = within_margin(&from, &to, &rows(6), 0.1);
        assert!((found.not_lower.unwrap() - 0.007726310642947505).abs() < 1e-10, "{found:?}");
        assert!((found.not_higher.unwrap() - 0.014198362563820207).abs() < 1e-10, "{found:?}");
    }

    #[test]
    fn rates_agree_with_their_interval() {
        let from: Vec<f64> = (0..40).map(|row| f64::from(row < 30)).collect();
        let to: Vec<f64> = (0..40).map(|row| f64::from(!(27..38).contains(&row))).collect();
        let differences: Vec<f64> = from.iter().zip(&to).map(|(from, to)| to - from).collect();
        let interval = rate_interval(&from, &to, &differences, &rows(40), 0.9).unwrap();
        let p_value = |margin| within_margin(&from, &to, &rows(40), margin);
        assert!((p_value(-interval.low).not_lower.unwrap() - 0.05).abs() < 1e-6);
        assert!((p_value(interval.high).not_higher.unwrap() - 0.05).abs() < 1e-6);
        // Where it is beyond the margin itself, it is not likely to be within.
        assert!(p_value(0.01).not_lower.unwrap() > 0.5);
    }

    #[test]
    fn a_single_example_tells_nothing() {
        assert_eq!(within_margin(&[0.5], &[0.6], &rows(1), 0.1).not_lower, None);
        assert_eq!(within_margin(&[0.5; 9], &[0.5; 9], &rows(9), 0.1).not_lower, None);
    }

    #[test]
    fn at_the_margin_it_errs_as_often_as_it_says() {
        let mut random = Random::new(3);
        let mut uniform = || (random.bits() >> 11) as f64 / (1_u64 << 53) as f64;
        for (rate, margin, count) in [(0.8, 0.1, 100), (0.9, 0.05, 300), (0.5, 0.15, 60), (0.8, 0.2, 30)] {
            let mut shown = 0.0;
            for _ in 0..200 {
                let (mut from, mut to) = (Vec::new(), Vec::new());
                for _ in 0..count {
                    // Half of the rows say the same in both.
                    let drawn = uniform();
                    let again = if uniform() < 0.5 { drawn } else { uniform() };
                    from.push(f64::from(drawn < rate));
                    to.push(f64::from(again < rate - margin));
                }
                let found = within_margin(&from, &to, &rows(count), margin);
                shown += f64::from(found.not_lower.unwrap() < 0.05);
            }
            // Of 1,000 each, it was 0.047, 0.048, 0.065 and 0.062.
            assert!(shown < 20.0, "{rate}, {margin}, {count}: {shown}");
        }
    }
}
