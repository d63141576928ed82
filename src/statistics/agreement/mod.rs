//! Inter-rater agreement on the same rows, such as of a judge and people.
//!
//! Each coefficient is `1 - observed / expected`: the disagreement relative to that by chance. The observed
//! disagreement is between 0 and 1, so its interval is that of a share ([`share`]), with a jackknife variance
//! that leaves out one unit at a time. For perfect agreement, where a bootstrap interval has no width, it
//! follows from Wilson's interval of as many units without a disagreement. The tests of this module simulate
//! the coverage.
//!
//! Kappa and the nominal alpha of two raters have the intervals of `classification.rs`. For two classes, so have
//! weighted kappa, the other alphas of two raters and the rank correlations, but not percent agreement and AC1. Those
//! intervals allow for errors of a rare class that the sample does not show: the jackknife covered the kappa of a
//! judge that calls nearly everything true in 64% of samples.

mod chance;
mod rank;

use super::classification::{Labels, MIN_UNITS_OUTSIDE, Metric};
use super::clusters::{are_unequal, cautious_variance, correlation, freedom, variance_of_mean};
use super::interval::{Estimate, Interval, Settings, Units};
use super::random::Random;
use super::share;
use crate::sort;
use serde::Deserialize;

/// A measure of agreement.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
pub enum AgreementMeasure {
    /// Percent agreement: the share of pairs of equal ratings, without correction for chance.
    Equality,
    /// Cohen's kappa of two raters (*A coefficient of agreement for nominal scales*, 1960).
    Kappa,
    /// Cohen's weighted kappa of two raters: disagreements weigh by the distance of the ratings.
    LinearKappa,
    /// Cohen's weighted kappa of two raters: disagreements weigh by the squared distance.
    QuadraticKappa,
    /// Krippendorff's alpha (*Content analysis*, 2004) with the nominal metric: all disagreements weigh the
    /// same.
    NominalAlpha,
    /// Krippendorff's alpha with the ordinal metric: disagreements weigh by the number of ratings between.
    OrdinalAlpha,
    /// Krippendorff's alpha with the interval metric: disagreements weigh by the squared difference.
    IntervalAlpha,
    /// Gwet's AC1 (*Computing inter-rater reliability and its variance in the presence of high agreement*, 2008).
    Ac1,
    /// Spearman's rank correlation of two raters.
    Spearman,
    /// Kendall's tau-b of two raters.
    Kendall,
}

/// The ratings of rows by several raters.
pub struct Ratings<'a> {
    /// For each rater, a class or score for each row; NaN if it is missing.
    pub raters: &'a [Vec<f64>],
    /// The least number of classes, including those that do not occur.
    pub classes: u32,
}

/// The observed and the expected disagreement of raters.
#[derive(Debug, Clone, Copy)]
pub struct Disagreement {
    /// The observed disagreement, scaled to 0 to 1.
    observed: f64,
    /// The disagreement expected by chance; NaN if there is nothing to compare with.
    expected: f64,
}

impl Disagreement {
    /// The coefficient; NaN if it is undefined.
    pub fn coefficient(self) -> f64 {
        if self.expected > 0.0 { 1.0 - self.observed / self.expected } else { f64::NAN }
    }
}

/// The most groups of units for the jackknife.
const GROUPS: usize = 200;

/// A coefficient of agreement over all rows, with its interval.
pub fn agreement(
    measure: AgreementMeasure,
    ratings: &Ratings,
    units: &Units,
    settings: Settings,
) -> Estimate {
    let classes = chance::RatingClasses::of(ratings);
    let of = |rows: &[u32]| match measure {
        AgreementMeasure::Spearman => rank::spearman(ratings, rows),
        AgreementMeasure::Kendall => rank::kendall(ratings, rows),
        _ => chance::disagreement(measure, ratings, &classes, units.runs(), rows),
    };
    let all: Vec<u32> = (0..units.rows() as u32).collect();
    let found = of(&all);
    let value = found.coefficient();
    if value.is_nan() {
        return Estimate::new(value, None);
    }
    if has_too_few(measure, ratings, &classes, units) {
        return Estimate::new(value, None);
    }
    if let Some(metric) = metric_of_classes(measure, ratings, &classes, units.runs()) {
        return Estimate::new(value, interval_of_classes(metric, ratings, units, value, settings));
    }
    let order = order_of_units(ratings, units);
    let mut variance =
        jackknife(units, &order, &mut |rows| of(rows).coefficient()) * found.expected * found.expected;
    if matches!(measure, AgreementMeasure::Equality | AgreementMeasure::Ac1) {
        variance *= caution(ratings, &classes, units);
    }
    let interval = share::interval(found.observed, variance, freedom(units, 0.0), settings.level);
    let interval = interval.and_then(|Interval { low, high, level }| {
        let end = |disagreement: f64| (1.0 - disagreement / found.expected).max(-1.0);
        // A coefficient below -1 can be outside of its interval.
        Interval::between(end(high).min(value), end(low), level)
    });
    Estimate::new(value, interval)
}

/// By how much the variance between unequal units falls short of the [`cautious_variance`], for the share of rows that differ.
fn caution(ratings: &Ratings, classes: &chance::RatingClasses, units: &Units) -> f64 {
    if !are_unequal(units) {
        return 1.0;
    }
    let of_row = |row| chance::disagreement(AgreementMeasure::Equality, ratings, classes, 1.0, &[row]);
    let rows: Vec<Disagreement> = (0..units.rows() as u32).map(of_row).collect();
    // A row with fewer than two ratings says nothing.
    let differ: Vec<f64> = rows.iter().filter(|row| !row.expected.is_nan()).map(|row| row.observed).collect();
    let compared = units.of_some(&|row| rows.get(row).is_some_and(|row| !row.expected.is_nan()));
    let cautious = cautious_variance(&differ, &compared, correlation(&differ, &compared));
    Some(cautious / variance_of_mean(&differ, &compared)).filter(|ratio| ratio.is_finite()).unwrap_or(1.0)
}

/// The metric of classes that the coefficient of two raters equals: for two classes, distances and ranks make no difference.
fn metric_of_classes(
    measure: AgreementMeasure,
    ratings: &Ratings,
    classes: &chance::RatingClasses,
    runs: f64,
) -> Option<Metric> {
    let (two_raters, two_classes) = (ratings.raters.len() == 2, classes.len() == 2);
    match measure {
        AgreementMeasure::Kappa => Some(Metric::CohensKappa),
        AgreementMeasure::LinearKappa | AgreementMeasure::QuadraticKappa if two_classes => {
            Some(Metric::CohensKappa)
        }
        AgreementMeasure::NominalAlpha if two_raters => Some(Metric::NominalAlpha(runs)),
        AgreementMeasure::OrdinalAlpha | AgreementMeasure::IntervalAlpha if two_raters && two_classes => {
            Some(Metric::NominalAlpha(runs))
        }
        AgreementMeasure::Spearman | AgreementMeasure::Kendall if two_classes => {
            Some(Metric::MatthewsCorrelation)
        }
        _ => None,
    }
}

fn interval_of_classes(
    metric: Metric,
    ratings: &Ratings,
    units: &Units,
    value: f64,
    settings: Settings,
) -> Option<Interval> {
    let is_pair = |row: u32| chance::pair(ratings, row).is_some();
    let rows: Vec<u32> = (0..units.rows() as u32).filter(|row| is_pair(*row)).collect();
    let units = units.of_some(&|row| is_pair(row as u32));
    let columns = rank::columns(ratings, &rows);
    // Other classes are only those of ratings without a counterpart.
    let classes = chance::RatingClasses::of(&Ratings { raters: &columns, classes: 0 });
    let [outputs, references] = columns.each_ref().map(|column| classes.numbers(column));
    let labels = Labels { outputs: &outputs, references: &references, units: &units };
    labels.interval(metric, &labels.tally(), value, settings.level)
}

/// The units in the order in which the jackknife groups them: random, and the same whatever the order of the rows.
fn order_of_units(ratings: &Ratings, units: &Units) -> Vec<u32> {
    let count = units.count();
    if count <= GROUPS {
        return (0..count as u32).collect();
    }
    let of_unit = |unit: usize| {
        let rows = units.rows_of(unit as u32);
        rows.flat_map(|row| ratings.raters.iter().filter_map(move |rater| rater.get(row as usize)))
    };
    let mut order = sort::sorted(count, &|one, other| {
        of_unit(one).map(|rating| rating.to_bits()).cmp(of_unit(other).map(|rating| rating.to_bits()))
    });
    Random::new(0).shuffle(&mut order);
    order.into_iter().map(|unit| unit as u32).collect()
}

/// Whether too few ratings are outside of the most frequent class: of two raters, those of the second (the
/// reference); of more, the average over the raters.
fn has_too_few(
    measure: AgreementMeasure,
    ratings: &Ratings,
    classes: &chance::RatingClasses,
    units: &Units,
) -> bool {
    if matches!(measure, AgreementMeasure::Equality | AgreementMeasure::Ac1) {
        return false;
    }
    let raters = if let [_, second] = ratings.raters { std::slice::from_ref(second) } else { ratings.raters };
    let rows = units.rows() as f64;
    // Repetitions of an example, and labels of several people, count as one.
    let rated = raters.iter().flatten().filter(|rating| !rating.is_nan()).count() as f64;
    let each = units.count() as f64 / rows / (rated / rows).max(1.0);
    classes.outside_the_most_frequent(raters) * each < MIN_UNITS_OUTSIDE
}

/// The jackknife variance of a statistic (Efron and Stein, *The jackknife estimate of variance*, 1981). Many
/// units are left out in groups, in the given order. Groups without which the statistic is undefined are skipped.
fn jackknife(units: &Units, order: &[u32], statistic: &mut dyn FnMut(&[u32]) -> f64) -> f64 {
    let count = order.len();
    let groups = count.min(GROUPS);
    let (mut values, mut rows) = (Vec::new(), Vec::new());
    for group in 0..groups {
        let (start, end) = (group * count / groups, (group + 1) * count / groups);
        rows.clear();
        for (place, unit) in order.iter().enumerate() {
            if !(start..end).contains(&place) {
                rows.extend(units.rows_of(*unit));
            }
        }
        let value = statistic(&rows);
        if !value.is_nan() {
            values.push(value);
        }
    }
    let mean = super::descriptive::mean(&values);
    let squares: f64 = values.iter().map(|value| (value - mean) * (value - mean)).sum();
    squares * (groups as f64 - 1.0) / values.len().max(1) as f64
}

#[cfg(test)]
mod tests;
