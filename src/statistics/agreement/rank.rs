//! Rank correlations of two raters. The observed disagreement is half the distance of the correlation from 1;
//! by chance, it is one half.

use super::chance::pair;
use super::{Disagreement, Ratings};
use crate::sort::{inversions, sorted};
use crate::statistics::descriptive::ascending;
use std::cmp::Ordering;

fn disagreement(correlation: f64) -> Disagreement {
    let expected = if correlation.is_nan() { f64::NAN } else { 0.5 };
    Disagreement { observed: (1.0 - correlation) / 2.0, expected }
}

/// The ratings of the rows that both have rated.
pub fn columns(ratings: &Ratings, rows: &[u32]) -> [Vec<f64>; 2] {
    let mut columns = [Vec::new(), Vec::new()];
    for row in rows {
        if let Some(pair) = pair(ratings, *row) {
            for (column, rating) in columns.iter_mut().zip(pair) {
                column.push(rating);
            }
        }
    }
    columns
}

fn compare(values: &[f64], a: usize, b: usize) -> Ordering {
    match (values.get(a), values.get(b)) {
        (Some(a), Some(b)) => a.total_cmp(b),
        _ => Ordering::Equal,
    }
}

/// The ranks of values, where ties share their mean rank; and the number of tied pairs.
fn ranks(values: &[f64]) -> (Vec<f64>, f64) {
    let order = ascending(values);
    let mut ranks = vec![0.0; values.len()];
    let mut ties = 0.0;
    let mut seen = 0.0;
    for equal in order.chunk_by(|a, b| values.get(*a) == values.get(*b)) {
        let count = equal.len() as f64;
        for place in equal {
            if let Some(rank) = ranks.get_mut(*place) {
                *rank = seen + (count + 1.0) / 2.0;
            }
        }
        ties += count * (count - 1.0) / 2.0;
        seen += count;
    }
    (ranks, ties)
}

/// Spearman's rank correlation: Pearson's correlation of the ranks.
pub fn spearman(ratings: &Ratings, rows: &[u32]) -> Disagreement {
    let columns = columns(ratings, rows);
    let [(first, _), (second, _)] = columns.each_ref().map(|column| ranks(column));
    let middle = (first.len() as f64 + 1.0) / 2.0;
    let (mut both, mut of_first, mut of_second) = (0.0, 0.0, 0.0);
    for (a, b) in first.iter().zip(&second) {
        both += (a - middle) * (b - middle);
        of_first += (a - middle) * (a - middle);
        of_second += (b - middle) * (b - middle);
    }
    disagreement(both / (of_first * of_second).sqrt())
}

/// Kendall's tau-b, from the inversions of a merge sort (Knight, *A computer method for calculating Kendall's
/// tau with ungrouped data*, 1966).
pub fn kendall(ratings: &Ratings, rows: &[u32]) -> Disagreement {
    let [first, second] = columns(ratings, rows);
    let count = first.len() as f64;
    let (_, ties_of_first) = ranks(&first);
    let (ranks_of_second, ties_of_second) = ranks(&second);
    let order = sorted(first.len(), &|a, b| compare(&first, a, b).then_with(|| compare(&second, a, b)));
    let same = |a: usize, b: usize| first.get(a) == first.get(b) && second.get(a) == second.get(b);
    let mut ties_of_both = 0.0;
    for equal in order.chunk_by(|a, b| same(*a, *b)) {
        ties_of_both += (equal.len() * (equal.len() - 1)) as f64 / 2.0;
    }
    let ordered: Vec<f64> = order.iter().filter_map(|place| ranks_of_second.get(*place).copied()).collect();
    let pairs = count * (count - 1.0) / 2.0;
    // The pairs tied in neither list are either discordant, which are counted, or concordant.
    let untied = pairs - ties_of_first - ties_of_second + ties_of_both;
    let exchanges = inversions(ordered.len(), &|a, b| compare(&ordered, a, b));
    let concordance = untied - 2.0 * exchanges as f64;
    disagreement(concordance / ((pairs - ties_of_first) * (pairs - ties_of_second)).sqrt())
}
