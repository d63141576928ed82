//! Confidence intervals.

use super::clusters::{correlation, freedom, variance_of_mean};
use super::descriptive::{self, ascending, between, in_order, quantile, quantile_place};
use super::probability::{normal_quantile, normal_tail, student_quantile, student_quantile_between};
use super::random::Random;
use super::share;
use crate::sort::sorted;
use serde::{Deserialize, Serialize};
use std::cmp::Ordering;
use std::ops::Range;

/// Where the true value lies, as far as the sample can tell.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
pub struct Interval {
    /// Its lower end.
    pub low: f64,
    /// Its upper end.
    pub high: f64,
    /// The share of samples whose interval holds the true value, such as 0.95.
    pub level: f64,
}

impl Interval {
    /// The interval of a difference, in agreement with a test of it: one that says that it may be chance leaves no doubt
    /// that there may be none, and one that says that it is more leaves none on which side of zero it is.
    pub fn agreeing(self, difference: f64, p_value: f64) -> Self {
        let Self { low, high, level } = self;
        // 1 - 0.95 is a little more than 0.05.
        let is_significant = p_value < 1.0 - level - 1e-12;
        if !is_significant {
            return Self { low: low.min(0.0), high: high.max(0.0), level };
        }
        // As far from zero as the p-value is from one minus the level, in standard errors of a normal estimate (Miettinen,
        // *Estimability and estimation in case-referent studies*, 1976).
        let near = difference * (1.0 - normal_quantile(level) / normal_quantile(1.0 - p_value));
        match difference > 0.0 {
            true if low <= 0.0 => Self { low: near, ..self },
            false if high >= 0.0 => Self { high: near, ..self },
            _ => self,
        }
    }

    /// The interval between two ends, unless they are beyond all numbers.
    pub fn between(low: f64, high: f64, level: f64) -> Option<Self> {
        (low.is_finite() && high.is_finite()).then_some(Self { low, high, level })
    }
}

/// A figure over all rows, and how sure one can be of it.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify), tsify(missing_as_null))]
pub struct Estimate {
    /// None where it is not defined, or beyond all numbers.
    pub value: Option<f64>,
    /// None where nothing can be told.
    pub interval: Option<Interval>,
}

impl Estimate {
    /// Takes NaN and infinity as undefined.
    pub fn new(value: f64, interval: Option<Interval>) -> Self {
        Self { value: Some(value).filter(|value| value.is_finite()), interval }
    }
}

/// What intervals and tests go by.
#[derive(Debug, Clone, Copy, Deserialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
pub struct Settings {
    /// The share of samples whose interval holds the true value, such as 0.95.
    pub level: f64,
    /// Where the random numbers begin.
    pub seed: u64,
}

/// The rows of a sample, in units that are independent of each other: the examples. Repetitions of an example are not
/// independent, so they are drawn together (Miller, *Adding error bars to evals*, 2024, on clustered questions).
///
/// Holds where each unit begins, and at last how many rows there are.
pub struct Units(Vec<u32>);

impl Units {
    /// Rows that follow each other and have the same example are one unit.
    pub fn of(examples: &[u32]) -> Self {
        let mut starts = Vec::new();
        let mut before = None;
        for (row, example) in examples.iter().enumerate() {
            if before != Some(example) {
                starts.push(row as u32);
            }
            before = Some(example);
        }
        starts.push(examples.len() as u32);
        Self(starts)
    }

    /// The number of units.
    pub fn count(&self) -> usize {
        self.0.len() - 1
    }

    /// The number of rows of all units.
    pub fn rows(&self) -> usize {
        self.0.last().map_or(0, |rows| *rows as usize)
    }

    /// Whether each unit is one row.
    pub fn are_rows(&self) -> bool {
        self.count() == self.rows()
    }

    /// The rows of a unit.
    pub fn rows_of(&self, unit: u32) -> Range<u32> {
        match self.0.get(unit as usize..) {
            Some([start, end, ..]) => *start..*end,
            _ => 0..0,
        }
    }

    /// How many rows a unit has.
    pub fn size(&self, unit: usize) -> f64 {
        self.rows_of(unit as u32).len() as f64
    }

    /// The values of a unit.
    pub fn of_unit<'a>(&self, unit: usize, values: &'a [f64]) -> &'a [f64] {
        let Range { start, end } = self.rows_of(unit as u32);
        values.get(start as usize..end as usize).unwrap_or_default()
    }

    /// The sum of the values of a unit.
    pub fn sum(&self, unit: usize, values: &[f64]) -> f64 {
        self.of_unit(unit, values).iter().sum()
    }
}

/// How often something is done at random with all rows: ten thousand times; less often where that would be more than
/// `work` rows, but at least a thousand times.
pub fn times(rows: usize, work: usize) -> usize {
    (work / rows.max(1)).clamp(1_000, 10_000)
}

/// The bootstrap draws less often beyond two thousand rows, where intervals are narrow and its error counts little.
const WORK: usize = 20_000_000;

/// The interval of a mean: Wilson's if every value is 0 or 1, so that the mean is a rate; that of a share ([`share`]) if
/// all lie between these, which holds the mean of skewed scores where the others miss it; else that of numbers.
pub fn of_mean(values: &[f64], units: &Units, settings: Settings) -> Option<Interval> {
    if values.iter().all(|value| *value == 0.0 || *value == 1.0) {
        let count = effective_count(values, units, settings.level);
        return wilson(descriptive::mean(values) * count, count, settings.level);
    }
    if values.iter().all(|value| (0.0..=1.0).contains(value)) {
        // Where nothing varies, equal numbers do not tell how far others lie from them.
        standard_error(values, units)?;
        return share::of_values(values, units, settings.level).interval;
    }
    of_mean_of_numbers(values, units, settings)
}

/// The interval of a mean of numbers without bounds: Student's for few units, for unequal ones and for very many, else the
/// bootstrap's.
pub fn of_mean_of_numbers(values: &[f64], units: &Units, settings: Settings) -> Option<Interval> {
    let count = units.count();
    if count < FEW || are_unequal(units) || (count >= MANY && is_nearly_normal(values, units)) {
        return student(values, units, settings.level);
    }
    bootstrap_mean(values, units, settings)
}

/// Whether units are so unequal that they tell a tenth less than as many of one size. Draws of the bootstrap then say too
/// little of the largest, which most of them have once or not at all.
fn are_unequal(units: &Units) -> bool {
    !units.are_rows() && freedom(units, 0.0) + 1.0 < 0.9 * units.count() as f64
}

/// With fewer units there is too little to draw from: the bootstrap's interval of a mean covers it in 86% to 93% of
/// samples of five from seven distributions, and in half of those of two. From six on, it does as well as Student's.
const FEW: usize = 6;

/// Of so many units, the bootstrap draws only a thousand times, so that its ends are off by 0.085 standard errors by
/// chance alone, after a time that grows with the units.
const MANY: usize = WORK / 1_000;

/// Whether means of such units are so nearly normal that Student's interval is nearer than a thousand draws: by the first
/// term of Edgeworth's expansion, skewness moves both its ends by at most 0.047 standard errors then.
fn is_nearly_normal(values: &[f64], units: &Units) -> bool {
    let mean = descriptive::mean(values);
    let (mut squares, mut cubes) = (0.0, 0.0);
    for unit in 0..units.count() {
        let off = units.sum(unit, values) - mean * units.size(unit);
        squares += off * off;
        cubes += off * off * off;
    }
    // Where nothing varies, Student's is none at once.
    squares == 0.0 || cubes.abs() <= 0.1 * squares * squares.sqrt()
}

/// Student's interval of a mean, with the degrees of freedom that units of their sizes leave. None where nothing varies.
fn student(values: &[f64], units: &Units, level: f64) -> Option<Interval> {
    let mean = descriptive::mean(values);
    let half = student_quantile_between(level, freedom(units, 0.0)) * standard_error(values, units)?;
    Interval::between(mean - half, mean + half, level)
}

/// The standard error of a mean, by the units (Miller, 2024, on clustered questions). None for a single unit, and where
/// nothing varies.
pub fn standard_error(values: &[f64], units: &Units) -> Option<f64> {
    let error = variance_of_mean(values, units).sqrt();
    let size: f64 = values.iter().map(|value| value.abs()).sum();
    // What is left of equal sums are the errors of rounding.
    Some(error).filter(|error| units.count() > 1 && *error > size * 1e-14 && error.is_finite())
}

/// How many independent rows would tell as much about the mean as these do, of which those of a unit are not: as many as
/// there are units if the rows of each are equal, and as many as there are rows if they have nothing in common (Kish,
/// *Survey sampling*, 1965, on the design effect).
///
/// Units of unequal sizes tell as much as one more than their degrees of freedom. What is more than that is itself an
/// estimate from so many units, and is taken less for it, as Student's t goes beyond a normal variable; of few units, what
/// their rows have in common cannot be told (Korn and Graubard, *Confidence intervals for proportions with small expected
/// number of positive counts estimated from survey data*, 1998).
pub fn effective_count(values: &[f64], units: &Units, level: f64) -> f64 {
    let (count, rows) = (units.count() as f64, units.rows() as f64);
    if units.are_rows() || count < 2.0 {
        return count;
    }
    let freedom = freedom(units, correlation(values, units));
    let least = freedom + 1.0;
    let deviation = descriptive::standard_deviation(values);
    if deviation == 0.0 {
        return least;
    }
    let independent = deviation * deviation / variance_of_mean(values, units) * count / (count - 1.0);
    if independent <= least || units.count() < FEW {
        return independent.min(least);
    }
    let ratio = normal_quantile(level) / student_quantile_between(level, freedom);
    (independent * ratio * ratio).min(rows).max(least)
}

/// A mean and its interval.
pub fn mean(values: &[f64], units: &Units, settings: Settings) -> Estimate {
    Estimate::new(descriptive::mean(values), of_mean(values, units, settings))
}

/// The bootstrap's interval of a mean. Units are drawn from them in order, so that it does not depend on that of the rows.
pub fn bootstrap_mean(values: &[f64], units: &Units, settings: Settings) -> Option<Interval> {
    let sums: Vec<f64> = (0..units.count()).map(|unit| units.sum(unit, values)).collect();
    let sizes: Vec<f64> = (0..units.count()).map(|unit| units.size(unit)).collect();
    let order = sorted(units.count(), &|a, b| match (sums.get(a), sums.get(b), sizes.get(a), sizes.get(b)) {
        (Some(a), Some(b), Some(one), Some(other)) => a.total_cmp(b).then(one.total_cmp(other)),
        _ => Ordering::Equal,
    });
    let ordered: Vec<(f64, f64)> =
        order.iter().filter_map(|unit| Some((*sums.get(*unit)?, *sizes.get(*unit)?))).collect();
    let each: Vec<u32> = (0..units.count() as u32).collect();
    bootstrap(&Units::of(&each), settings, &mut |drawn| {
        let (mut sum, mut size) = (0.0, 0.0);
        for (of_unit, rows) in drawn.iter().filter_map(|unit| ordered.get(*unit as usize)) {
            sum += of_unit;
            size += rows;
        }
        sum / size
    })
}

/// The interval of a quantile.
pub fn of_quantile(values: &[f64], at: f64, units: &Units, settings: Settings) -> Option<Interval> {
    let order = ascending(values);
    let places = sorted(order.len(), &|a, b| order.get(a).cmp(&order.get(b)));
    let mut counts = vec![0_usize; values.len()];
    bootstrap(units, settings, &mut |rows| {
        // Counting spares sorting each draw.
        counts.fill(0);
        for place in rows.iter().filter_map(|row| places.get(*row as usize)) {
            if let Some(count) = counts.get_mut(*place) {
                *count += 1;
            }
        }
        let (below, share) = quantile_place(rows.len(), at);
        let mut low = None;
        let mut seen = 0;
        for (count, row) in counts.iter().zip(&order) {
            seen += count;
            if seen > below {
                let value = values.get(*row).copied().unwrap_or(f64::NAN);
                let low = *low.get_or_insert(value);
                if seen > below + 1 {
                    return between(low, value, share);
                }
            }
        }
        low.unwrap_or(f64::NAN)
    })
}

/// A quantile and its interval.
pub fn quantile_of(values: &[f64], at: f64, units: &Units, settings: Settings) -> Estimate {
    Estimate::new(quantile(&in_order(values), at), of_quantile(values, at, units, settings))
}

/// Wilson's score interval of a rate (*Probable inference, the law of succession, and statistical inference*, 1927).
/// `None` without observations.
pub fn wilson(successes: f64, count: f64, level: f64) -> Option<Interval> {
    if count == 0.0 {
        return None;
    }
    let z = normal_quantile(level);
    let rate = successes / count;
    let denominator = 1.0 + z * z / count;
    let center = (rate + z * z / (2.0 * count)) / denominator;
    let half = z / denominator * (rate * (1.0 - rate) / count + z * z / (4.0 * count * count)).sqrt();
    // In exact arithmetic, the interval of none or all ends there.
    let low = if successes == 0.0 { 0.0 } else { center - half };
    let high = if successes == count { 1.0 } else { center + half };
    Interval::between(low, high, level)
}

/// The bootstrap interval of whatever `statistic` makes of drawn rows, by the percentile method, whose percentiles are
/// expanded for small samples (Hesterberg, *What teachers should know about the bootstrap*, 2015): as they are, the
/// intervals are too narrow, and cover a mean of ten in 90% of samples instead of 95%. BCa does not mend that.
///
/// Units are drawn, not rows. Draws without a result (NaN) are left out. None where nothing can be told: for a single
/// unit, and where all draws have the same result.
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
    for _ in 0..times(units.rows(), WORK) {
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

/// The percentile at which an interval begins, so that for symmetric data it is about that of Student's t.
fn expanded_tail(count: f64, level: f64) -> f64 {
    normal_tail((count / (count - 1.0)).sqrt() * student_quantile(level, count as u32 - 1))
}

#[cfg(test)]
mod tests;
