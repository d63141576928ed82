//! Treats scores that differ by rounding errors as equal, such as 0.3 and 0.1 + 0.2.

use super::descriptive::ascending;
use super::interval::Units;

/// The largest rounding error of a score, as a share of the largest score.
const ERROR: f64 = 1e-12;

/// The largest difference that is a rounding error among these scores.
pub fn tolerance(scores: &[&[f64]]) -> f64 {
    scores.iter().flat_map(|scores| scores.iter()).fold(0.0, |most, score| f64::max(most, score.abs()))
        * ERROR
}

/// The differences of paired scores, second minus first, and their sums over each unit. Rounding errors are 0.
pub fn differences(from: &[f64], to: &[f64], units: &Units) -> (Vec<f64>, Vec<f64>) {
    let tolerance = tolerance(&[from, to]);
    let exact = |difference: f64| if difference.abs() > tolerance { difference } else { 0.0 };
    let differences: Vec<f64> = from.iter().zip(to).map(|(from, to)| exact(to - from)).collect();
    let sums = (0..units.count()).map(|unit| exact(units.sum(unit, &differences))).collect();
    (differences, sums)
}

/// Replaces numbers that are equal up to the tolerance by the lowest of them.
pub fn merge(numbers: &mut [f64], tolerance: f64) {
    let mut lowest = f64::NAN;
    for place in ascending(numbers) {
        let Some(number) = numbers.get_mut(place) else { continue };
        if *number - lowest <= tolerance {
            *number = lowest;
        } else {
            lowest = *number;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rounding_errors_are_not_differences() {
        let (from, to) = ([0.3, 1.0, 0.5], [0.1 + 0.2, 1.0, 0.5 + 1e-9]);
        let (found, sums) = differences(&from, &to, &Units::of(&[0, 0, 1]));
        assert_eq!((found[0], found[1], sums[0]), (0.0, 0.0, 0.0));
        assert!(found[2] > 0.0 && sums[1] == found[2]);
        // The same scores in another order.
        let (found, sums) = differences(&[0.1, 0.2, 0.7], &[0.7, 0.1, 0.2], &Units::of(&[0; 3]));
        assert!(found.iter().sum::<f64>() != 0.0);
        assert_eq!(sums, [0.0]);
    }

    #[test]
    fn small_scores_differ_by_small_amounts() {
        let (found, _) = differences(&[1e-20, 2e-20], &[2e-20, 2e-20], &Units::of(&[0, 1]));
        assert_eq!(found, [1e-20, 0.0]);
    }

    #[test]
    fn equal_numbers_are_merged() {
        let mut numbers = [0.1 + 0.2, 0.5, 0.3, 0.300_000_1, -0.3];
        let tolerance = tolerance(&[&numbers]);
        merge(&mut numbers, tolerance);
        assert_eq!(numbers, [0.3, 0.5, 0.3, 0.300_000_1, -0.3]);
    }
}
