//! Tests whether slices of an experiment differ from the other rows.

use super::clusters::freedom;
use super::descriptive::{ascending, is_rate, mean};
use super::interval::{Interval, Settings, Units, draws, effective_count, wilson};
use super::probability::student_quantile;
use super::random::Random;
use super::rounding;
use super::rows::Rows;
use serde::Serialize;

/// The difference between the mean of a slice and that of all other rows.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify), tsify(missing_as_null))]
pub struct SliceDifference {
    /// The difference; `None` if the slice or the rest is empty, and on overflow.
    pub difference: Option<f64>,
    /// The confidence interval; `None` without a p-value, and if the scores do not vary.
    pub interval: Option<Interval>,
    /// The two-sided p-value of the difference if scores do not depend on the slice. `None` if the slice or
    /// the rest is too small.
    pub p_value: Option<f64>,
    /// The p-value adjusted for all slices that were tested together.
    pub stepped_p_value: Option<f64>,
    /// The number of independent units in the slice: clusters, or otherwise examples.
    pub units: u32,
}

/// The fewest units of a slice, and of the rest, for a p-value.
pub const MIN_UNITS: usize = 5;

/// Beyond five thousand units, fewer permutations are drawn.
const WORK: usize = 50_000_000;

/// The rows of an experiment that have a score.
pub struct SlicedRows<'a> {
    /// The score of each row.
    pub scores: &'a [f64],
    /// The example of each row.
    pub examples: &'a [u32],
    /// The cluster of each row, if there are clusters.
    pub clusters: Option<&'a [u32]>,
}

/// Compares each slice with all other rows, by a permutation test.
///
/// Whole clusters are permuted. If the examples of a cluster are in different slices, their scores are also
/// permuted within the cluster. The statistic of a slice is the difference of its mean from that of the rest
/// in Welch's standard errors, recomputed in each permutation, so that a slice with a larger variance is not
/// a false finding (Janssen, *Studentized permutation tests for non-i.i.d. hypotheses*, 1997; Chung and
/// Romano, *Exact and asymptotically robust permutation tests*, 2013). Within clusters, it is in standard
/// deviations of the permutation distribution.
///
/// The maximum over the slices tests whether any slice differs, and stepwise which ones (maxT: Westfall and
/// Young, *Resampling-based multiple testing*, 1993).
pub fn differences(rows: &SlicedRows, slices: &[&[u32]], settings: Settings) -> Vec<SliceDifference> {
    let count = rows.scores.len();
    let mut slices_of: Vec<Vec<u32>> = vec![Vec::new(); count];
    for (slice, members) in slices.iter().enumerate() {
        for row in members.iter() {
            if let Some(of_row) = slices_of.get_mut(*row as usize) {
                of_row.push(slice as u32);
            }
        }
    }
    let sorted = Rows::new(count, Some(rows.examples), rows.clusters);
    let (examples, units) = (sorted.ordered(rows.examples), sorted.units());
    let mut scores = sorted.ordered(rows.scores);
    let tolerance = rounding::tolerance(&[&scores]);
    rounding::merge(&mut scores, tolerance);
    let slices_of: Vec<&[u32]> = slices_of.iter().map(Vec::as_slice).collect();
    let slices_of = sorted.ordered(&slices_of);

    let mut found = Vec::new();
    let mut tested = Vec::new();
    for slice in 0..slices.len() as u32 {
        let (one, is_tested) = one_difference(&scores, units, &slices_of, slice, settings.level);
        found.push(one);
        tested.extend(is_tested.then_some(slice));
    }
    let p_values = Arrangement::of(&scores, &examples, units, &slices_of, &tested).test(settings.seed);
    for (slice, [p_value, stepped]) in tested.iter().zip(p_values) {
        if let Some(one) = found.get_mut(*slice as usize) {
            one.p_value = Some(p_value);
            one.stepped_p_value = Some(stepped);
            let difference = one.difference.unwrap_or_default();
            one.interval = one.interval.map(|interval| interval.agreeing(difference, p_value));
        }
    }
    found
}

/// The difference of one slice with its interval, still without p-values, and whether it can be tested.
fn one_difference(
    scores: &[f64],
    all: &Units,
    slices_of: &[&[u32]],
    slice: u32,
    level: f64,
) -> (SliceDifference, bool) {
    let is_inside = |row: usize| slices_of.get(row).is_some_and(|slices| slices.contains(&slice));
    let (mut inside, mut outside) = (Vec::new(), Vec::new());
    for (row, score) in scores.iter().enumerate() {
        if is_inside(row) { &mut inside } else { &mut outside }.push(*score);
    }
    let units = [all.of_some(&is_inside), all.of_some(&|row| !is_inside(row))];
    let difference = mean(&inside) - mean(&outside);
    let is_tested = difference.is_finite() && units.iter().all(|units| units.count() >= MIN_UNITS);
    let found = SliceDifference {
        difference: Some(difference).filter(|difference| difference.is_finite()),
        interval: if is_tested {
            interval(&inside, &units[0], &outside, &units[1], variance(scores, all), level)
        } else {
            None
        },
        p_value: None,
        stepped_p_value: None,
        units: units[0].count() as u32,
    };
    (found, is_tested)
}

/// Newcombe's interval for rates (method 10 of *Interval estimation for the difference between independent
/// proportions*, 1998), Welch's for numbers. Each side has at least the variance of all rows together, since
/// a few equal rows say nothing about theirs.
fn interval(
    inside: &[f64],
    of_inside: &Units,
    outside: &[f64],
    of_outside: &Units,
    of_unit: f64,
    level: f64,
) -> Option<Interval> {
    let (rate, rest) = (mean(inside), mean(outside));
    let difference = rate - rest;
    if is_rate(inside) && is_rate(outside) {
        let of = |scores: &[f64], units: &Units| {
            let count = effective_count(scores, units, level);
            wilson(mean(scores) * count, count, level)
        };
        let (one, other) = (of(inside, of_inside)?, of(outside, of_outside)?);
        return Interval::between(
            difference - (rate - one.low).hypot(other.high - rest),
            difference + (one.high - rate).hypot(rest - other.low),
            level,
        );
    }
    let of_mean = |scores: &[f64], units: &Units| {
        let rows = units.rows() as f64;
        variance(scores, units).max(of_unit) * units.count() as f64 / (rows * rows)
    };
    let (one, other) = (of_mean(inside, of_inside), of_mean(outside, of_outside));
    let error = (one + other).sqrt();
    if error == 0.0 {
        return None;
    }
    // The Welch-Satterthwaite degrees of freedom.
    let part = |variance: f64, units: &Units| variance * variance / freedom(units, 0.0);
    let freedom = ((one + other) * (one + other) / (part(one, of_inside) + part(other, of_outside))) as u32;
    let half = student_quantile(level, freedom.max(1)) * error;
    Interval::between(difference - half, difference + half, level)
}

/// The variance of unit sums around the mean.
fn variance(scores: &[f64], units: &Units) -> f64 {
    let squares = units.deviations(scores).map(|off| off * off);
    squares.sum::<f64>() / (units.count() as f64 - 1.0)
}

/// The values to permute, and the places of each slice.
struct Arrangement {
    /// The sums of scores, centered in their block.
    values: Vec<f64>,
    /// The start of each block, followed by the end of the last. Values are permuted within blocks.
    blocks: Vec<usize>,
    /// The sum of squares of the first block, which has the whole clusters.
    squares: f64,
    slices: Vec<SlicePlaces>,
}

/// The places of a slice in the values.
#[derive(Default)]
struct SlicePlaces {
    /// The places in the first block.
    whole: Vec<u32>,
    /// The places in clusters that are in several slices.
    parts: Vec<u32>,
    /// The permutation variance of the sum over `parts`.
    variance: f64,
}

/// The lowest variance of a slice and of the rest, as a share of the overall variance, since a few equal
/// scores say nothing about theirs.
const MIN_VARIANCE: f64 = 0.25;

impl Arrangement {
    /// Arranges the scores for the permutation test, and finds the places of the tested slices.
    fn of(scores: &[f64], examples: &[u32], clusters: &Units, slices_of: &[&[u32]], tested: &[u32]) -> Self {
        let (items, blocks) = exchangeable(scores, examples, clusters, slices_of);
        let tolerance = rounding::tolerance(&[scores]);
        let mut values: Vec<f64> = items.iter().map(|(sum, _)| *sum).collect();
        let mut slices: Vec<SlicePlaces> = tested.iter().map(|_| SlicePlaces::default()).collect();
        let mut of_whole = 0.0;
        for (number, bounds) in blocks.windows(2).enumerate() {
            let &[start, end] = bounds else { continue };
            let Some(block) = values.get_mut(start..end) else { continue };
            let size = block.len() as f64;
            rounding::merge(block, tolerance);
            let squares = center(block);
            if number == 0 {
                of_whole = squares;
            }
            for (slice, own) in tested.iter().zip(&mut slices) {
                let places = if number == 0 { &mut own.whole } else { &mut own.parts };
                let before = places.len();
                for place in start..end {
                    if items.get(place).is_some_and(|(_, slices)| slices.contains(slice)) {
                        places.push(place as u32);
                    }
                }
                let inside = (places.len() - before) as f64;
                if number > 0 && size > 1.0 {
                    own.variance += inside * (size - inside) / size * squares / (size - 1.0);
                }
            }
        }
        Self { values, blocks, squares: of_whole, slices }
    }

    /// The distance of each slice from its expected value.
    fn distances(&self) -> Vec<f64> {
        self.slices.iter().map(|slice| self.distance(slice)).collect()
    }

    fn distance(&self, slice: &SlicePlaces) -> f64 {
        let sums = |places: &[u32]| {
            places.iter().fold((0.0, 0.0), |(sum, squares), place| {
                let value = self.values.get(*place as usize).copied().unwrap_or_default();
                (sum + value, squares + value * value)
            })
        };
        let (sum, squares) = sums(&slice.whole);
        let inside = slice.whole.len() as f64;
        let all = self.blocks.get(1).map_or(0.0, |end| *end as f64);
        let outside = all - inside;
        let mut variance = slice.variance;
        if inside > 0.0 && outside > 0.0 {
            let least = MIN_VARIANCE * self.squares / (all - 1.0);
            let of = |squares: f64, count: f64| {
                // A single value has no variance; after rounding, this division would give infinity.
                let estimate = if count > 1.0 { (squares - sum * sum / count) / (count - 1.0) } else { 0.0 };
                least.max(estimate) / count
            };
            let weight = inside * outside / all;
            variance += weight * weight * (of(squares, inside) + of(self.squares - squares, outside));
        }
        if variance > 0.0 { (sum + sums(&slice.parts).0).abs() / variance.sqrt() } else { 0.0 }
    }

    /// The p-value of each slice, alone and stepwise adjusted. The observation counts as one permutation.
    fn test(mut self, seed: u64) -> Vec<[f64; 2]> {
        let observed = self.distances();
        // In ascending order of distance, for the maxima over a slice and all closer ones.
        let order = ascending(&observed);
        let ways = if observed.is_empty() { 1 } else { draws(self.values.len(), WORK) };
        let mut counts = vec![[1.0; 2]; observed.len()];
        let mut random = Random::new(seed);
        for _ in 1..ways {
            self.shuffle(&mut random);
            let distances = self.distances();
            let mut farthest = 0.0_f64;
            for slice in &order {
                let (Some(distance), Some(seen), Some([alone, stepped])) =
                    (distances.get(*slice), observed.get(*slice), counts.get_mut(*slice))
                else {
                    continue;
                };
                // Sums that are equal in exact arithmetic may differ by rounding.
                let least = seen - 1e-9;
                farthest = farthest.max(*distance);
                *alone += f64::from(*distance >= least);
                *stepped += f64::from(farthest >= least);
            }
        }
        let mut before = 0.0_f64;
        for slice in order.iter().rev() {
            if let Some([alone, stepped]) = counts.get_mut(*slice) {
                *alone /= ways as f64;
                *stepped = before.max(*stepped / ways as f64);
                before = *stepped;
            }
        }
        counts
    }

    /// Shuffles the values of each block.
    fn shuffle(&mut self, random: &mut Random) {
        for bounds in self.blocks.windows(2) {
            let &[start, end] = bounds else { continue };
            random.shuffle(self.values.get_mut(start..end).unwrap_or_default());
        }
    }
}

/// A sum of scores that is permuted as one value, and the slices of its rows.
type Item<'s> = (f64, &'s [u32]);

/// The values to permute, and the ends of their blocks. A cluster whose rows are all in the same slices is permuted as
/// one value, their sum, together with all such clusters (the first block). The examples of every other cluster are
/// permuted within it (a separate block).
fn exchangeable<'s>(
    scores: &[f64],
    examples: &[u32],
    clusters: &Units,
    slices_of: &[&'s [u32]],
) -> (Vec<Item<'s>>, Vec<usize>) {
    let mean = mean(scores);
    let (mut whole, mut parts) = (Vec::new(), Vec::new());
    let mut ends = Vec::new();
    for cluster in 0..clusters.count() {
        let rows = clusters.rows_of(cluster as u32);
        let of_row = |row: u32| slices_of.get(row as usize).copied().unwrap_or_default();
        let is_whole = rows.clone().all(|row| of_row(row) == of_row(rows.start));
        let mut example = None;
        for row in rows.clone() {
            let items = if is_whole { &mut whole } else { &mut parts };
            let score = scores.get(row as usize).copied().unwrap_or_default() - mean;
            let current = examples.get(row as usize);
            if row > rows.start && (is_whole || example == current) {
                if let Some((sum, _)) = items.last_mut() {
                    *sum += score;
                }
            } else {
                items.push((score, of_row(row)));
            }
            example = current;
        }
        if !is_whole {
            ends.push(parts.len());
        }
    }
    let mut blocks = vec![0, whole.len()];
    blocks.extend(ends.iter().map(|end| whole.len() + end));
    whole.append(&mut parts);
    (whole, blocks)
}

/// Subtracts the mean from values, and returns the sum of their squares.
fn center(values: &mut [f64]) -> f64 {
    let mean = values.iter().sum::<f64>() / values.len() as f64;
    let mut squares = 0.0;
    for value in values {
        *value -= mean;
        squares += *value * *value;
    }
    squares
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::statistics::testing::{SETTINGS, uniform};

    fn find(scores: &[f64], slices: &[&[u32]], clusters: Option<&[u32]>) -> Vec<SliceDifference> {
        let examples: Vec<u32> = (0..scores.len() as u32).collect();
        differences(&SlicedRows { scores, examples: &examples, clusters }, slices, SETTINGS)
    }

    #[test]
    fn a_slice_that_happens_to_be_equal_is_not_a_finding() {
        // Of sixty rows, 48 are 1, six 0.5 and six 0. Five rows that are all 1 have a probability of one
        // third.
        let scores: Vec<f64> = (0..60).map(|row| [1.0, 0.5, 0.0][(row / 48 + row / 54) as usize]).collect();
        let found = find(&scores, &[&[0, 1, 2, 3, 4]], None)[0];
        assert!(found.p_value.unwrap() > 0.3, "{found:?}");
        let Interval { low, high, .. } = found.interval.unwrap();
        assert!(low <= 0.0 && high >= 0.0);
        let small = find(&scores, &[&[0, 1, 2]], None)[0];
        assert_eq!((small.p_value, small.interval, small.units), (None, None, 3));
    }

    #[test]
    fn complements_have_the_same_p_value_beside_a_single_whole_cluster() {
        // Two of the 48 arrangements are as far apart: four clusters swap their rows, and three exchange places.
        let scores = [0.0, 9.0, 9.0, 4.0, 2.0, 5.0, 2.0, 7.0, 3.0, 1.0, 0.0];
        let clusters = [0, 1, 1, 2, 2, 3, 4, 5, 5, 6, 6];
        let found = find(&scores, &[&[0, 2, 4, 6, 8, 10], &[1, 3, 5, 7, 9]], Some(&clusters));
        for one in &found {
            assert!((one.p_value.unwrap() - 2.0 / 48.0).abs() < 6e-3, "{one:?}");
        }
    }

    #[test]
    fn the_p_value_is_that_of_all_permutations() {
        // Two of the 252 ways to choose five of ten are as far apart.
        let scores: Vec<f64> = (0..10).map(|row| f64::from(row / 5) + f64::from(row) / 1e3).collect();
        let found = find(&scores, &[&[0, 1, 2, 3, 4], &[5, 6, 7, 8, 9]], None);
        for one in &found {
            assert!((one.p_value.unwrap() - 2.0 / 252.0).abs() < 3e-3, "{one:?}");
            // Both slices are complements, so there is nothing to adjust.
            assert_eq!(one.p_value, one.stepped_p_value);
        }
        assert_eq!(found[0].difference, found[1].difference.map(|difference| -difference));
    }

    #[test]
    fn clusters_are_exchanged_as_wholes() {
        let scores: Vec<f64> = (0..40).map(|row| f64::from(row / 20)).collect();
        let slice: Vec<u32> = (0..20).collect();
        let clusters: Vec<u32> = (0..40).map(|row| row / 4).collect();
        let alone = find(&scores, &[&slice], None)[0].p_value.unwrap();
        let together = find(&scores, &[&slice], Some(&clusters))[0].p_value.unwrap();
        assert!(alone < 0.001 && (together - 2.0 / 252.0).abs() < 3e-3, "{alone} {together}");
    }

    #[test]
    fn slices_within_clusters_are_permuted_within() {
        // Each of twelve clusters has its own mean, and its second row is slightly better.
        let scores: Vec<f64> = (0..24).map(|row| f64::from(row / 2) * 10.0 + f64::from(row % 2)).collect();
        let clusters: Vec<u32> = (0..24).map(|row| row / 2).collect();
        let second: Vec<u32> = (0..24).filter(|row| row % 2 == 1).collect();
        let within = find(&scores, &[&second], Some(&clusters))[0].p_value.unwrap();
        assert!(within < 0.003, "{within}");
        assert!(find(&scores, &[&second], None)[0].p_value.unwrap() > 0.5);
    }

    #[test]
    fn a_slice_that_varies_more_is_not_a_finding() {
        // Ten rows with twice the spread of forty others, and no true difference.
        let slice: Vec<u32> = (0..10).collect();
        let alarms = (0..60).filter(|seed| {
            let mut random = uniform(50_000 + seed);
            let scores: Vec<f64> = (0..50)
                .map(|row| {
                    let normal = (0..12).map(|_| random()).sum::<f64>() - 6.0;
                    if row < 10 { 2.0 * normal } else { normal }
                })
                .collect();
            find(&scores, &[&slice], None)[0].p_value.unwrap() < 0.05
        });
        // Without studentization, one in five would be a false alarm.
        let alarms = alarms.count();
        assert!(alarms <= 7, "{alarms}");
    }

    #[test]
    fn many_slices_seldom_raise_an_alarm() {
        let mut alarms = 0;
        for seed in 0..12 {
            let mut random = uniform(seed);
            let scores: Vec<f64> = (0..200)
                .map(|_| {
                    let drawn = random();
                    if drawn < 0.85 { 1.0 } else { f64::from(drawn < 0.93) / 2.0 }
                })
                .collect();
            let slices: Vec<Vec<u32>> =
                (0..20).map(|slice| (slice * 10..slice * 10 + 10).collect()).collect();
            let slices: Vec<&[u32]> = slices.iter().map(Vec::as_slice).collect();
            let found = find(&scores, &slices, None);
            alarms += u32::from(found.iter().any(|one| one.stepped_p_value.unwrap() < 0.05));
        }
        assert!(alarms <= 4, "{alarms}");
    }

    #[test]
    fn overflow_and_equal_scores_have_no_finding() {
        let huge: Vec<f64> = (0..20).map(|row| if row < 10 { 1e308 } else { -1e308 }).collect();
        let slice: Vec<u32> = (0..10).collect();
        let found = find(&huge, &[&slice], None)[0];
        assert_eq!((found.difference, found.p_value), (None, None));
        let found = find(&[0.7; 20], &[&slice], None)[0];
        assert_eq!((found.difference, found.p_value, found.interval), (Some(0.0), Some(1.0), None));
    }

    #[test]
    fn rounding_errors_are_not_a_finding() {
        let slice: Vec<u32> = (0..10).collect();
        let scores: Vec<f64> = (0..20).map(|row| if row < 10 { 0.3 } else { 0.1 + 0.2 }).collect();
        let found = find(&scores, &[&slice], None)[0];
        assert_eq!((found.difference, found.p_value, found.interval), (Some(0.0), Some(1.0), None));
        // Clusters with the same scores, added in another order.
        let scores: Vec<f64> = [[0.1, 0.2, 0.3].repeat(10), [0.3, 0.2, 0.1].repeat(10)].concat();
        let slice: Vec<u32> = (0..30).collect();
        let clusters: Vec<u32> = (0..60).map(|row| row / 3).collect();
        assert_eq!(find(&scores, &[&slice], Some(&clusters))[0].p_value, Some(1.0));
    }
}
