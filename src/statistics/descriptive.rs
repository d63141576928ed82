//! What describes a list of numbers.

use crate::sort::sorted;
use serde::Serialize;
use std::cmp::Ordering;

/// The mean; NaN of nothing. That of equal numbers is that number, however their sum is rounded.
pub fn mean(values: &[f64]) -> f64 {
    match values.first() {
        Some(first) if values.iter().all(|value| value == first) => *first,
        _ => values.iter().sum::<f64>() / values.len() as f64,
    }
}

/// The standard deviation of the values themselves (divided by their count, as numpy does), not an estimate of that of
/// a population they are from.
pub fn standard_deviation(values: &[f64]) -> f64 {
    let mean = mean(values);
    let squares: f64 = values.iter().map(|value| (value - mean) * (value - mean)).sum();
    (squares / values.len() as f64).sqrt()
}

/// The places of the values in ascending order.
pub fn ascending(values: &[f64]) -> Vec<usize> {
    sorted(values.len(), &|a, b| match (values.get(a), values.get(b)) {
        (Some(a), Some(b)) => a.total_cmp(b),
        _ => Ordering::Equal,
    })
}

/// The values in ascending order.
pub fn in_order(values: &[f64]) -> Vec<f64> {
    let mut ordered = Vec::new();
    for place in ascending(values) {
        ordered.extend(values.get(place));
    }
    ordered
}

/// The quantile of values in ascending order, `at` from 0 to 1, between two of them by linear interpolation: numpy's
/// default, type 7 of Hyndman and Fan. NaN of nothing.
pub fn quantile(ascending: &[f64], at: f64) -> f64 {
    let (below, share) = quantile_place(ascending.len(), at);
    match (ascending.get(below), ascending.get(below + 1)) {
        (Some(low), Some(high)) => between(*low, *high, share),
        (Some(low), None) => *low,
        _ => f64::NAN,
    }
}

/// The place of the value below a quantile, and how far the quantile is from there to the next value.
pub fn quantile_place(count: usize, at: f64) -> (usize, f64) {
    let place = at * count.saturating_sub(1) as f64;
    (place as usize, place - place.floor())
}

/// Linear interpolation that reaches both ends.
pub fn between(low: f64, high: f64, share: f64) -> f64 {
    if share < 0.5 { low + (high - low) * share } else { high - (high - low) * (1.0 - share) }
}

/// How many bins a histogram has.
pub const BINS: u32 = 10;

/// A bin of a histogram.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
pub struct Bin {
    /// Its lower edge.
    pub from: f64,
    /// Its upper edge.
    pub to: f64,
    /// How many values are in it.
    pub count: u32,
}

/// The range of scores that lie between two: from 0 to 1 or from 0 to 100 if all lie there, and else just that.
pub fn usual_range(min: f64, max: f64) -> (f64, f64) {
    let within = |top: f64| min >= 0.0 && max <= top;
    match () {
        () if within(1.0) => (0.0, 1.0),
        () if within(100.0) => (0.0, 100.0),
        () => (min, max),
    }
}

/// The histogram of values in ascending order: bins of the same width from 0 to 1 or from 0 to 100 if all values lie
/// there, the usual ranges of scores, and else from the smallest to the largest. A value on an edge belongs to the bin
/// above it, and the last bin has both its edges. Equal values make one bin.
pub fn histogram(ascending: &[f64]) -> Vec<Bin> {
    let (Some(min), Some(max)) = (ascending.first(), ascending.last()) else { return Vec::new() };
    let (from, to) = usual_range(*min, *max);
    let bins = if from == to { 1 } else { BINS };
    // The last edge exactly, which rounding might put below the largest value.
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

/// How scores are distributed.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(tag = "kind", rename_all = "lowercase", rename_all_fields = "camelCase")]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
pub enum Distribution {
    /// Of scores that are `true` and `false`.
    Boolean {
        /// How many are `true`.
        #[serde(rename = "true")]
        positive: u32,
        /// How many are `false`.
        #[serde(rename = "false")]
        negative: u32,
    },
    /// Of numbers.
    Number {
        /// The smallest.
        min: f64,
        /// The largest.
        max: f64,
        /// The one in the middle.
        median: f64,
        /// How far they are from their mean: the standard deviation of these scores themselves (divided by their count), not
        /// an estimate of that of a population.
        standard_deviation: f64,
        /// How many of them are where.
        histogram: Vec<Bin>,
    },
}

impl Distribution {
    /// That of 1 for `true` and 0 for `false`.
    pub fn of_booleans(values: &[f64]) -> Self {
        let positive = values.iter().filter(|value| **value != 0.0).count();
        Self::Boolean { positive: positive as u32, negative: (values.len() - positive) as u32 }
    }

    /// None of nothing, and where a figure is beyond all numbers, such as the squares of huge ones.
    pub fn of_numbers(values: &[f64]) -> Option<Self> {
        let ordered = in_order(values);
        let [min, median, max] = [0.0, 0.5, 1.0].map(|at| quantile(&ordered, at));
        let standard_deviation = standard_deviation(values);
        let histogram = histogram(&ordered);
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
            let bins = histogram(values);
            let ends = (bins[0].from, bins[bins.len() - 1].to);
            assert!(bins.windows(2).all(|bins| bins[0].to == bins[1].from));
            (ends, bins.iter().map(|bin| bin.count).collect::<Vec<_>>())
        };
        let in_one = described(&[0.0, 0.1, 0.3, 0.7, 1.0]);
        assert_eq!(in_one, ((0.0, 1.0), vec![1, 1, 0, 1, 0, 0, 0, 1, 0, 1]));
        assert_eq!(described(&[5.0, 99.0]), ((0.0, 100.0), vec![1, 0, 0, 0, 0, 0, 0, 0, 0, 1]));
        assert_eq!(described(&[-1.0, 9.0]), ((-1.0, 9.0), vec![1, 0, 0, 0, 0, 0, 0, 0, 0, 1]));
        assert_eq!(described(&[-2.0, -2.0]), ((-2.0, -2.0), vec![2]));
        assert!(histogram(&[]).is_empty());
    }

    #[test]
    fn what_is_beyond_all_numbers_has_no_distribution() {
        assert_eq!(Distribution::of_numbers(&[1e200, -1e200]), None);
        assert_eq!(Distribution::of_numbers(&[]), None);
    }

    proptest! {
        #[test]
        fn every_value_is_in_a_bin(values in proptest::collection::vec(-1e3..1e3_f64, 1..50)) {
            let histogram = histogram(&in_order(&values));
            prop_assert_eq!(histogram.iter().map(|bin| bin.count as usize).sum::<usize>(), values.len());
        }
    }
}
