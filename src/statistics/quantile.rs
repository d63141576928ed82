//! Quantiles with their intervals.

use super::descriptive::{in_order, quantile};
use super::interval::{Estimate, Interval, Settings, Units, effective_count};
use super::probability::binomial;

/// A quantile, `at` from 0 to 1, with its interval between two order statistics. The number of values below a
/// quantile is binomial, so no other distribution is assumed (David and Nagaraja, *Order statistics*, 2003,
/// section 7.1).
///
/// Values of the same unit are not independent: the binomial distribution uses their effective number
/// (Woodruff, *Confidence intervals for medians and other position measures*, 1952).
pub fn quantile_of(values: &[f64], at: f64, units: &Units, settings: Settings) -> Estimate {
    let ordered = in_order(values);
    let estimate = quantile(&ordered, at);
    let are_below: Vec<f64> = values.iter().map(|value| f64::from(*value <= estimate)).collect();
    // The margin keeps a whole number from being rounded down.
    let count = (effective_count(&are_below, units, settings.level) + 1e-9).floor();
    let interval = ranks(count, units.count() as f64, at, settings.level).and_then(|(low, high)| {
        let place = |rank: f64| rank * values.len() as f64 / count;
        // Rounded outwards to whole rows.
        let low = ordered.get(place(low - 1.0).floor() as usize)?;
        let high = ordered.get(place(high).ceil() as usize - 1)?;
        Interval::between(*low, *high, settings.level)
    });
    Estimate::new(estimate, interval)
}

/// The ranks of the order statistics, from 1, that enclose a quantile with this probability or more. Each is on
/// the wrong side of it with at most half of the remaining probability, unless the quantile is so close to an
/// end that the first or the last value is needed. `None` if even these two do not enclose it often enough.
///
/// `count` is the effective number of values, an estimate. All values are on one side of the quantile only if a value of
/// each unit is, so the number of units decides whether the first and the last value are enough.
fn ranks(count: f64, units: f64, at: f64, level: f64) -> Option<(f64, f64)> {
    let tail = 1.0 - level;
    let all_on_one_side = |count: f64| [1.0 - at, at].map(|share| share.powf(count));
    if all_on_one_side(units).iter().sum::<f64>() > tail {
        return None;
    }
    let [all_above, all_below] = all_on_one_side(count.max(units));
    let low = lower_rank(count, at, tail - all_below.max(tail / 2.0));
    let high = count + 1.0 - lower_rank(count, 1.0 - at, tail - all_above.max(tail / 2.0));
    Some((low, high))
}

/// The highest rank whose value is above the quantile with a probability of at most `tail`; 1 if there is none.
fn lower_rank(count: f64, at: f64, tail: f64) -> f64 {
    let mut at_most = 0.0;
    for (number, probability) in binomial(count, at) {
        at_most += probability;
        if at_most > tail {
            return number.max(1.0);
        }
    }
    count
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::statistics::testing::{SETTINGS, rows};
    use proptest::prelude::*;

    #[test]
    fn ranks_are_those_of_tables() {
        // From scipy.stats.binom(count, at).cdf: of ten, P(B < 2) = 0.0107 and P(B < 3) = 0.0547, so the median
        // is between the second and the ninth. Of 28, P(B = 28) = 0.9²⁸ = 0.0523.
        for (count, at, expected) in [
            (0.0, 0.5, None),
            (5.0, 0.5, None),
            (6.0, 0.5, Some((1.0, 6.0))),
            (10.0, 0.5, Some((2.0, 9.0))),
            (20.0, 0.5, Some((6.0, 15.0))),
            (28.0, 0.9, None),
            (29.0, 0.9, Some((21.0, 29.0))),
            (50.0, 0.9, Some((41.0, 50.0))),
            (100.0, 0.9, Some((84.0, 96.0))),
            (100.0, 0.1, Some((5.0, 17.0))),
            (298.0, 0.99, None),
            (299.0, 0.99, Some((289.0, 299.0))),
            (1000.0, 0.0, None),
            (1000.0, 1.0, None),
        ] {
            assert_eq!(ranks(count, count, at, 0.95), expected, "{count} at {at}");
        }
    }

    #[test]
    fn repetitions_that_agree_are_one_value() {
        let once: Vec<f64> = (1..=20).map(f64::from).collect();
        let thrice: Vec<f64> = once.iter().flat_map(|value| [*value; 3]).collect();
        let examples: Vec<u32> = (0..20).flat_map(|example| [example; 3]).collect();
        let interval = quantile_of(&once, 0.5, &rows(20), SETTINGS).interval;
        assert_eq!(interval, Some(Interval { low: 6.0, high: 15.0, level: 0.95 }));
        assert_eq!(quantile_of(&thrice, 0.5, &Units::of(&examples), SETTINGS).interval, interval);
        // Five examples are too few for a median, whatever their repetitions are.
        let differing: Vec<f64> = (0..40).map(|row| f64::from(row * 7 % 40)).collect();
        let examples: Vec<u32> = (0..40).map(|row| row / 8).collect();
        assert_eq!(quantile_of(&differing, 0.5, &Units::of(&examples), SETTINGS).interval, None);
    }

    #[test]
    fn one_repetition_costs_no_interval() {
        // Six examples, one of which twice: all seven values are above or below the median in 2 · 0.5⁶ = 3.1% of samples
        // at most.
        let six = Units::of(&[0, 0, 1, 2, 3, 4, 5]);
        for values in [[1.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0], [1.0, 6.0, 2.0, 3.0, 4.0, 5.0, 6.0]] {
            let interval = quantile_of(&values, 0.5, &six, SETTINGS).interval;
            assert_eq!(interval, Some(Interval { low: 1.0, high: 6.0, level: 0.95 }));
        }
        // 29 examples, one of which twice: all are below the 90th percentile in up to 0.9²⁹ = 4.71% of samples. The rows are worth
        // 26.7 independent ones. Of 26, fewer than 18 are below it in 0.06%, and fewer than 19 in 0.30%, which is more
        // than the rest of 0.29%. The 18th of 26 begins after 19.6 of 30 rows.
        let examples: Vec<u32> = (0..30).map(|row: u32| row.saturating_sub(1)).collect();
        let values: Vec<f64> = examples.iter().map(|example| f64::from(*example)).collect();
        let interval = quantile_of(&values, 0.9, &Units::of(&examples), SETTINGS).interval;
        assert_eq!(interval, Some(Interval { low: 18.0, high: 28.0, level: 0.95 }));
    }

    proptest! {
        #[test]
        fn an_interval_holds_its_estimate(
            values in proptest::collection::vec(0..9_u8, 0..80),
            at in 0.0..=1.0_f64,
            size in 1..5_u32,
            level in 0.5..0.99_f64,
        ) {
            let values: Vec<f64> = values.into_iter().map(f64::from).collect();
            let examples: Vec<u32> = (0..values.len() as u32).map(|row| row / size).collect();
            let found = quantile_of(&values, at, &Units::of(&examples), Settings { level, ..SETTINGS });
            if let (Some(value), Some(interval)) = (found.value, found.interval) {
                prop_assert!(interval.low <= value && value <= interval.high, "{found:?}");
            }
        }
    }
}
