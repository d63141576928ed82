//! Descriptive statistics.

use crate::sort::{self, sorted};
use serde::Serialize;
use std::cmp::Ordering;

/// The mean; NaN without values. The mean of equal numbers is exact, despite rounding of the sum.
pub fn mean(values: &[f64]) -> f64 {
    match values.first() {
        Some(first) if values.iter().all(|value| value == first) => *first,
        _ => values.iter().sum::<f64>() / values.len() as f64,
    }
}

/// Whether the mean of scores is a rate: every score is 0 or 1.
pub fn is_rate(scores: &[f64]) -> bool {
    scores.iter().all(|score| *score == 0.0 || *score == 1.0)
}

/// The population standard deviation (divided by n, as in numpy).
pub fn standard_deviation(values: &[f64]) -> f64 {
    let mean = mean(values);
    let squares: f64 = values.iter().map(|value| (value - mean) * (value - mean)).sum();
    (squares / values.len() as f64).sqrt()
}

/// The indices of the values in ascending order.
pub fn ascending(values: &[f64]) -> Vec<usize> {
    sorted(values.len(), &|a, b| match (values.get(a), values.get(b)) {
        (Some(a), Some(b)) => a.total_cmp(b),
        _ => Ordering::Equal,
    })
}

/// The values in ascending order.
pub fn in_order(values: &[f64]) -> Vec<f64> {
    sort::in_order(values, f64::total_cmp)
}

/// The quantile of ascending values at a fraction from 0 to 1, with linear interpolation: type 7 of Hyndman
/// and Fan, numpy's default. NaN without values.
pub fn quantile(ascending: &[f64], at: f64) -> f64 {
    let place = at * ascending.len().saturating_sub(1) as f64;
    let below = place as usize;
    match (ascending.get(below), ascending.get(below + 1)) {
        (Some(low), Some(high)) => between(*low, *high, place - place.floor()),
        (Some(low), None) => *low,
        _ => f64::NAN,
    }
}

/// Linear interpolation that is exact at both ends.
pub fn between(low: f64, high: f64, share: f64) -> f64 {
    if share < 0.5 { low + (high - low) * share } else { high - (high - low) * (1.0 - share) }
}

/// The number of bins in a histogram.
pub const BINS: u32 = 10;

/// A bin of a histogram.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
pub struct Bin {
    /// The lower edge.
    pub from: f64,
    /// The upper edge.
    pub to: f64,
    /// The number of values in the bin.
    pub count: u32,
}

/// The range of scores: 0 to 1, to 10 or to 100 if all are within it, otherwise from the lowest to the highest.
pub fn usual_range(min: f64, max: f64) -> (f64, f64) {
    let within = |top: f64| min >= 0.0 && max <= top;
    match () {
        () if within(1.0) => (0.0, 1.0),
        () if within(10.0) => (0.0, 10.0),
        () if within(100.0) => (0.0, 100.0),
        () => (min, max),
    }
}

/// The histogram of ascending values, with bins of equal width over the `range` of their scale if all are within it, or
/// else over their [`usual_range`]. A value on an edge belongs to the bin above it; the last bin includes both edges.
/// Equal values outside of the usual ranges make a single bin.
pub fn histogram(ascending: &[f64], range: Option<(f64, f64)>) -> Vec<Bin> {
    let (Some(min), Some(max)) = (ascending.first(), ascending.last()) else { return Vec::new() };
    let (from, to) = range
        .filter(|(least, greatest)| least < greatest && least <= min && max <= greatest)
        .unwrap_or_else(|| usual_range(*min, *max));
    let bins = if from == to { 1 } else { BINS };
    // The last edge is exact; rounding might put it below the largest value.
    let edge = |bin: u32| {
        if bin == bins { to } else { from + (to - from) * (f64::from(bin) / f64::from(bins)) }
    };
    let mut histogram = Vec::new();
    let mut seen = 0;
    for bin in 0..bins {
        let to = edge(bin + 1);
        let is_last = bin + 1 == bins;
        let end = if is_last { ascending.len() } else { ascending.partition_point(|value| *value < to) };
        histogram.push(Bin { from: edge(bin), to, count: (end - seen) as u32 });
        seen = end;
    }
    histogram
}

/// The distribution of scores.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(tag = "kind", rename_all = "lowercase", rename_all_fields = "camelCase")]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
pub enum Distribution {
    /// The distribution of `true` and `false`.
    Boolean {
        /// The number of `true` scores.
        #[serde(rename = "true")]
        positive: u32,
        /// The number of `false` scores.
        #[serde(rename = "false")]
        negative: u32,
    },
    /// The distribution of numbers.
    Number {
        /// The lowest score.
        min: f64,
        /// The highest score.
        max: f64,
        /// The median score.
        median: f64,
        /// The population standard deviation of the scores (divided by n).
        standard_deviation: f64,
        /// The histogram of the scores.
        histogram: Vec<Bin>,
    },
}

impl Distribution {
    /// The distribution of 1 (`true`) and 0 (`false`).
    pub fn of_booleans(values: &[f64]) -> Self {
        let positive = values.iter().filter(|value| **value != 0.0).count();
        Self::Boolean { positive: positive as u32, negative: (values.len() - positive) as u32 }
    }

    /// `None` without values, and if a figure overflows, such as the squares of huge numbers. `range` is the range of
    /// the scale, if it has one.
    pub fn of_numbers(values: &[f64], range: Option<(f64, f64)>) -> Option<Self> {
        let ordered = in_order(values);
        let [min, median, max] = [0.0, 0.5, 1.0].map(|at| quantile(&ordered, at));
        let standard_deviation = standard_deviation(values);
        let histogram = histogram(&ordered, range);
        let figures = [min, median, max, standard_deviation];
        let edges = histogram.iter().flat_map(|bin| [bin.from, bin.to]);
        figures.into_iter().chain(edges).all(f64::is_finite).then_some(Self::Number {
            min,
            max,
            median,
            standard_deviation,
            histogram,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn the_mean_of_equal_numbers_is_that_number() {
        for count in 1..50 {
            assert_eq!(mean(&vec![0.1; count]), 0.1);
        }
        assert_eq!(mean(&[1.0, 0.0, 1.0]), 2.0 / 3.0);
        assert!(mean(&[]).is_nan());
    }

    #[test]
    fn describes_as_numpy_does() {
        // numpy.std([2, 4, 4, 4, 5, 5, 7, 9]) is 2.
        assert_eq!(standard_deviation(&[2.0, 4.0, 4.0, 4.0, 5.0, 5.0, 7.0, 9.0]), 2.0);
        // numpy.percentile([15, 20, 35, 40, 50], [0, 5, 40, 50, 90, 100])
        let values = [15.0, 20.0, 35.0, 40.0, 50.0];
        for (at, expected) in [(0.0, 15.0), (0.05, 16.0), (0.4, 29.0), (0.5, 35.0), (0.9, 46.0), (1.0, 50.0)]
        {
            assert!((quantile(&values, at) - expected).abs() < 1e-12, "{at}");
        }
        assert_eq!(quantile(&[3.0], 0.9), 3.0);
        assert!(quantile(&[], 0.5).is_nan());
    }

    #[test]
    fn bins_are_those_of_the_usual_ranges() {
        let described = |values: &[f64]| {
            let bins = histogram(values, None);
            let ends = (bins[0].from, bins[bins.len() - 1].to);
            assert!(bins.windows(2).all(|bins| bins[0].to == bins[1].from));
            (ends, bins.iter().map(|bin| bin.count).collect::<Vec<_>>())
        };
        let in_one = described(&[0.0, 0.1, 0.3, 0.7, 1.0]);
        assert_eq!(in_one, ((0.0, 1.0), vec![1, 1, 0, 1, 0, 0, 0, 1, 0, 1]));
        assert_eq!(described(&[5.0, 99.0]), ((0.0, 100.0), vec![1, 0, 0, 0, 0, 0, 0, 0, 0, 1]));
        assert_eq!(described(&[1.0, 4.5, 5.0]), ((0.0, 10.0), vec![0, 1, 0, 0, 1, 1, 0, 0, 0, 0]));
        assert_eq!(described(&[-1.0, 9.0]), ((-1.0, 9.0), vec![1, 0, 0, 0, 0, 0, 0, 0, 0, 1]));
        assert_eq!(described(&[-2.0, -2.0]), ((-2.0, -2.0), vec![2]));
        assert!(histogram(&[], None).is_empty());
    }

    #[test]
    fn infinite_values_have_no_distribution() {
        assert_eq!(Distribution::of_numbers(&[1e200, -1e200], None), None);
        assert_eq!(Distribution::of_numbers(&[], None), None);
    }

    proptest! {
        #[test]
        fn every_value_is_in_a_bin(values in proptest::collection::vec(-1e3..1e3_f64, 1..50)) {
            let histogram = histogram(&in_order(&values), None);
            prop_assert_eq!(histogram.iter().map(|bin| bin.count as usize).sum::<usize>(), values.len());
        }
    }
}
