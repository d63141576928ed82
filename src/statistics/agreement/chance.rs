//! Chance-corrected coefficients of agreement.

use super::{AgreementMeasure, Disagreement, Ratings};
use crate::statistics::descriptive::in_order;
use std::ops::Range;

/// The distinct ratings, in ascending order.
pub struct RatingClasses {
    values: Vec<f64>,
    /// The number of classes, including those that do not occur.
    count: f64,
}

impl RatingClasses {
    pub fn of(ratings: &Ratings) -> Self {
        let all: Vec<f64> =
            ratings.raters.iter().flatten().copied().filter(|value| !value.is_nan()).collect();
        let mut values = in_order(&all);
        values.dedup();
        let count = f64::from(ratings.classes.max(values.len() as u32));
        Self { values, count }
    }

    /// The number of ratings outside of the most frequent class.
    pub fn outside_the_most_frequent(&self, raters: &[Vec<f64>]) -> f64 {
        let mut counts = vec![0.0; self.len()];
        let mut all = 0.0;
        for rating in raters.iter().flatten().filter(|rating| !rating.is_nan()) {
            add(&mut counts, self.number(*rating), 1.0);
            all += 1.0;
        }
        all - counts.into_iter().fold(0.0, f64::max)
    }

    /// The numbers of the classes of ratings.
    pub fn numbers(&self, ratings: &[f64]) -> Vec<u32> {
        ratings.iter().map(|rating| self.number(*rating) as u32).collect()
    }

    fn number(&self, rating: f64) -> usize {
        self.values.partition_point(|value| *value < rating)
    }

    pub fn len(&self) -> usize {
        self.values.len()
    }

    /// The lowest rating; 0 without ratings.
    fn least(&self) -> f64 {
        self.values.first().copied().unwrap_or_default()
    }
}

/// The disagreement of raters in the given rows. An example has this mean number of `runs`.
pub fn disagreement(
    measure: AgreementMeasure,
    ratings: &Ratings,
    classes: &RatingClasses,
    runs: f64,
    rows: &[u32],
) -> Disagreement {
    match measure {
        AgreementMeasure::Equality | AgreementMeasure::Ac1 => by_row(measure, ratings, classes, rows),
        AgreementMeasure::Kappa | AgreementMeasure::LinearKappa | AgreementMeasure::QuadraticKappa => {
            kappa(measure, ratings, classes, rows)
        }
        _ => alpha(measure, ratings, classes, runs, rows),
    }
}

/// The ratings of a row that are not missing.
fn of_row<'a>(ratings: &'a Ratings, row: u32) -> impl Iterator<Item = f64> + 'a {
    let ratings = ratings.raters.iter().filter_map(move |rater| rater.get(row as usize).copied());
    ratings.filter(|rating| !rating.is_nan())
}

/// Agreement row by row: percent agreement, and Gwet's AC1.
fn by_row(
    measure: AgreementMeasure,
    ratings: &Ratings,
    classes: &RatingClasses,
    rows: &[u32],
) -> Disagreement {
    let (mut differ, mut compared, mut rated) = (0.0, 0.0, 0.0);
    // The sum of each class's shares of the rows.
    let mut shares = vec![0.0; classes.len()];
    let mut counts = vec![0.0; classes.len()];
    let mut numbers = Vec::new();
    for row in rows {
        numbers.clear();
        numbers.extend(of_row(ratings, *row).map(|rating| classes.number(rating)));
        if numbers.is_empty() {
            continue;
        }
        let count = numbers.len() as f64;
        rated += 1.0;
        let mut equal = 0.0;
        for number in &numbers {
            add(&mut counts, *number, 1.0);
        }
        for number in &numbers {
            let of_class = take(&mut counts, *number);
            add(&mut shares, *number, of_class / count);
            equal += of_class * (of_class - 1.0);
        }
        if count > 1.0 {
            compared += 1.0;
            differ += 1.0 - equal / (count * (count - 1.0));
        }
    }
    let expected = if measure == AgreementMeasure::Ac1 {
        let chance: f64 = shares.iter().map(|share| share / rated * (1.0 - share / rated)).sum();
        1.0 - chance / (classes.count - 1.0)
    } else {
        1.0
    };
    Disagreement { observed: differ / compared, expected: if compared > 0.0 { expected } else { f64::NAN } }
}

/// Cohen's kappa of the first two raters. Distances are relative to the range of the ratings.
fn kappa(
    measure: AgreementMeasure,
    ratings: &Ratings,
    classes: &RatingClasses,
    rows: &[u32],
) -> Disagreement {
    let range = classes.values.last().map_or(1.0, |most| most - classes.least());
    let distance = |a: f64, b: f64| match measure {
        AgreementMeasure::Kappa => f64::from(a != b),
        AgreementMeasure::LinearKappa => (a - b).abs() / range,
        _ => (a - b) * (a - b) / (range * range),
    };
    let mut marginals = Marginals::of(classes);
    let mut observed = 0.0;
    for row in rows {
        let Some([a, b]) = pair(ratings, *row) else { continue };
        add(&mut marginals.first, classes.number(a), 1.0);
        add(&mut marginals.second, classes.number(b), 1.0);
        marginals.count += 1.0;
        observed += distance(a, b);
    }
    let count = marginals.count;
    let expected = match measure {
        AgreementMeasure::Kappa => count * count - marginals.equal(),
        AgreementMeasure::LinearKappa => marginals.distances() / range,
        _ => marginals.squared_distances() / (range * range),
    };
    Disagreement { observed: observed / count, expected: expected / (count * count) }
}

/// The frequencies of each class in the ratings of two raters.
///
/// The sums are over all pairs of a rating of the first rater and one of the second. Divided by the number of these
/// pairs, they are what is expected by chance.
struct Marginals<'c> {
    classes: &'c RatingClasses,
    first: Vec<f64>,
    second: Vec<f64>,
    /// The number of ratings of each rater.
    count: f64,
}

impl<'c> Marginals<'c> {
    fn of(classes: &'c RatingClasses) -> Self {
        let none = vec![0.0; classes.len()];
        Self { classes, first: none.clone(), second: none, count: 0.0 }
    }

    /// Each class with its frequencies.
    fn each(&self) -> impl Iterator<Item = (f64, f64, f64)> {
        let frequencies = self.first.iter().zip(&self.second);
        self.classes.values.iter().zip(frequencies).map(|(rating, (a, b))| (*rating, *a, *b))
    }

    /// The number of pairs of equal ratings.
    fn equal(&self) -> f64 {
        self.each().map(|(_, a, b)| a * b).sum()
    }

    /// The sum of distances. A pair counts for each gap between adjacent ratings that separates its two ratings.
    fn distances(&self) -> f64 {
        let (mut sum, mut below_first, mut below_second) = (0.0, 0.0, 0.0);
        let mut before = self.classes.least();
        for (rating, a, b) in self.each() {
            let apart = below_first * (self.count - below_second) + below_second * (self.count - below_first);
            sum += (rating - before) * apart;
            before = rating;
            below_first += a;
            below_second += b;
        }
        sum
    }

    /// The sum of squared distances.
    fn squared_distances(&self) -> f64 {
        let (mut of_first, mut of_second, mut squares) = (0.0, 0.0, 0.0);
        for (rating, a, b) in self.each() {
            // Relative to the lowest rating, which avoids cancellation.
            let above = rating - self.classes.least();
            squares += above * above * (a + b) * self.count;
            of_first += above * a;
            of_second += above * b;
        }
        squares - 2.0 * of_first * of_second
    }
}

/// The ratings of the first two raters for a row, if it has both.
pub fn pair(ratings: &Ratings, row: u32) -> Option<[f64; 2]> {
    let [first, second, ..] = ratings.raters else { return None };
    let (a, b) = (*first.get(row as usize)?, *second.get(row as usize)?);
    (!a.is_nan() && !b.is_nan()).then_some([a, b])
}

/// Krippendorff's alpha of any number of raters, with missing ratings. The ordinal metric is the difference
/// of mean ranks: the number of ratings between two classes, plus half of those in either class.
///
/// Its correction for small samples counts examples, so that copies of all rows change nothing.
fn alpha(
    measure: AgreementMeasure,
    ratings: &Ratings,
    classes: &RatingClasses,
    runs: f64,
    rows: &[u32],
) -> Disagreement {
    let (mut values, ends) = rated_twice(ratings, rows);
    let is_nominal = measure == AgreementMeasure::NominalAlpha;
    if is_nominal {
        for value in &mut values {
            *value = classes.number(*value) as f64;
        }
    } else if measure == AgreementMeasure::OrdinalAlpha {
        to_mean_ranks(&mut values, classes);
    }
    let mut counts = vec![0.0; classes.len()];
    let mut distances = |range: Range<usize>| {
        let own = values.get(range).unwrap_or_default();
        if is_nominal { unequal(own, &mut counts) } else { squares(own) }
    };
    let (mut observed, mut start, rated) = (0.0, 0, ends.len());
    for end in ends {
        observed += distances(start..end) / (end - start - 1) as f64;
        start = end;
    }
    let count = values.len() as f64;
    let runs = runs.min(rated as f64);
    let range = match (values.iter().copied().reduce(f64::min), values.iter().copied().reduce(f64::max)) {
        (Some(least), Some(most)) if most > least && !is_nominal => most - least,
        _ => 1.0,
    };
    let scale = count * range * range;
    Disagreement {
        observed: observed / scale,
        expected: distances(0..values.len()) / (scale * (count - runs)),
    }
}

/// The ratings of the rows with two or more, and the end of each of these rows.
fn rated_twice(ratings: &Ratings, rows: &[u32]) -> (Vec<f64>, Vec<usize>) {
    let (mut values, mut ends) = (Vec::new(), Vec::new());
    for row in rows {
        let start = values.len();
        values.extend(of_row(ratings, *row));
        if values.len() < start + 2 {
            values.truncate(start);
        } else {
            ends.push(values.len());
        }
    }
    (values, ends)
}

/// Replaces each rating with the mean rank of its class.
fn to_mean_ranks(values: &mut [f64], classes: &RatingClasses) {
    let numbers: Vec<usize> = values.iter().map(|value| classes.number(*value)).collect();
    let mut ranks = vec![0.0; classes.len()];
    for number in &numbers {
        add(&mut ranks, *number, 1.0);
    }
    let mut below = 0.0;
    for rank in &mut ranks {
        let count = *rank;
        below += count;
        *rank = below - count / 2.0;
    }
    for (value, number) in values.iter_mut().zip(numbers) {
        *value = ranks.get(number).copied().unwrap_or_default();
    }
}

/// The number of ordered pairs of different classes. `counts` has a zero for each class.
fn unequal(numbers: &[f64], counts: &mut [f64]) -> f64 {
    if let [a, b] = numbers {
        return 2.0 * f64::from(a != b);
    }
    for number in numbers {
        add(counts, *number as usize, 1.0);
    }
    let equal = numbers.iter().map(|number| {
        let of_class = take(counts, *number as usize);
        of_class * of_class
    });
    let count = numbers.len() as f64;
    count * count - equal.sum::<f64>()
}

/// The sum of the squared differences of all ordered pairs.
fn squares(values: &[f64]) -> f64 {
    let mean = crate::statistics::descriptive::mean(values);
    // Computed from deviations from the mean, which avoids cancellation.
    2.0 * values.len() as f64 * values.iter().map(|value| (value - mean) * (value - mean)).sum::<f64>()
}

/// Resets a count, and returns it. Resetting only the counts of a row keeps the time linear where each label is its own
/// class, such as free texts.
fn take(counts: &mut [f64], place: usize) -> f64 {
    counts.get_mut(place).map_or(0.0, std::mem::take)
}

fn add(counts: &mut [f64], place: usize, amount: f64) {
    if let Some(count) = counts.get_mut(place) {
        *count += amount;
    }
}
