//! Whether some rows differ from the rest.

use super::descriptive::mean;
use super::interval::{Interval, Units, effective_count, wilson};
use super::probability::{student_above, student_quantile};
use serde::Serialize;

/// By how much the mean of some rows is above that of others.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify), tsify(missing_as_null))]
pub struct SliceDifference {
    /// None where one of both has no rows, or where it is beyond all numbers.
    pub difference: Option<f64>,
    /// None where nothing can be told.
    pub interval: Option<Interval>,
    /// How likely a difference is that is as large, in either direction, if there is none. None where nothing can be told.
    pub p_value: Option<f64>,
}

/// Compares scores with others that are independent of them: rates by Newcombe's interval (method 10 of *Interval
/// estimation for the difference between independent proportions*, 1998), all else by Welch's t, whose degrees of freedom
/// are rounded down; the p-value is one minus the level at which the interval ends at 0. Rows of a unit count for what they
/// tell.
pub fn difference(
    inside: &[f64],
    of_inside: &Units,
    outside: &[f64],
    of_outside: &Units,
    level: f64,
) -> SliceDifference {
    let difference = mean(inside) - mean(outside);
    let mut found = SliceDifference {
        difference: Some(difference).filter(|difference| difference.is_finite()),
        interval: None,
        p_value: None,
    };
    if inside.is_empty() || outside.is_empty() {
        return found;
    }
    if inside.iter().chain(outside).all(|score| *score == 0.0 || *score == 1.0) {
        let newcombe = |level| {
            let of = |scores: &[f64], units: &Units| {
                let count = effective_count(scores, units, level);
                wilson(mean(scores) * count, count, level)
            };
            let (one, other) = (of(inside, of_inside)?, of(outside, of_outside)?);
            let (rate, rest) = (mean(inside), mean(outside));
            Interval::between(
                difference - root_of_squares(rate - one.low, other.high - rest),
                difference + root_of_squares(one.high - rate, rest - other.low),
                level,
            )
        };
        let (mut low, mut high) = (0.0, 1.0 - 1e-13);
        for _ in 0..60 {
            let middle = (low + high) / 2.0;
            let excludes = |interval: Interval| interval.low > 0.0 || interval.high < 0.0;
            if newcombe(middle).is_some_and(excludes) {
                low = middle;
            } else {
                high = middle;
            }
        }
        found.interval = newcombe(level);
        found.p_value = Some(1.0 - low);
        return found;
    }
    let (Some(one), Some(other)) = (variance(inside, of_inside), variance(outside, of_outside)) else {
        return found;
    };
    let error = (one + other).sqrt();
    let size: f64 = inside.iter().chain(outside).map(|score| score.abs()).sum();
    if error <= size * 1e-14 {
        return found;
    }
    // Welch and Satterthwaite.
    let part = |variance: f64, units: &Units| variance * variance / (units.count() as f64 - 1.0);
    let freedom = (error * error * error * error / (part(one, of_inside) + part(other, of_outside))) as u32;
    let half = student_quantile(level, freedom.max(1)) * error;
    found.interval = Interval::between(difference - half, difference + half, level);
    found.p_value = Some(2.0 * student_above(difference.abs() / error, freedom.max(1)));
    found
}

fn root_of_squares(one: f64, other: f64) -> f64 {
    (one * one + other * other).sqrt()
}

/// The variance of a mean, as an estimate for more units; none of a single unit.
fn variance(scores: &[f64], units: &Units) -> Option<f64> {
    let count = units.count() as f64;
    let mean = mean(scores);
    let squares = (0..units.count()).map(|unit| {
        let off = units.sum(unit, scores) - mean * units.size(unit);
        off * off
    });
    let rows = units.rows() as f64;
    (units.count() > 1).then(|| squares.sum::<f64>() / (rows * rows) * count / (count - 1.0))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rows(count: usize) -> Units {
        Units::of(&(0..count as u32).collect::<Vec<_>>())
    }

    #[test]
    fn without_rows_there_is_no_difference() {
        let found = difference(&[], &rows(0), &[1.0], &rows(1), 0.95);
        assert_eq!(found, SliceDifference { difference: None, interval: None, p_value: None });
        let found = difference(&[0.5], &rows(1), &[0.25, 0.75], &rows(2), 0.95);
        assert_eq!((found.difference, found.p_value), (Some(0.0), None));
    }

    #[test]
    fn the_p_value_agrees_with_the_interval() {
        let (inside, outside) = ([1.0, 1.0, 1.0, 1.0, 1.0, 0.0], [0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0]);
        let found = difference(&inside, &rows(6), &outside, &rows(8), 0.95);
        let at = difference(&inside, &rows(6), &outside, &rows(8), 1.0 - found.p_value.unwrap());
        assert!(at.interval.unwrap().low.abs() < 1e-9, "{found:?}");
    }
}
