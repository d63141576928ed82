//! Confidence intervals.

use super::clusters::{
    are_unequal, cautious_variance, correlation, freedom, variance_of_mean, variance_of_shares,
};
use super::descriptive::{self, between, in_order, quantile};
use super::probability::{normal_quantile, normal_tail, student_quantile, student_quantile_between};
use super::random::Random;
use super::share;
use crate::sort;
use serde::{Deserialize, Serialize};
use std::borrow::Cow;
use std::ops::Range;

/// A confidence interval.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
pub struct Interval {
    /// The lower end.
    pub low: f64,
    /// The upper end.
    pub high: f64,
    /// The confidence level: the share of samples whose interval covers the true value, such as 0.95.
    pub level: f64,
}

impl Interval {
    /// Makes the interval of a difference consistent with a test: it excludes zero if the test is
    /// significant, and includes zero otherwise.
    pub fn agreeing(self, difference: f64, p_value: f64) -> Self {
        let Self { low, high, level } = self;
        if !is_significant(p_value, level) {
            return Self { low: low.min(0.0), high: high.max(0.0), level };
        }
        // The test-based limit: as far from zero as the p-value is from the significance threshold, in
        // standard errors of a normal estimate (Miettinen, *Estimability and estimation in case-referent
        // studies*, 1976).
        let near = difference * (1.0 - normal_quantile(level) / normal_quantile(1.0 - p_value));
        match difference > 0.0 {
            true if low <= 0.0 => Self { low: near, ..self },
            false if high >= 0.0 => Self { high: near, ..self },
            _ => self,
        }
    }

    /// Cuts off the part beyond a range, where the true value cannot be. Keeps the estimate itself, which is beyond
    /// it if some scores are.
    pub fn within(self, (min, max): (f64, f64), estimate: f64) -> Self {
        Self { low: self.low.max(min.min(estimate)), high: self.high.min(max.max(estimate)), ..self }
    }

    /// The interval between two ends; `None` if one overflows.
    pub fn between(low: f64, high: f64, level: f64) -> Option<Self> {
        (low.is_finite() && high.is_finite()).then_some(Self { low, high, level })
    }
}

/// Whether a p-value is below 1 minus the level.
pub fn is_significant(p_value: f64, level: f64) -> bool {
    // 1 - 0.95 is slightly more than 0.05.
    p_value < 1.0 - level - 1e-12
}

/// A figure over all rows, with its confidence interval.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify), tsify(missing_as_null))]
pub struct Estimate {
    /// The figure; `None` if it is undefined, or overflows.
    pub value: Option<f64>,
    /// The interval; `None` if the sample does not determine one.
    pub interval: Option<Interval>,
}

impl Estimate {
    /// Treats NaN and infinity as undefined.
    pub fn new(value: f64, interval: Option<Interval>) -> Self {
        Self { value: Some(value).filter(|value| value.is_finite()), interval }
    }
}

/// The settings of intervals and tests.
#[derive(Debug, Clone, Copy, Deserialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
pub struct Settings {
    /// The confidence level: the share of samples whose interval covers the true value, such as 0.95.
    pub level: f64,
    /// The seed of the random numbers.
    pub seed: u64,
}

/// The rows of a sample, grouped into independent units: examples, or clusters of them. The rows of a unit are
/// not independent, so they are drawn together (Miller, *Adding error bars to evals*, 2024, on clustered
/// questions).
#[derive(Clone)]
pub struct Units {
    /// The start of each unit, followed by the number of rows.
    starts: Vec<u32>,
    /// The examples of clusters. `None` if each row counts alone in its unit.
    examples: Option<Box<Self>>,
}

impl Units {
    /// Groups adjacent rows with the same example.
    pub fn of<Example: PartialEq>(examples: &[Example]) -> Self {
        let mut starts = Vec::new();
        let mut before = None;
        for (row, example) in examples.iter().enumerate() {
            if before != Some(example) {
                starts.push(row as u32);
            }
            before = Some(example);
        }
        starts.push(examples.len() as u32);
        Self { starts, examples: None }
    }

    /// Groups adjacent rows with the same cluster, and in it those with the same example.
    pub fn of_clusters(clusters: &[u32], examples: &[u32]) -> Self {
        let pairs: Vec<(&u32, &u32)> = clusters.iter().zip(examples).collect();
        let (units, examples) = (Self::of(clusters), Self::of(&pairs));
        // A cluster of one example is that example.
        let are_examples = units.count() == examples.count();
        Self { examples: (!are_examples).then(|| Box::new(examples)), ..units }
    }

    /// Units of one row each.
    pub fn of_rows(count: usize) -> Self {
        Self { starts: (0..=count as u32).collect(), examples: None }
    }

    /// The units of some of the rows.
    pub fn of_some(&self, is_kept: &dyn Fn(usize) -> bool) -> Self {
        let (mut starts, mut rows) = (Vec::new(), 0);
        for unit in 0..self.count() as u32 {
            let kept = self.rows_of(unit).filter(|row| is_kept(*row as usize)).count() as u32;
            if kept > 0 {
                starts.push(rows);
            }
            rows += kept;
        }
        starts.push(rows);
        let examples = self.examples.as_ref().map(|examples| Box::new(examples.of_some(is_kept)));
        Self { starts, examples }
    }

    /// The examples of clusters; without clusters, the rows.
    pub fn examples(&self) -> Cow<'_, Self> {
        match &self.examples {
            Some(examples) => Cow::Borrowed(examples),
            None => Cow::Owned(Self::of_rows(self.rows())),
        }
    }

    /// The mean of each example of clusters, and the clusters of these means. Without clusters, the values.
    pub fn averaged<'a>(&'a self, values: &'a [f64]) -> (Cow<'a, [f64]>, Cow<'a, Self>) {
        let Some(examples) = &self.examples else { return (values.into(), Cow::Borrowed(self)) };
        let means: Vec<f64> =
            (0..examples.count()).map(|one| examples.sum(one, values) / examples.size(one)).collect();
        let starts = self.starts.iter().map(|row| examples.before(*row)).collect();
        (means.into(), Cow::Owned(Self { starts, examples: None }))
    }

    /// The sum of the squared sizes of the examples in a cluster. Without clusters, the number of rows.
    pub fn squares(&self, unit: usize) -> f64 {
        let Some(examples) = &self.examples else { return self.size(unit) };
        let Range { start, end } = self.rows_of(unit as u32);
        let of_unit = examples.before(start)..examples.before(end);
        of_unit.map(|example| examples.size(example as usize).powi(2)).sum()
    }

    /// The number of units that begin before a row.
    fn before(&self, row: u32) -> u32 {
        self.starts.partition_point(|start| *start < row) as u32
    }

    /// The number of units.
    pub fn count(&self) -> usize {
        self.starts.len() - 1
    }

    /// The number of rows of all units.
    pub fn rows(&self) -> usize {
        self.starts.last().map_or(0, |rows| *rows as usize)
    }

    /// The mean number of rows of an example.
    pub fn runs(&self) -> f64 {
        self.rows() as f64 / self.examples.as_deref().unwrap_or(self).count() as f64
    }

    /// Whether each unit has one row.
    pub fn are_rows(&self) -> bool {
        self.count() == self.rows()
    }

    /// Whether one unit of several rows has more than half of all: then the mean is mostly that of a sample of one.
    pub fn are_dominated(&self) -> bool {
        !self.are_rows() && (0..self.count()).any(|unit| 2.0 * self.size(unit) > self.rows() as f64)
    }

    /// The rows of a unit.
    pub fn rows_of(&self, unit: u32) -> Range<u32> {
        match self.starts.get(unit as usize..) {
            Some([start, end, ..]) => *start..*end,
            _ => 0..0,
        }
    }

    /// The number of rows in a unit.
    pub fn size(&self, unit: usize) -> f64 {
        self.rows_of(unit as u32).len() as f64
    }

    /// The values of a unit.
    pub fn of_unit<'a, T>(&self, unit: usize, values: &'a [T]) -> &'a [T] {
        let Range { start, end } = self.rows_of(unit as u32);
        values.get(start as usize..end as usize).unwrap_or_default()
    }

    /// The sum of the values of a unit.
    pub fn sum(&self, unit: usize, values: &[f64]) -> f64 {
        self.of_unit(unit, values).iter().sum()
    }

    /// For each unit, the sum of the differences between its values and the mean of all.
    pub fn deviations<'a>(&'a self, values: &'a [f64]) -> impl Iterator<Item = f64> + 'a {
        let mean = descriptive::mean(values);
        (0..self.count()).map(move |unit| self.sum(unit, values) - mean * self.size(unit))
    }
}

/// The number of draws of a bootstrap or a permutation test: ten thousand. If that exceeds `work` rows in total, it is
/// reduced, to a thousand at least.
pub fn draws(rows: usize, work: usize) -> usize {
    (work / rows.max(1)).clamp(1_000, 10_000)
}

/// Beyond two thousand rows the bootstrap draws less often: intervals are narrow there, and its error matters
/// little.
const WORK: usize = 20_000_000;

/// The interval of a mean: Wilson's if every value is 0 or 1, so that the mean is a rate; that of a share
/// ([`share`]) if all are between these, because it covers skewed scores; otherwise that of unbounded
/// numbers. `None` if [one unit dominates](Units::are_dominated): intervals of any method held the mean in 79% to
/// 89% of such samples.
pub fn of_mean(values: &[f64], units: &Units, settings: Settings) -> Option<Interval> {
    if units.are_dominated() {
        return None;
    }
    if descriptive::is_rate(values) {
        let most = most_with_rare_rows(values, units, settings.level);
        let count = effective_count(values, units, settings.level).min(most);
        return wilson(descriptive::mean(values) * count, count, settings.level);
    }
    if values.iter().all(|value| (0.0..=1.0).contains(value)) {
        // Equal numbers say nothing about the variance.
        standard_error(values, units)?;
        return share::of_values(values, units, settings.level).interval;
    }
    of_mean_of_numbers(values, units, settings)
}

/// The interval of a mean of unbounded numbers: Student's for few, unequal or very many units, otherwise the
/// bootstrap's.
pub fn of_mean_of_numbers(values: &[f64], units: &Units, settings: Settings) -> Option<Interval> {
    standard_error(values, units)?;
    let count = units.count();
    // Most bootstrap draws would have the largest of unequal units once or not at all.
    if count < FEW || are_unequal(units) || (count >= MANY && is_nearly_normal(values, units)) {
        return student(values, units, settings.level);
    }
    bootstrap_mean(values, units, settings)
}

/// With fewer units, bootstrap intervals of a mean are too narrow: few units have few distinct draws, so the expanded
/// percentiles lie in tails that are shorter than those of the normal distribution. They covered the mean of normal scores in half
/// of the samples of two units, 92% of six and 94% of ten. From twenty on, they are as good as Student's.
const FEW: usize = 20;

/// From this number of units on, the bootstrap makes only a thousand draws. Its ends would then be off by
/// 0.085 standard errors by chance, at a cost that grows with the units.
const MANY: usize = WORK / 1_000;

/// Whether the mean is so close to normal that Student's interval is more exact than a thousand draws. By the
/// first term of Edgeworth's expansion, skewness then moves its ends by at most 0.047 standard errors.
fn is_nearly_normal(values: &[f64], units: &Units) -> bool {
    let (mut squares, mut cubes) = (0.0, 0.0);
    for off in units.deviations(values) {
        squares += off * off;
        cubes += off * off * off;
    }
    // Without variance, Student's interval is undefined, which is found at once.
    squares == 0.0 || cubes.abs() <= 0.1 * squares * squares.sqrt()
}

/// Student's interval of a mean with a variance, with the degrees of freedom of unequal units.
fn student(values: &[f64], units: &Units, level: f64) -> Option<Interval> {
    let mean = descriptive::mean(values);
    let error = cautious_variance(values, units, correlation(values, units)).sqrt();
    let half = student_quantile_between(level, freedom(units, 0.0)) * error;
    Interval::between(mean - half, mean + half, level)
}

/// The cluster-robust standard error of a mean (Miller, 2024, on clustered questions). `None` for a single
/// unit, and without variance.
pub fn standard_error(values: &[f64], units: &Units) -> Option<f64> {
    let error = variance_of_mean(values, units).sqrt();
    let size: f64 = values.iter().map(|value| value.abs()).sum();
    // For equal sums, the rest is a rounding error.
    Some(error).filter(|error| units.count() > 1 && *error > size * 1e-14 && error.is_finite())
}

/// The effective sample size of shares or their differences: the number of independent rows with as much information about the
/// mean. It is the number of units if the rows of each are equal, and the number of rows if they are uncorrelated (Kish,
/// *Survey sampling*, 1965, on the design effect), but no more than a few for each of few units
/// ([`variance_of_shares`]).
///
/// Units of unequal sizes count as their degrees of freedom plus one. Any size beyond that is an estimate,
/// and is reduced by the ratio of the normal to Student's t quantile, since the correlation of few units is
/// uncertain (Korn and Graubard, *Confidence intervals for proportions with small expected number of positive
/// counts estimated from survey data*, 1998).
///
/// Clusters count as much as their examples would if these were independent, at most.
pub fn effective_count(values: &[f64], units: &Units, level: f64) -> f64 {
    let count = units.count() as f64;
    if units.are_rows() || count < 2.0 {
        return count;
    }
    let correlation = correlation(values, units);
    let freedom = freedom(units, correlation);
    let least = freedom + 1.0;
    let deviation = descriptive::standard_deviation(values);
    if deviation == 0.0 {
        return least;
    }
    let variance = variance_of_shares(values, units, correlation);
    let independent = deviation * deviation / variance * count / (count - 1.0);
    if independent <= least {
        return independent;
    }
    let ratio = normal_quantile(level) / student_quantile_between(level, freedom);
    let most = effective_count(values, &units.examples(), level);
    (independent * ratio * ratio).min(most).max(least)
}

/// The largest effective sample size at which Wilson's interval of these rows reaches as far as that of equal ones, for which each
/// unit counts as one. Otherwise the first row that fails would make the interval narrower, though it only shows that units can
/// fail.
fn most_with_rare_rows(values: &[f64], units: &Units, level: f64) -> f64 {
    let share = descriptive::mean(values);
    let z = normal_quantile(level);
    let count = freedom(units, 1.0) + 1.0;
    // The interval of equal rows begins at `1 - reach`. The end `e` of Wilson's interval of the share `s` solves
    // `(s - e)² = z² e (1 - e) / count`.
    let reach = z * z / (count + z * z);
    let left = reach - share.min(1.0 - share);
    if left > 0.0 { count * (reach / left).powi(2) } else { f64::INFINITY }
}

/// The range of a scale without ends.
pub const UNBOUNDED: (f64, f64) = (f64::NEG_INFINITY, f64::INFINITY);

/// A mean with its interval, given the range of the scale. If it has two ends, and all scores are between them,
/// the interval is computed for their shares of the range.
pub fn mean(values: &[f64], (min, max): (f64, f64), units: &Units, settings: Settings) -> Estimate {
    let mean = descriptive::mean(values);
    let size = max - min;
    // A larger range only says that there is no limit.
    let is_range = size > 0.0 && size < 1e9;
    if !is_range || values.iter().any(|value| *value < min || *value > max) {
        let interval = of_mean(values, units, settings);
        return Estimate::new(mean, interval.map(|interval| interval.within((min, max), mean)));
    }
    let shares: Vec<f64> = values.iter().map(|value| (value - min) / size).collect();
    let interval = of_mean(&shares, units, settings).map(|Interval { low, high, level }| Interval {
        low: between(min, max, low),
        high: between(min, max, high),
        level,
    });
    Estimate::new(mean, interval)
}

/// The bootstrap interval of a mean. Units are sorted first, so that the result does not depend on the order
/// of the rows.
pub fn bootstrap_mean(values: &[f64], units: &Units, settings: Settings) -> Option<Interval> {
    let sums: Vec<(f64, f64)> =
        (0..units.count()).map(|unit| (units.sum(unit, values), units.size(unit))).collect();
    let ordered =
        sort::in_order(&sums, |(a, one), (b, other)| a.total_cmp(b).then_with(|| one.total_cmp(other)));
    bootstrap(&Units::of_rows(units.count()), settings, &mut |drawn| {
        let (mut sum, mut size) = (0.0, 0.0);
        for (of_unit, rows) in drawn.iter().filter_map(|unit| ordered.get(*unit as usize)) {
            sum += of_unit;
            size += rows;
        }
        sum / size
    })
}

/// Wilson's score interval of a rate (*Probable inference, the law of succession, and statistical inference*,
/// 1927). `None` without observations.
pub fn wilson(successes: f64, count: f64, level: f64) -> Option<Interval> {
    if count == 0.0 {
        return None;
    }
    let z = normal_quantile(level);
    let rate = successes / count;
    let denominator = 1.0 + z * z / count;
    let center = (rate + z * z / (2.0 * count)) / denominator;
    let half = z / denominator * (rate * (1.0 - rate) / count + z * z / (4.0 * count * count)).sqrt();
    // In exact arithmetic, the interval of a rate of 0 or 1 ends there.
    let low = if successes == 0.0 { 0.0 } else { center - half };
    let high = if successes == count { 1.0 } else { center + half };
    Interval::between(low, high, level)
}

/// The bootstrap interval of a `statistic` of drawn rows, by the percentile method with expanded percentiles
/// (Hesterberg, *What teachers should know about the bootstrap*, 2015). Without expansion the intervals are
/// too narrow for small samples: they cover a mean of ten values in 90% of samples instead of 95%. BCa does
/// not fix that.
///
/// Units are drawn, not rows. Draws with an undefined result (NaN) are left out. `None` for a single unit,
/// and if all draws have the same result.
pub fn bootstrap(
    units: &Units,
    settings: Settings,
    statistic: &mut dyn FnMut(&[u32]) -> f64,
) -> Option<Interval> {
    let count = units.count();
    if count < 2 {
        return None;
    }
    let mut random = Random::new(settings.seed);
    let (mut drawn, mut rows) = (Vec::new(), Vec::new());
    let mut results = Vec::new();
    for _ in 0..draws(units.rows(), WORK) {
        drawn.clear();
        random.fill_below(count as u32, count, &mut drawn);
        let result = if units.are_rows() {
            statistic(&drawn)
        } else {
            rows.clear();
            for unit in &drawn {
                for row in units.rows_of(*unit) {
                    rows.push(row);
                }
            }
            statistic(&rows)
        };
        if !result.is_nan() {
            results.push(result);
        }
    }
    let results = in_order(&results);
    if results.first() == results.last() {
        return None;
    }
    let tail = expanded_tail(count as f64, settings.level);
    Interval::between(quantile(&results, tail), quantile(&results, 1.0 - tail), settings.level)
}

/// The expanded lower percentile, which makes the interval of symmetric data about as wide as Student's t.
fn expanded_tail(count: f64, level: f64) -> f64 {
    normal_tail((count / (count - 1.0)).sqrt() * student_quantile(level, count as u32 - 1))
}

#[cfg(test)]
mod tests;
