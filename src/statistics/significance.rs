//! Significance tests of the difference between two experiments.

use super::descriptive::{ascending, in_order, is_rate, mean, usual_range};
use super::interval::{
    Interval, Settings, Units, draws, effective_count, of_mean_of_numbers, standard_error, wilson,
};
use super::random::Random;
use super::rounding;
use serde::{Deserialize, Serialize};

/// The difference between two experiments, by paired rows.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify), tsify(missing_as_null))]
pub struct Difference {
    /// The mean difference, second minus first; `None` if it overflows.
    pub difference: Option<f64>,
    /// The confidence interval of the difference.
    pub interval: Option<Interval>,
    /// The standard error of the difference; `None` if it cannot be estimated.
    pub standard_error: Option<f64>,
    /// The two-sided p-value: the probability of a difference at least as large if there is none in truth.
    /// `None` if the difference overflows.
    pub p_value: Option<f64>,
    /// The mid-p-value of McNemar's test: the probability of the observed outcome counts half.
    pub mid_p_value: Option<f64>,
    /// The test of the p-value.
    pub test: Test,
    /// Pearson's correlation of the paired scores; `None` if one side does not vary.
    pub correlation: Option<f64>,
    /// The number of pairs that differ, by more than a rounding error.
    pub differing: u32,
    /// The smallest p-value that the test could have found with as many units that differ.
    pub least_p_value: f64,
}

/// A paired test.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
pub enum Test {
    /// McNemar's exact test, for rates.
    #[serde(rename = "mcnemar_exact")]
    McNemar,
    /// The paired permutation test, for other scores.
    #[serde(rename = "paired_permutation")]
    Permutation,
}

/// Compares pairs of scores.
///
/// Rates (every score is 0 or 1) get Newcombe's interval, and McNemar's test if every example has one pair.
/// Other scores get the permutation test and the interval of a mean. All of them treat the repetitions of an
/// example as a unit, and none of them counts [rounding errors](rounding).
pub fn compare(from: &[f64], to: &[f64], units: &Units, settings: Settings) -> Difference {
    let (differences, sums) = rounding::differences(from, to, units);
    let difference = mean(&differences);
    let are_rates = is_rate(from) && is_rate(to);
    let counts = signs(&sums).filter(|_| are_rates);
    let test = if counts.is_some() && units.are_rows() { Test::McNemar } else { Test::Permutation };
    let (p_value, observed) = match counts {
        // If only signs differ, the permutations can be counted without enumerating them.
        Some([gained, lost]) => mcnemar_terms(gained, lost),
        None => (permutation(&sums, settings.seed), 0.0),
    };
    // Overflowing differences have no order.
    let is_known = difference.is_finite();
    let interval = if units.are_dominated() {
        None
    } else if are_rates {
        rate_interval(from, to, &differences, units, settings.level)
    } else {
        // Unlike those of rates, equal differences say nothing about the variance.
        of_mean_of_numbers(&differences, units, settings)
    };
    Difference {
        difference: Some(difference).filter(|mean| mean.is_finite()),
        interval: interval.map(|interval| interval.agreeing(difference, p_value)),
        standard_error: standard_error(&differences, units),
        p_value: is_known.then_some(p_value),
        mid_p_value: (test == Test::McNemar).then_some(p_value - observed),
        test,
        correlation: correlation(from, to),
        differing: count_nonzero(&differences) as u32,
        least_p_value: least_p_value(count_nonzero(&sums)),
    }
}

fn count_nonzero(differences: &[f64]) -> usize {
    differences.iter().filter(|difference| **difference != 0.0).count()
}

/// Pearson's correlation.
fn correlation(one: &[f64], other: &[f64]) -> Option<f64> {
    let (center, other_center) = (mean(one), mean(other));
    let (mut squares, mut other_squares, mut products) = (0.0, 0.0, 0.0);
    for (a, b) in one.iter().zip(other) {
        let (a, b) = (a - center, b - other_center);
        squares += a * a;
        other_squares += b * b;
        products += a * b;
    }
    let correlation = products / (squares.sqrt() * other_squares.sqrt());
    correlation.is_finite().then_some(correlation.clamp(-1.0, 1.0))
}

/// Newcombe's interval of the difference of paired rates, with the effective number of pairs.
pub fn rate_interval(
    from: &[f64],
    to: &[f64],
    differences: &[f64],
    units: &Units,
    level: f64,
) -> Option<Interval> {
    let count = effective_count(differences, units, level);
    PairCounts::count(from, to).worth(count).newcombe(level)
}

/// The two-sided p-value of the sum of the units' differences if the sign of each is random.
pub fn of_signs(differences: &[f64], seed: u64) -> f64 {
    match signs(differences) {
        Some([gained, lost]) => mcnemar(gained, lost),
        None => permutation(differences, seed),
    }
}

/// The numbers of units that gain and that lose, if all changes have the same size.
fn signs(differences: &[f64]) -> Option<[f64; 2]> {
    let (mut gained, mut lost, mut size) = (0.0, 0.0, None);
    for difference in differences {
        if *difference == 0.0 {
            continue;
        }
        if *size.get_or_insert(difference.abs()) != difference.abs() {
            return None;
        }
        if *difference > 0.0 { gained += 1.0 } else { lost += 1.0 }
    }
    Some([gained, lost])
}

/// A correction of p-values for multiple tests.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
pub enum Correction {
    /// Controls the family-wise error rate: the probability that any significant result is due to chance
    /// (Holm, *A simple sequentially rejective multiple test procedure*, 1979).
    Holm,
    /// Controls the false discovery rate: the expected share of significant results that are due to chance
    /// (Benjamini and Hochberg, *Controlling the false discovery rate*, 1995).
    BenjaminiHochberg,
    /// No correction.
    None,
}

/// The adjusted p-values, in the same order.
///
/// `least` has the smallest p-value that each test could have; if it is empty, any is possible. Holm's method counts only the
/// tests that could have a p-value as small (Westfall and Wolfinger, *Multiple tests with discrete distributions*, 1997).
pub fn adjusted(p_values: &[f64], correction: Correction, least: &[f64]) -> Vec<f64> {
    let mut adjusted = p_values.to_vec();
    let order = ascending(p_values);
    let count = order.len() as f64;
    let mut before = 0.0;
    let mut set = |place: usize, p_value: f64| {
        if let Some(value) = adjusted.get_mut(place) {
            *value = p_value;
        }
    };
    let p_value = |place: usize| p_values.get(place).copied().unwrap_or(1.0);
    match correction {
        Correction::None => {}
        Correction::Holm => {
            let least = in_order(least);
            for (rank, place) in order.iter().enumerate() {
                let p_value = p_value(*place);
                // The same p-value may differ by rounding.
                let reaches = |least: &f64| *least <= p_value * (1.0 + 1e-9);
                let impossible = least.len() - least.partition_point(reaches);
                let tests = (count - rank as f64 - impossible as f64).max(1.0);
                before = (p_value * tests).min(1.0).max(before);
                set(*place, before);
            }
        }
        Correction::BenjaminiHochberg => {
            before = 1.0;
            for (rank, place) in order.iter().enumerate().rev() {
                before = (p_value(*place) * count / (rank as f64 + 1.0)).min(before);
                set(*place, before);
            }
        }
    }
    adjusted
}

/// The bounds of a difference of means with missing scores.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
pub struct Bounds {
    /// The difference if the second's missing scores are the lowest and the first's the highest.
    pub lowest: f64,
    /// The difference if the second's missing scores are the highest and the first's the lowest.
    pub highest: f64,
}

/// The bounds of the difference over pairs and unpaired scores: `lost` has the first's scores without a
/// counterpart, `added` the second's. Missing scores are within the range of the scale if that has two ends, and else within the
/// usual range of a histogram. `None` without scores.
pub fn bounds(
    from: &[f64],
    to: &[f64],
    lost: &[f64],
    added: &[f64],
    scale: Option<(f64, f64)>,
) -> Option<Bounds> {
    let (least, most) = range(&[from, to, lost, added], scale)?;
    let count = (from.len() + lost.len() + added.len()) as f64;
    let sum = |values: &[f64]| values.iter().sum::<f64>();
    let known = sum(to) - sum(from) + sum(added) - sum(lost);
    let (lost, added) = (lost.len() as f64, added.len() as f64);
    let bound = |of_second: f64, of_first: f64| (known + lost * of_second - added * of_first) / count;
    Some(Bounds { lowest: bound(least, most), highest: bound(most, least) })
}

fn range(lists: &[&[f64]], scale: Option<(f64, f64)>) -> Option<(f64, f64)> {
    let scores = || lists.iter().flat_map(|list| list.iter().copied());
    let (least, most) = (scores().reduce(f64::min)?, scores().reduce(f64::max)?);
    let fitting = scale.filter(|(min, max)| *min <= least && most <= *max);
    Some(fitting.unwrap_or_else(|| usual_range(least, most)))
}

/// The counts of pairs of scores that are 0 or 1.
#[derive(Debug, Default, Clone, Copy)]
struct PairCounts {
    /// Pairs with 1 in both.
    both: f64,
    /// Pairs with 1 in the first only.
    lost: f64,
    /// Pairs with 1 in the second only.
    gained: f64,
    /// Pairs with 0 in both.
    neither: f64,
}

impl PairCounts {
    fn count(from: &[f64], to: &[f64]) -> Self {
        let mut pairs = Self::default();
        for (from, to) in from.iter().zip(to) {
            pairs.both += from * to;
            pairs.lost += from * (1.0 - to);
            pairs.gained += (1.0 - from) * to;
            pairs.neither += (1.0 - from) * (1.0 - to);
        }
        pairs
    }

    /// The counts scaled to `count` pairs.
    fn worth(self, count: f64) -> Self {
        let share = count / (self.both + self.lost + self.gained + self.neither);
        Self {
            both: self.both * share,
            lost: self.lost * share,
            gained: self.gained * share,
            neither: self.neither * share,
        }
    }

    /// Newcombe's interval of the difference of paired rates, method 10 (*Improved confidence intervals for
    /// the difference between binomial proportions based on paired data*, 1998): combines Wilson's intervals
    /// of both rates with their correlation.
    fn newcombe(self, level: f64) -> Option<Interval> {
        let Self { both, lost, gained, neither } = self;
        let count = both + lost + gained + neither;
        let (from, to) = ((both + lost) / count, (both + gained) / count);
        let from_interval = wilson(both + lost, count, level)?;
        let to_interval = wilson(both + gained, count, level)?;
        let margins = (both + lost) * (gained + neither) * (both + gained) * (lost + neither);
        let product = both * neither - lost * gained;
        // The continuity correction reduces positive correlations only.
        let corrected = if product > 0.0 { (product - count / 2.0).max(0.0) } else { product };
        let correlation = if margins > 0.0 { corrected / margins.sqrt() } else { 0.0 };
        let distance = |a: f64, b: f64| (a * a - 2.0 * correlation * a * b + b * b).max(0.0).sqrt();
        Some(Interval {
            low: to - from - distance(to - to_interval.low, from_interval.high - from),
            high: to - from + distance(to_interval.high - to, from - from_interval.low),
            level,
        })
    }
}

/// McNemar's exact test, two-sided: under the null hypothesis, discordant pairs gain or lose with equal
/// probability. At most 1.
pub fn mcnemar(gained: f64, lost: f64) -> f64 {
    mcnemar_terms(gained, lost).0
}

/// The p-value of McNemar's exact test, and the probability of the observed outcome, half of which the
/// mid-p-value subtracts on either side.
fn mcnemar_terms(gained: f64, lost: f64) -> (f64, f64) {
    let (count, fewer) = (gained + lost, gained.min(lost));
    // Relative to the largest term, in the middle, so that nothing overflows.
    let middle = (count / 2.0).floor();
    let (mut sum, mut tail, mut observed) = (0.0, 0.0, 0.0);
    let (mut term, mut index) = (1.0, middle);
    while index >= 0.0 {
        // The other half of the distribution is the mirror image. For an even count, the middle term is in
        // both.
        sum += if index * 2.0 == count { term } else { 2.0 * term };
        if index <= fewer {
            tail += term;
        }
        if index == fewer {
            observed = term;
        }
        term *= index / (count - index + 1.0);
        index -= 1.0;
    }
    // In the middle, both tails include the observed outcome.
    let p_value = (2.0 * tail / sum).min(1.0);
    (p_value, if gained == lost { 0.0 } else { observed / sum })
}

/// The fewest gains, without losses, at which a paired test reaches this p-value.
pub fn fewest_gains(p_value: f64) -> u32 {
    let mut gains = 1;
    while least_p_value(gains) > p_value {
        gains += 1;
    }
    gains as u32
}

/// The smallest p-value of a paired test of so many units that differ. Of their 2^n sign patterns, two have all signs equal.
fn least_p_value(differing: usize) -> f64 {
    (1..differing).fold(1.0, |least, _| least / 2.0)
}

/// Up to this number of differing units, all sign patterns are enumerated.
const EXACT: usize = 20;

/// Beyond five thousand units, fewer sign patterns are drawn.
const WORK: usize = 50_000_000;

/// The paired permutation test, two-sided: the share of random sign patterns of the units' differences whose sum
/// is at least as far from zero.
///
/// Up to twenty nonzero differences, all patterns are enumerated. Beyond that, patterns are drawn, and the
/// observed one counts as one of them (Phipson and Smyth, *Permutation p-values should never be zero*, 2010).
#[inline(never)]
pub fn permutation(differences: &[f64], seed: u64) -> f64 {
    let (mut observed, mut total) = (0.0, 0.0_f64);
    let mut sizes = Vec::new();
    for difference in differences {
        if *difference != 0.0 {
            observed += difference;
            total += difference.abs();
            sizes.push(difference.abs());
        }
    }
    // Sorted and without signs, so that the result depends neither on the order of the rows nor on that of the
    // experiments.
    let sizes = in_order(&sizes);
    // Sums that are equal in exact arithmetic may differ by rounding.
    let threshold = f64::abs(observed) - total * 1e-12;
    let is_exact = sizes.len() <= EXACT;
    // All patterns in which the first sign is positive, since flipping all signs does not change the distance;
    // or the observed pattern and a sample.
    let ways = if is_exact { 1 << sizes.len().saturating_sub(1) } else { draws(sizes.len(), WORK) };
    let mut random = Random::new(seed);
    let mut as_far = if is_exact { 0.0 } else { 1.0 };
    for way in usize::from(!is_exact)..ways {
        let mut sum = 0.0;
        for chunk in sizes.chunks(64) {
            let mut signs = if is_exact { (way as u64) << 1 } else { random.bits() };
            for size in chunk {
                // The highest bit of a float is its sign.
                sum += f64::from_bits(size.to_bits() ^ (signs << 63));
                signs >>= 1;
            }
        }
        as_far += f64::from(sum.abs() >= threshold);
    }
    as_far / ways as f64
}

#[cfg(test)]
mod tests;
