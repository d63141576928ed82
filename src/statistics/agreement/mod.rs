//! How far those agree who rate the same rows, such as a judge and people.
//!
//! Each coefficient is `1 - observed / expected`: how much they disagree, beside how much they would by chance. What is
//! observed lies between 0 and 1, so that it has the interval of a share ([`share`]), by how much the coefficient varies:
//! as the jackknife has it, which leaves out one unit after the other. Of complete agreement, of which the bootstrap would
//! make an interval without width, that is what Wilson's interval of so many units without a disagreement leaves open. The
//! tests of this module count how often these intervals hold the truth.

mod chance;
mod rank;

use super::clusters::freedom;
use super::interval::{Estimate, Interval, Settings, Units};
use super::share;
use serde::Deserialize;

/// How agreement is measured.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
pub enum AgreementMeasure {
    /// The share of pairs of ratings that are equal, whatever chance would make of it.
    Equality,
    /// Cohen's kappa of two (*A coefficient of agreement for nominal scales*, 1960).
    Kappa,
    /// Cohen's weighted kappa of two, where a disagreement counts by the distance of the ratings.
    LinearKappa,
    /// The same by the square of that.
    QuadraticKappa,
    /// Krippendorff's alpha (*Content analysis*, 2004), where all disagreements count the same.
    NominalAlpha,
    /// The same, where they count by how many ratings lie between.
    OrdinalAlpha,
    /// The same, where they count by the square of the difference.
    IntervalAlpha,
    /// Gwet's AC1 (*Computing inter-rater reliability and its variance in the presence of high agreement*, 2008).
    Ac1,
    /// Spearman's rank correlation of two.
    Spearman,
    /// Kendall's tau-b of two.
    Kendall,
}

/// What raters said of rows.
pub struct Ratings<'a> {
    /// A list for each rater, with a number for each row: of a class, or a score. NaN where there is none.
    pub raters: &'a [Vec<f64>],
    /// How many classes there are at least, whether they occur or not.
    pub classes: u32,
}

/// How much raters disagree.
#[derive(Debug, Clone, Copy)]
pub struct Disagreement {
    /// From 0 to 1, as all measures scale it.
    observed: f64,
    /// What chance would make of it; NaN if there is nothing to compare with.
    expected: f64,
}

impl Disagreement {
    /// That of two raters of so many rows, of which so many are equal; by chance, that would be `by_chance`, the sum over the
    /// classes of how often the one names it times how often the other does.
    pub fn of_classes(rows: f64, equal: f64, by_chance: f64) -> Self {
        Self { observed: 1.0 - equal / rows, expected: 1.0 - by_chance / (rows * rows) }
    }

    /// The coefficient; NaN where it is not defined.
    pub fn coefficient(self) -> f64 {
        if self.expected > 0.0 { 1.0 - self.observed / self.expected } else { f64::NAN }
    }
}

/// So many groups of units at most are left out in turn.
const GROUPS: usize = 200;

/// A coefficient of agreement over all rows.
pub fn agreement(
    measure: AgreementMeasure,
    ratings: &Ratings,
    units: &Units,
    settings: Settings,
) -> Estimate {
    let classes = chance::Classes::of(ratings);
    let of = |rows: &[u32]| match measure {
        AgreementMeasure::Spearman => rank::spearman(ratings, rows),
        AgreementMeasure::Kendall => rank::kendall(ratings, rows),
        _ => chance::disagreement(measure, ratings, &classes, rows),
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
    let variance = jackknife(units, &mut |rows| of(rows).coefficient()) * found.expected * found.expected;
    let interval = share::interval(found.observed, variance, freedom(units, 0.0), settings.level);
    let interval = interval.and_then(|Interval { low, high, level }| {
        let end = |disagreement: f64| (1.0 - disagreement / found.expected).max(-1.0);
        // A coefficient below -1 is beside its own interval.
        Interval::between(end(high).min(value), end(low), level)
    });
    Estimate::new(value, interval)
}

/// So many units outside the most frequent class are enough for an interval of what is corrected for chance. With fewer,
/// intervals of 95% held the truth in 70% of samples: whether the judge finds the rare class is all but unknown.
pub const ENOUGH: f64 = 5.0;

/// Whether too few ratings are outside the most frequent class: those of the second of two, with whom the first is
/// compared; of more, those of the average one.
fn has_too_few(
    measure: AgreementMeasure,
    ratings: &Ratings,
    classes: &chance::Classes,
    units: &Units,
) -> bool {
    if matches!(measure, AgreementMeasure::Equality | AgreementMeasure::Ac1) {
        return false;
    }
    let raters = if let [_, second] = ratings.raters { std::slice::from_ref(second) } else { ratings.raters };
    let rows = units.rows() as f64;
    // Repetitions of an example are one label, as are those of several people.
    let rated = raters.iter().flatten().filter(|rating| !rating.is_nan()).count() as f64;
    let each = units.count() as f64 / rows / (rated / rows).max(1.0);
    classes.outside_the_most_frequent(raters) * each < ENOUGH
}

/// The variance of a statistic by the jackknife (Efron and Stein, *The jackknife estimate of variance*, 1981), which leaves
/// out units in groups where these are many. What is not defined without a group is left out.
fn jackknife(units: &Units, statistic: &mut dyn FnMut(&[u32]) -> f64) -> f64 {
    let count = units.count();
    let groups = count.min(GROUPS);
    let (mut values, mut rows) = (Vec::new(), Vec::new());
    for group in 0..groups {
        let (start, end) = (group * count / groups, (group + 1) * count / groups);
        rows.clear();
        for unit in (0..start).chain(end..count) {
            rows.extend(units.rows_of(unit as u32));
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
