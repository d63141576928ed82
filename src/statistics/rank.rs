//! Strengths from paired comparisons.

use super::clusters::{cautious_variance, correlation, freedom};
use super::descriptive::{in_order, quantile};
use super::interval::{Interval, Settings, Units};
use super::probability::student_quantile_between;
use super::random::Random;
use super::rows::Rows;
use serde::{Deserialize, Serialize};
use std::f64::consts::LN_10;

/// A comparison: the first and the second competitor, as numbers from 0, and the score. It is 1 if the first won, 0 if the second
/// won, and a number in between for a tie.
type Comparison = (usize, usize, f64);

/// Paired comparisons. Dependent ones, such as both orders of the same two answers, form a unit.
pub struct Comparisons {
    /// In the given order.
    all: Vec<Comparison>,
    /// With those of a unit side by side.
    grouped: Vec<Comparison>,
    units: Units,
}

/// The strength of a competitor.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify), tsify(missing_as_null))]
pub struct Strength {
    /// The strength; `None` if the maximum likelihood estimate is not finite.
    pub strength: Option<f64>,
    /// The interval; `None` if it cannot be estimated.
    pub interval: Option<Interval>,
}

/// The parameters of Elo ratings.
#[derive(Debug, Clone, Copy, Deserialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
pub struct EloSettings {
    /// The K-factor: the largest change of a rating in a comparison.
    pub k_factor: f64,
    /// The initial rating.
    pub initial: f64,
}

impl EloSettings {
    /// The ratings after these comparisons.
    fn ratings(&self, names: usize, comparisons: &mut dyn Iterator<Item = Comparison>) -> Vec<f64> {
        let mut ratings = vec![self.initial; names];
        for (first, second, score) in comparisons {
            let expected = chance(difference(&ratings, first, second) * LN_10 / 400.0);
            add(&mut ratings, first, self.k_factor * (score - expected));
            add(&mut ratings, second, self.k_factor * (expected - score));
        }
        ratings
    }
}

/// The most steps of a fit.
const MAX_STEPS: u32 = 100;

impl Comparisons {
    /// The comparisons in these columns, of which those with the same example, or with the same cluster, are dependent.
    pub fn new(
        first: &[u32],
        second: &[u32],
        scores: &[f64],
        examples: &[u32],
        clusters: Option<&[u32]>,
    ) -> Self {
        let pairs = first.iter().zip(second).zip(scores);
        let all: Vec<Comparison> =
            pairs.map(|((first, second), score)| (*first as usize, *second as usize, *score)).collect();
        let rows = Rows::new(all.len(), Some(examples), clusters);
        Self { grouped: rows.ordered(&all), units: rows.units().clone(), all }
    }

    fn each(&self) -> impl Iterator<Item = Comparison> {
        self.grouped.iter().copied()
    }

    /// Bradley-Terry strengths (*The method of paired comparisons*, 1952): the first wins with the odds
    /// `exp(first - second)`. Their mean is 0, and a tie is half a win. The intervals use the cluster-robust
    /// sandwich variance, which does not treat ties as coin flips, and Student's t.
    ///
    /// All are `None` if no finite strengths fit, because some have won all comparisons against all others, or
    /// are not [linked](Self::are_linked) to them.
    pub fn bradley_terry(&self, names: usize, level: f64) -> Vec<Strength> {
        let unknown = vec![Strength { strength: None, interval: None }; names];
        if names < 2 || !self.is_strongly_connected(names) {
            return unknown;
        }
        let Some((strengths, inverse)) = self.fit(names) else { return unknown };
        // Each free strength beyond the first takes a degree of freedom.
        let units = self.units.count() as f64;
        let left = (units + 1.0 - names as f64) / (units - 1.0);
        let quantile = student_quantile_between(level, freedom(&self.units, 0.0) * left);
        strengths
            .iter()
            .zip(inverse.chunks(names))
            .map(|(strength, inverse)| {
                let variance = self.variance(&strengths, inverse) / left;
                let interval = (left > 0.0 && variance > 1e-20).then(|| {
                    let half = quantile * variance.sqrt();
                    Interval { low: strength - half, high: strength + half, level }
                });
                Strength { strength: Some(*strength), interval }
            })
            .collect()
    }

    /// Whether the graph of wins is strongly connected, the condition for finite strengths (Ford, *Solution
    /// of a ranking problem from binary comparisons*, 1957).
    fn is_strongly_connected(&self, names: usize) -> bool {
        self.reaches_all(names, &|score| [score > 0.0, score < 1.0])
            && self.reaches_all(names, &|score| [score < 1.0, score > 0.0])
    }

    /// Whether a chain of comparisons links any two competitors.
    pub fn are_linked(&self, names: usize) -> bool {
        self.reaches_all(names, &|_| [true; 2])
    }

    /// Whether all competitors can be reached from the first one. `ways` says for the score of a comparison
    /// whether it leads from its first to its second competitor, and back.
    fn reaches_all(&self, names: usize, ways: &dyn Fn(f64) -> [bool; 2]) -> bool {
        let mut seen = vec![false; names];
        if let Some(first) = seen.first_mut() {
            *first = true;
        }
        let mut count = 0;
        loop {
            for (first, second, score) in self.each() {
                let [there, back] = ways(score);
                for (is_way, from, to) in [(there, first, second), (back, second, first)] {
                    if is_way
                        && seen.get(from) == Some(&true)
                        && let Some(to) = seen.get_mut(to)
                    {
                        *to = true;
                    }
                }
            }
            let now = seen.iter().filter(|is_seen| **is_seen).count();
            if now == count {
                return now == names;
            }
            count = now;
        }
    }

    /// The maximum likelihood strengths by Newton's method, and the inverse of their information, row by row.
    fn fit(&self, names: usize) -> Option<(Vec<f64>, Vec<f64>)> {
        let mut strengths = vec![0.0; names];
        let mut before = self.likelihood(&strengths);
        for _ in 0..MAX_STEPS {
            let (gradient, information) = self.derivatives(&strengths);
            let inverse = inverted(&information, names)?;
            let step = product(&inverse, &gradient, names);
            let size = step.iter().fold(0.0, |most: f64, part| most.max(part.abs()));
            let mut share = 1.0;
            // A step that decreases the likelihood is halved.
            loop {
                let moved: Vec<f64> =
                    strengths.iter().zip(&step).map(|(strength, part)| strength + share * part).collect();
                let likelihood = self.likelihood(&moved);
                if likelihood >= before - 1e-9 || share < 1e-6 {
                    (strengths, before) = (moved, likelihood);
                    break;
                }
                share /= 2.0;
            }
            if size < 1e-12 {
                break;
            }
        }
        let mean = strengths.iter().sum::<f64>() / names as f64;
        for strength in &mut strengths {
            *strength -= mean;
        }
        let (_, information) = self.derivatives(&strengths);
        Some((strengths, inverted(&information, names)?))
    }

    fn likelihood(&self, strengths: &[f64]) -> f64 {
        let mut sum = 0.0;
        for (first, second, score) in self.each() {
            let distance = difference(strengths, first, second);
            // log(1 + exp(x)) without overflow.
            sum += score * distance - (distance.max(0.0) + (-distance.abs()).exp().ln_1p());
        }
        sum
    }

    /// The gradient of the log-likelihood, and its negative Hessian with a term that fixes the mean of the
    /// strengths at 0.
    fn derivatives(&self, strengths: &[f64]) -> (Vec<f64>, Vec<f64>) {
        let names = strengths.len();
        let (mut gradient, mut information) = (vec![0.0; names], vec![1.0; names * names]);
        for (first, second, score) in self.each() {
            let chance = chance(difference(strengths, first, second));
            add(&mut gradient, first, score - chance);
            add(&mut gradient, second, chance - score);
            let weight = chance * (1.0 - chance);
            add(&mut information, first * names + first, weight);
            add(&mut information, second * names + second, weight);
            add(&mut information, first * names + second, -weight);
            add(&mut information, second * names + first, -weight);
        }
        (gradient, information)
    }

    /// The variance of a strength, given its row of the inverse of the information: that of the sum of the comparisons'
    /// influences on it, which may depend on each other within units (the sandwich of White, 1982).
    fn variance(&self, strengths: &[f64], inverse: &[f64]) -> f64 {
        let influences: Vec<f64> = self
            .each()
            .map(|(first, second, score)| {
                difference(inverse, first, second) * (score - chance(difference(strengths, first, second)))
            })
            .collect();
        let rows = influences.len() as f64;
        cautious_variance(&influences, &self.units, correlation(&influences, &self.units)) * rows * rows
    }

    /// Elo ratings (*The rating of chessplayers*, 1978) after the comparisons in their order. The bootstrap
    /// intervals replay drawn units in the order of the draw.
    pub fn elo(&self, names: usize, elo: EloSettings, settings: Settings) -> Vec<Strength> {
        const DRAWS: usize = 1_000;
        let ratings = elo.ratings(names, &mut self.all.iter().copied());
        let mut random = Random::new(settings.seed);
        let units = self.units.count();
        let (mut drawn, mut results) = (Vec::new(), vec![Vec::new(); names]);
        for _ in 0..if units < 2 { 0 } else { DRAWS } {
            drawn.clear();
            random.fill_below(units as u32, units, &mut drawn);
            let mut comparisons =
                drawn.iter().flat_map(|unit| self.units.of_unit(*unit as usize, &self.grouped)).copied();
            for (results, rating) in results.iter_mut().zip(elo.ratings(names, &mut comparisons)) {
                results.push(rating);
            }
        }
        let tail = (1.0 - settings.level) / 2.0;
        ratings
            .iter()
            .zip(&results)
            .map(|(rating, results)| {
                let results = in_order(results);
                let interval = (results.first() != results.last()).then(|| Interval {
                    low: quantile(&results, tail),
                    high: quantile(&results, 1.0 - tail),
                    level: settings.level,
                });
                Strength { strength: Some(*rating).filter(|rating| rating.is_finite()), interval }
            })
            .collect()
    }
}

/// The probability that the first wins, given the difference in strength.
fn chance(difference: f64) -> f64 {
    1.0 / (1.0 + (-difference).exp())
}

fn difference(strengths: &[f64], first: usize, second: usize) -> f64 {
    strengths.get(first).copied().unwrap_or_default() - strengths.get(second).copied().unwrap_or_default()
}

fn add(values: &mut [f64], place: usize, value: f64) {
    if let Some(sum) = values.get_mut(place) {
        *sum += value;
    }
}

/// The product of a square matrix, row by row, and a vector.
fn product(matrix: &[f64], vector: &[f64], size: usize) -> Vec<f64> {
    matrix.chunks(size).map(|row| row.iter().zip(vector).map(|(one, other)| one * other).sum()).collect()
}

/// The inverse of a symmetric positive definite matrix, row by row, by Gauss-Jordan elimination.
fn inverted(matrix: &[f64], size: usize) -> Option<Vec<f64>> {
    let mut rows: Vec<Vec<f64>> = matrix
        .chunks(size)
        .enumerate()
        .map(|(place, row)| {
            let mut row = row.to_vec();
            row.extend((0..size).map(|column| f64::from(u8::from(column == place))));
            row
        })
        .collect();
    for pivot in 0..size {
        let by = *rows.get(pivot)?.get(pivot)?;
        if by <= 1e-300 || by.is_nan() {
            return None;
        }
        for value in rows.get_mut(pivot)? {
            *value /= by;
        }
        let own = rows.get(pivot)?.clone();
        for (place, row) in rows.iter_mut().enumerate() {
            let factor = row.get(pivot).copied().unwrap_or_default();
            if place == pivot || factor == 0.0 {
                continue;
            }
            for (value, own) in row.iter_mut().zip(&own) {
                *value -= factor * own;
            }
        }
    }
    Some(rows.iter().flat_map(|row| row.iter().skip(size).copied()).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Comparisons of different examples.
    fn independent(first: &[u32], second: &[u32], scores: &[f64]) -> Comparisons {
        Comparisons::new(first, second, scores, &(0..scores.len() as u32).collect::<Vec<_>>(), None)
    }

    #[test]
    fn two_have_the_odds_of_their_wins() {
        let comparisons = independent(&[0; 4], &[1; 4], &[1.0, 1.0, 1.0, 0.0]);
        let found = comparisons.bradley_terry(2, 0.95);
        let [a, b] = [0, 1].map(|name| found[name].strength.unwrap());
        assert!((a - b - 3.0_f64.ln()).abs() < 1e-12 && (a + b).abs() < 1e-12);
        assert!(found[0].interval.unwrap().low < a);
    }

    #[test]
    fn a_competitor_that_wins_everything_has_no_finite_strength() {
        let comparisons = independent(&[0, 1], &[1, 0], &[1.0, 0.0]);
        assert_eq!(comparisons.bradley_terry(2, 0.95)[0], Strength { strength: None, interval: None });
        assert_eq!(comparisons.bradley_terry(2, 0.95).len(), 2);
    }

    #[test]
    fn a_large_unit_that_happens_to_agree_is_not_taken_for_certainty() {
        // Ten of twelve comparisons of one unit are wins, and five of eight others.
        let scores: Vec<f64> = (0..20).map(|row| f64::from(row < 10 || (12..17).contains(&row))).collect();
        let units: Vec<u32> = (0..20_u32).map(|row| row.saturating_sub(11)).collect();
        let found = Comparisons::new(&[0; 20], &[1; 20], &scores, &units, None).bradley_terry(2, 0.95);
        // numpy, from matrices: CR2 is 0.0819, the variance of rows that correlate by 0.317 is 0.2318, and Bell and McCaffrey's
        // degrees of freedom are 2.391. Student's quantile is interpolated, which adds 0.5%.
        let interval = found[0].interval.unwrap();
        assert!((f64::midpoint(interval.low, interval.high) - 3.0_f64.ln() / 2.0).abs() < 1e-9);
        assert!(((interval.high - interval.low) / 2.0 - 1.786_867).abs() < 1e-6, "{interval:?}");
    }

    #[test]
    fn a_chain_of_comparisons_links_competitors() {
        let linked =
            |first: &[u32], second: &[u32]| independent(first, second, &vec![1.0; first.len()]).are_linked(4);
        assert!(linked(&[0, 3, 2], &[1, 1, 3]));
        assert!(!linked(&[0, 2], &[1, 3]));
    }

    #[test]
    fn ratings_move_as_elo_says() {
        let comparisons = independent(&[0, 0], &[1, 1], &[1.0, 0.5]);
        let elo = EloSettings { k_factor: 32.0, initial: 1000.0 };
        let found = comparisons.elo(2, elo, Settings { level: 0.95, seed: 0 });
        // The ratings are 1016 and 984, then a tie with the expected score 1 / (1 + 10^(-32 / 400)).
        let expected = 1016.0 - 32.0 * (1.0 / (1.0 + 10_f64.powf(-0.08)) - 0.5);
        assert!((found[0].strength.unwrap() - expected).abs() < 1e-9);
        assert!((found[0].strength.unwrap() + found[1].strength.unwrap() - 2000.0).abs() < 1e-9);
    }

    #[test]
    fn elo_follows_the_given_order_also_with_dependent_comparisons() {
        let comparisons = Comparisons::new(&[0, 1, 0], &[1, 2, 2], &[1.0; 3], &[0, 1, 0], None);
        let elo = EloSettings { k_factor: 32.0, initial: 1000.0 };
        let found = comparisons.elo(3, elo, Settings { level: 0.95, seed: 0 });
        // a beats b, b beats c, and a beats c.
        let gain = |distance: f64| 32.0 * (1.0 - 1.0 / (1.0 + 10_f64.powf(-distance / 400.0)));
        let second = gain(984.0 - 1000.0);
        let third = gain(1016.0 - (1000.0 - second));
        for (found, expected) in found.iter().zip([1016.0 + third, 984.0 + second, 1000.0 - second - third]) {
            assert!((found.strength.unwrap() - expected).abs() < 1e-9);
        }
    }

    #[test]
    fn strengths_are_recovered_with_their_intervals() {
        let truth = [1.2, 0.5, 0.0, -0.5, -1.2];
        let mut random = Random::new(11);
        let mut uniform = || random.uniform();
        // In 400 simulations of each, the coverage was 0.963, 0.955 and 0.950.
        for (rounds, ties) in [(6, 0.0), (6, 0.3), (40, 0.3)] {
            let (mut covered, mut all, mut off) = (0.0, 0.0, 0.0_f64);
            for _ in 0..60 {
                let (mut first, mut second, mut scores) = (Vec::new(), Vec::new(), Vec::new());
                for _ in 0..rounds {
                    for one in 0..5_u32 {
                        for other in one + 1..5 {
                            let chance = chance(truth[one as usize] - truth[other as usize]);
                            // A tie takes equally from wins and losses, so the expected score stays the same.
                            let tie = ties * f64::min(chance, 1.0 - chance) * 2.0;
                            let drawn = uniform();
                            let score = if drawn < tie { 0.5 } else { f64::from(drawn < tie / 2.0 + chance) };
                            scores.push(score);
                            first.push(one);
                            second.push(other);
                        }
                    }
                }
                let comparisons = independent(&first, &second, &scores);
                for (found, truth) in comparisons.bradley_terry(5, 0.95).iter().zip(truth) {
                    let (Some(strength), Some(interval)) = (found.strength, found.interval) else { continue };
                    covered += f64::from(interval.low <= truth && truth <= interval.high);
                    off = f64::max(off, (strength - truth).abs());
                    all += 1.0;
                }
            }
            assert!((0.9..=0.99).contains(&(covered / all)), "{rounds}, {ties}: {}", covered / all);
            assert!(rounds < 40 || off < 0.8, "{off}");
        }
    }
}
