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

    fn number(&self, rating: f64) -> usize {
        self.values.partition_point(|value| *value < rating)
    }

    fn len(&self) -> usize {
        self.values.len()
    }
}

/// The disagreement of raters in the given rows.
pub fn disagreement(
    measure: AgreementMeasure,
    ratings: &Ratings,
    classes: &RatingClasses,
    rows: &[u32],
) -> Disagreement {
    match measure {
        AgreementMeasure::Equality | AgreementMeasure::Ac1 => by_row(measure, ratings, classes, rows),
        AgreementMeasure::Kappa | AgreementMeasure::LinearKappa | AgreementMeasure::QuadraticKappa => {
            kappa(measure, ratings, classes, rows)
        }
        _ => alpha(measure, ratings, classes, rows),
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
    // The mean share of each class.
    let mut shares = vec![0.0; classes.len()];
    let mut counts = vec![0.0; classes.len()];
    for row in rows {
        counts.fill(0.0);
        let mut count = 0.0;
        for rating in of_row(ratings, *row) {
            add(&mut counts, classes.number(rating), 1.0);
            count += 1.0;
        }
        if count == 0.0 {
            continue;
        }
        rated += 1.0;
        for (share, count_of_class) in shares.iter_mut().zip(&counts) {
            *share += count_of_class / count;
        }
        if count > 1.0 {
            compared += 1.0;
            let equal: f64 = counts.iter().map(|of_class| of_class * (of_class - 1.0)).sum();
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
    let least = classes.values.first().copied().unwrap_or_default();
    let last = classes.values.last().map_or(1.0, |last| last - least);
    let distance = |a: f64, b: f64| match measure {
        AgreementMeasure::Kappa => f64::from(a != b),
        AgreementMeasure::LinearKappa => (a - b).abs() / last,
        _ => (a - b) * (a - b) / (last * last),
    };
    let mut marginals = [vec![0.0; classes.len()], vec![0.0; classes.len()]];
    let (mut observed, mut count) = (0.0, 0.0);
    for row in rows {
        let Some([a, b]) = pair(ratings, *row) else { continue };
        for (marginal, rating) in marginals.iter_mut().zip([a, b]) {
            add(marginal, classes.number(rating), 1.0);
        }
        observed += distance(a, b);
        count += 1.0;
    }
    let [first, second] = &marginals;
    // The marginal frequencies of each rating.
    let both = || classes.values.iter().zip(first.iter().zip(second));
    let mut expected = 0.0;
    match measure {
        AgreementMeasure::Kappa => {
            let by_chance = both().map(|(_, (a, b))| a * b).sum();
            return Disagreement::of_classes(count, count - observed, by_chance);
        }
        AgreementMeasure::LinearKappa => {
            // A pair counts for each gap between adjacent ratings that separates its two ratings.
            let (mut below_first, mut below_second, mut before) = (0.0, 0.0, least);
            for (rating, (a, b)) in both() {
                let apart = below_first * (count - below_second) + below_second * (count - below_first);
                expected += (rating - before) * apart;
                before = *rating;
                below_first += a;
                below_second += b;
            }
            expected /= last;
        }
        _ => {
            let (mut sums, mut squares) = ([0.0; 2], 0.0);
            for (rating, (a, b)) in both() {
                // Relative to the lowest rating, which avoids cancellation.
                let above = rating - least;
                squares += above * above * (a + b) * count;
                sums[0] += above * a;
                sums[1] += above * b;
            }
            expected = (squares - 2.0 * sums[0] * sums[1]) / (last * last);
        }
    }
    Disagreement { observed: observed / count, expected: expected / (count * count) }
}

/// The ratings of the first two raters for a row, if it has both.
pub fn pair(ratings: &Ratings, row: u32) -> Option<[f64; 2]> {
    let [first, second, ..] = ratings.raters else { return None };
    let (a, b) = (*first.get(row as usize)?, *second.get(row as usize)?);
    (!a.is_nan() && !b.is_nan()).then_some([a, b])
}

/// Krippendorff's alpha of any number of raters, with missing ratings. The ordinal metric is the difference
/// of mean ranks: the number of ratings between two classes, plus half of those in either class.
fn alpha(
    measure: AgreementMeasure,
    ratings: &Ratings,
    classes: &RatingClasses,
    rows: &[u32],
) -> Disagreement {
    // The values of all rows, and the end of each row.
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
    let is_nominal = measure == AgreementMeasure::NominalAlpha;
    if is_nominal || measure == AgreementMeasure::OrdinalAlpha {
        let numbers: Vec<usize> = values.iter().map(|value| classes.number(*value)).collect();
        let mut counts = vec![0.0; classes.len()];
        for number in &numbers {
            add(&mut counts, *number, 1.0);
        }
        let mut below = 0.0;
        let ranks: Vec<f64> = counts
            .iter()
            .map(|count| {
                below += count;
                below - count / 2.0
            })
            .collect();
        for (value, number) in values.iter_mut().zip(&numbers) {
            *value =
                if is_nominal { *number as f64 } else { ranks.get(*number).copied().unwrap_or_default() };
        }
    }
    let distances = |range: Range<usize>| {
        let own = values.get(range).unwrap_or_default();
        if is_nominal { unequal(own, classes.len()) } else { squares(own) }
    };
    let (mut observed, mut start) = (0.0, 0);
    for end in ends {
        observed += distances(start..end) / (end - start - 1) as f64;
        start = end;
    }
    let count = values.len() as f64;
    let range = match (values.iter().copied().reduce(f64::min), values.iter().copied().reduce(f64::max)) {
        (Some(least), Some(most)) if most > least && !is_nominal => most - least,
        _ => 1.0,
    };
    let scale = count * range * range;
    Disagreement {
        observed: observed / scale,
        expected: distances(0..values.len()) / (scale * (count - 1.0)),
    }
}

/// The number of ordered pairs of different classes.
fn unequal(numbers: &[f64], classes: usize) -> f64 {
    if let [a, b] = numbers {
        return 2.0 * f64::from(a != b);
    }
    let mut counts = vec![0.0; classes];
    for number in numbers {
        add(&mut counts, *number as usize, 1.0);
    }
    let count = numbers.len() as f64;
    count * count - counts.iter().map(|count| count * count).sum::<f64>()
}

/// The sum of the squared differences of all ordered pairs.
fn squares(values: &[f64]) -> f64 {
    let mean = crate::statistics::descriptive::mean(values);
    // Computed from deviations from the mean, which avoids cancellation.
    2.0 * values.len() as f64 * values.iter().map(|value| (value - mean) * (value - mean)).sum::<f64>()
}

fn add(counts: &mut [f64], place: usize, amount: f64) {
    if let Some(count) = counts.get_mut(place) {
        *count += amount;
    }
}
