//! Equivalence and non-inferiority tests of a margin that are valid for every distribution of bounded scores.

use super::descriptive::{in_order, is_rate};
use super::interval::{Settings, Units};
use super::random::Random;
use super::search::fewest;
use crate::sort;
use serde::Serialize;
use std::cmp::Ordering;

/// The question of the test.
#[derive(Debug, Clone, Copy)]
pub struct MarginQuestion {
    /// The equivalence margin: the smallest difference that matters.
    pub margin: f64,
    /// The lowest possible score.
    pub low: f64,
    /// The highest possible score.
    pub high: f64,
}

/// The p-values for a true difference at the margin or beyond.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify), tsify(missing_as_null))]
pub struct MarginTest {
    /// The p-value of "the second is lower than the first by the margin or more"; `None` without pairs, and
    /// on overflow.
    pub not_lower: Option<f64>,
    /// The p-value of "the second is higher by the margin or more".
    pub not_higher: Option<f64>,
    /// The fewest units at which two experiments with equal scores in every row pass the test.
    pub fewest: Option<f64>,
    /// The method of the p-values.
    pub test: MarginTestKind,
}

/// A method of margin tests.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
pub enum MarginTestKind {
    /// The exact unconditional test of paired rates, ordered by Tango's score.
    ExactScore,
    /// The betting test for the mean of bounded numbers.
    Betting,
}

/// Two one-sided tests (TOST).
pub fn within_margin(
    from: &[f64],
    to: &[f64],
    units: &Units,
    asked: MarginQuestion,
    settings: Settings,
) -> MarginTest {
    let error = 1.0 - settings.level;
    let relative = asked.margin / (asked.high - asked.low);
    let are_rates = is_rate(from) && is_rate(to);
    if are_rates && units.are_rows() && (asked.low, asked.high) == (0.0, 1.0) {
        exact_test(from, to, relative, error)
    } else {
        betting_test(from, to, units, asked.high - asked.low, relative, settings)
    }
}

fn exact_test(from: &[f64], to: &[f64], margin: f64, error: f64) -> MarginTest {
    let count = from.len() as f64;
    let only =
        |one: &[f64], other: &[f64]| one.iter().zip(other).map(|(one, other)| one * (1.0 - other)).sum();
    let (lost, gained) = (only(from, to), only(to, from));
    let test = |lost, gained| (count > 0.0).then(|| exact_score(lost, gained, count, margin));
    MarginTest {
        not_lower: test(lost, gained),
        not_higher: test(gained, lost),
        fewest: fewest_equal(margin, error, &|count| exact_score(0.0, 0.0, count, margin)),
        test: MarginTestKind::ExactScore,
    }
}

/// The betting test. `range` is the range of the scores, and the margin a share of it.
fn betting_test(
    from: &[f64],
    to: &[f64],
    units: &Units,
    range: f64,
    margin: f64,
    settings: Settings,
) -> MarginTest {
    let error = 1.0 - settings.level;
    let largest = (0..units.count()).map(|unit| units.size(unit)).fold(1.0, f64::max);
    // For each unit the sum of its differences and its size, relative to the largest possible.
    let pairs: Vec<[f64; 2]> = (0..units.count())
        .map(|unit| {
            let scores = units.of_unit(unit, to).iter().zip(units.of_unit(unit, from));
            let sum: f64 = scores.map(|(to, from)| to / range - from / range).sum();
            [sum / largest, units.size(unit) / largest]
        })
        .collect();
    let is_known = !pairs.is_empty() && pairs.iter().all(|[sum, _]| sum.is_finite());
    let test = |sign: f64| {
        let pairs: Vec<[f64; 2]> = pairs.iter().map(|[sum, size]| [sign * sum, *size]).collect();
        is_known.then(|| betting(&pairs, margin, error, settings.seed))
    };
    MarginTest {
        not_lower: test(1.0),
        not_higher: test(-1.0),
        fewest: fewest_bets(margin, error),
        test: MarginTestKind::Betting,
    }
}

/// The least number of units at which any valid test can pass, even for equal experiments: with fewer, it is
/// likely enough that none of the units has lost the whole range, even if losses of that size add up to the
/// margin.
pub fn least_units(margin: f64, error: f64) -> f64 {
    if margin < 1.0 { (error.ln() / (-margin).ln_1p()).ceil().max(1.0) } else { 1.0 }
}

/// The fewest units at which the betting test gives equal experiments a p-value below `error`.
pub fn fewest_bets(margin: f64, error: f64) -> Option<f64> {
    fewest_equal(margin, error, &|count| betting(&vec![[0.0, 1.0]; count as usize], margin, error, 0))
}

/// The fewest units at which equal experiments get a p-value below `error`.
fn fewest_equal(margin: f64, error: f64, p_value: &dyn Fn(f64) -> f64) -> Option<f64> {
    const MOST: f64 = 10_000.0;
    let least = least_units(margin, error);
    if least > MOST {
        return Some(least);
    }
    fewest(least, &|count| p_value(count) < error)
}

/// The number of random orders. A bet depends on the order; the mean over several orders depends on it less.
const ORDERS: u32 = 20;

/// The largest stake, as a share of the stake that could lose all capital.
pub const CAUTION: f64 = 0.95;

/// Tests that the sum of the units is not below minus the margin times their sizes, all relative to the
/// largest possible. Bets a capital of 1 against it. If the truth is at the margin or beyond, the capital
/// does not grow on average, whatever the distribution, so one over the mean capital is a p-value (Markov's
/// inequality). The stakes are chosen as by Waudby-Smith and Ramdas for a fixed number of observations
/// (*Estimating means of bounded random variables by betting*, JRSS-B 2024).
#[inline(never)]
pub fn betting(units: &[[f64; 2]], margin: f64, error: f64, seed: u64) -> f64 {
    if margin >= 1.0 {
        return 0.0;
    }
    let count = units.len() as f64;
    let mut random = Random::new(seed);
    // Sorted first, so that the result does not depend on the order of the rows.
    let mut units = sort::in_order(units, |a, b| a.partial_cmp(b).unwrap_or(Ordering::Equal));
    let mut capital = 0.0;
    for _ in 0..ORDERS {
        for last in (1..units.len()).rev() {
            units.swap(last, random.below(last as u32 + 1) as usize);
        }
        // A prior of one unit, with the variance of a tenth of the squared range.
        let (mut seen, mut sum, mut squares) = (1.0, 0.0, 0.1);
        let mut logarithm = 0.0;
        for [difference, size] in &units {
            let wanted = (-2.0 * error.ln() * seen / (count * squares)).sqrt();
            let gain = difference + margin * size;
            logarithm += (wanted.min(CAUTION / (1.0 - margin)) * gain).ln_1p();
            seen += 1.0;
            sum += gain;
            let off = gain - sum / seen;
            squares += off * off;
        }
        capital += logarithm.min(700.0).exp() / f64::from(ORDERS);
    }
    (1.0 / capital).min(1.0)
}

/// Tango's score for the hypothesis that the loss equals the margin (*Equivalence test and confidence
/// interval for the difference in proportions for the paired-sample design*, 1998). It is lower with fewer
/// losses. Counts may be fractional.
pub fn score(lost: f64, gained: f64, count: f64, margin: f64) -> f64 {
    let b = (2.0 * count - lost + gained) * margin - lost - gained;
    let c = -gained * margin * (1.0 - margin);
    let nuisance = ((b * b - 8.0 * count * c).max(0.0).sqrt() - b) / (4.0 * count);
    (lost - gained - count * margin) / (count * (2.0 * nuisance + margin * (1.0 - margin))).sqrt()
}

/// The exact unconditional p-value: the probability of scores at most as low, maximized over the probability
/// of a gain.
fn exact_score(lost: f64, gained: f64, count: f64, margin: f64) -> f64 {
    if margin >= 1.0 {
        return 0.0;
    }
    let observed = score(lost, gained, count, margin) + 1e-9;
    // The tails that the sum leaves out have about this probability.
    Outcomes::new(observed, count, margin).largest_size().clamp(1e-15, 1.0)
}

/// The outcomes that are at least as good as the observed one.
struct Outcomes {
    count: f64,
    margin: f64,
    /// For each number of gains, the most losses; -1 if even no loss is too many.
    limits: Vec<f64>,
    /// The logarithms of factorials.
    factorials: Vec<f64>,
}

impl Outcomes {
    /// The outcomes of `count` rows with a score of at most `observed`.
    fn new(observed: f64, count: f64, margin: f64) -> Self {
        let mut limits = Vec::new();
        let mut limit = -1.0;
        for gained in 0..=count as u32 {
            let gained = f64::from(gained);
            while limit + gained < count && score(limit + 1.0, gained, count, margin) <= observed {
                limit += 1.0;
            }
            limit = f64::min(limit, count - gained);
            limits.push(limit);
        }
        let mut factorials = vec![0.0];
        let mut logarithm = 0.0;
        for number in 1..=count as u32 {
            logarithm += f64::from(number).ln();
            factorials.push(logarithm);
        }
        Self { count, margin, limits, factorials }
    }

    /// Their largest probability over all probabilities of a gain.
    fn largest_size(&self) -> f64 {
        /// The number of probabilities in the grid.
        const STEPS: u32 = 40;
        /// How often the neighbourhood of a maximum in the grid is narrowed, by a third each time.
        const NARROWINGS: u32 = 10;
        // Denser near 0, but nowhere coarse: rows may nearly all differ.
        let gains: Vec<f64> = (0..=STEPS)
            .map(|step| f64::from(step) / f64::from(STEPS))
            .flat_map(|share| [share, share * share * share * share])
            .map(|share| (1.0 - self.margin) / 2.0 * share)
            .collect();
        let gains = in_order(&gains);
        let sizes: Vec<f64> = gains.iter().map(|gain| self.size_at(*gain)).collect();
        let highest = sizes.iter().copied().fold(0.0, f64::max);
        let mut largest = highest;
        for (gains, sizes) in gains.windows(3).zip(sizes.windows(3)) {
            let (&[mut low, _, mut high], &[before, middle, after]) = (gains, sizes) else { continue };
            if middle < 0.8 * highest || middle < before || middle < after {
                continue;
            }
            for _ in 0..NARROWINGS {
                let third = (high - low) / 3.0;
                let (lower, upper) = (self.size_at(low + third), self.size_at(high - third));
                largest = largest.max(lower).max(upper);
                (low, high) = if lower < upper { (low + third, high) } else { (low, high - third) };
            }
        }
        largest
    }

    /// Their probability if rows gain with this probability, and lose as much more often as the margin.
    #[inline(never)]
    fn size_at(&self, gain: f64) -> f64 {
        let Self { count, margin, limits, factorials } = self;
        let loss = ((gain + margin) / (1.0 - gain)).min(1.0);
        let mut sum = 0.0;
        let of_gains = Binomial { count: *count, probability: gain, factorials };
        of_gains.each(*count, &mut |gained, probability| {
            let limit = limits.get(gained as usize).copied().unwrap_or(-1.0);
            let of_losses = Binomial { count: count - gained, probability: loss, factorials };
            of_losses.each(limit, &mut |_, of_loss| sum += probability * of_loss);
        });
        sum
    }
}

/// A binomial distribution.
struct Binomial<'a> {
    count: f64,
    probability: f64,
    /// The logarithms of factorials.
    factorials: &'a [f64],
}

impl Binomial<'_> {
    /// Calls `of` with each number up to `limit` whose probability is not negligible.
    fn each(&self, limit: f64, of: &mut dyn FnMut(f64, f64)) {
        let Self { count, probability, factorials } = *self;
        let other = 1.0 - probability;
        let reach = 8.0 * (count * probability * other).sqrt() + 12.0;
        let mean = count * probability;
        let mut number = (mean - reach).floor().max(0.0);
        if probability == 0.0 || other == 0.0 {
            number = count * probability;
            if number <= limit {
                of(number, 1.0);
            }
            return;
        }
        let end = limit.min((mean + reach).min(count));
        let factorial = |number: f64| factorials.get(number as usize).copied().unwrap_or_default();
        let logarithm = factorial(count) - factorial(number) - factorial(count - number)
            + number * probability.ln()
            + (count - number) * other.ln();
        let mut weight = logarithm.exp();
        while number <= end {
            of(number, weight);
            weight *= (count - number) / (number + 1.0) * probability / other;
            number += 1.0;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::statistics::testing::{SETTINGS, rows, uniform};
    use rustc_hash::FxHashMap;

    const SHARES: MarginQuestion = MarginQuestion { margin: 0.1, low: 0.0, high: 1.0 };

    fn shown(from: &[f64], to: &[f64], margin: f64) -> bool {
        let asked = MarginQuestion { margin, ..SHARES };
        within_margin(from, to, &rows(from.len() as u32), asked, SETTINGS).not_lower.unwrap() < 0.05
    }

    #[test]
    fn the_score_is_that_of_tango() {
        // The crossover trial of 44 patients in Tango 1998: 43 agree, none gains, one loses; the margin is
        // 0.1.
        let z = score(1.0, 0.0, 44.0, 0.1);
        assert!((z - (1.0 - 4.4) / (44.0_f64 * (2.0 * 0.0 + 0.09)).sqrt()).abs() < 1e-9, "{z}");
        // Without a margin, it equals McNemar's score.
        assert!((score(9.0, 4.0, 50.0, 0.0) - 5.0 / 13.0_f64.sqrt()).abs() < 1e-9);
    }

    #[test]
    fn equal_experiments_pass_from_the_fewest_rows_on() {
        for scores in [0.7, 1.0] {
            for margin in [0.3, 0.1, 0.02] {
                let asked = MarginQuestion { margin, ..SHARES };
                let few = within_margin(&[scores; 2], &[scores; 2], &rows(2), asked, SETTINGS);
                assert!(few.not_lower.unwrap() >= 0.05);
                let fewest = few.fewest.unwrap() as usize;
                // No valid test passes with fewer rows.
                let least = 0.05_f64.ln() / (1.0 - margin).ln();
                assert!(
                    fewest as f64 >= least && (fewest as f64) < 1.2 * least + 2.0,
                    "{margin}: {fewest}, {least}"
                );
                assert!(shown(&vec![scores; fewest], &vec![scores; fewest], margin));
                assert!(!shown(&vec![scores; fewest - 1], &vec![scores; fewest - 1], margin));
            }
        }
    }

    #[test]
    fn rows_without_a_loss_have_the_probability_of_none() {
        // Slightly more, because outcomes with a loss and several gains are as extreme.
        let (test, none) = (exact_score(0.0, 0.0, 29.0, 0.1), 0.9_f64.powi(29));
        assert!(none <= test && test < none + 0.003, "{test}");
    }

    #[test]
    fn the_p_value_is_the_largest_of_all_probabilities() {
        // Computed by the sum over all outcomes, for 8,001 probabilities of a gain.
        for (lost, gained, count, margin, expected) in [
            (4.0, 9.0, 24.0, 0.05, 0.05306),
            (8.0, 1.0, 50.0, 0.25, 0.05329),
            (1.0, 1.0, 20.0, 0.25, 0.01355),
        ] {
            let p_value = exact_score(lost, gained, count, margin);
            assert!((p_value - expected).abs() < 6e-6, "{lost}, {gained}, {count}: {p_value}");
        }
    }

    #[test]
    fn neither_order_nor_scale_matters() {
        let from: Vec<f64> = (0..60).map(|row| f64::from(row % 7) / 7.0).collect();
        let to: Vec<f64> = (0..60).map(|row| f64::from(row % 5) / 5.0).collect();
        let one = within_margin(&from, &to, &rows(60), SHARES, SETTINGS);
        let back = |scores: &[f64]| scores.iter().rev().map(|score| score * 4.0 + 1.0).collect::<Vec<_>>();
        let asked = MarginQuestion { margin: 0.4, low: 1.0, high: 5.0 };
        let other = within_margin(&back(&from), &back(&to), &rows(60), asked, SETTINGS);
        assert!((one.not_lower.unwrap() - other.not_lower.unwrap()).abs() < 1e-9);
        assert_eq!(one.not_higher, within_margin(&to, &from, &rows(60), SHARES, SETTINGS).not_lower);
    }

    #[test]
    fn a_margin_of_the_whole_range_is_never_reached() {
        let asked = MarginQuestion { margin: 1.0, ..SHARES };
        assert_eq!(within_margin(&[1.0], &[0.0], &rows(1), asked, SETTINGS).not_lower, Some(0.0));
        assert_eq!(within_margin(&[0.5], &[0.2], &rows(1), asked, SETTINGS).not_lower, Some(0.0));
        let nothing = within_margin(&[], &[], &rows(0), SHARES, SETTINGS);
        assert_eq!((nothing.not_lower, nothing.not_higher), (None, None));
    }

    /// How often the margin is shown in 300 samples of rows, each of which falls with the probability. The order of rows does not
    /// matter, so each number of falls is tested once.
    fn times_shown(count: u32, [from, fallen]: [f64; 2], probability: f64, margin: f64) -> usize {
        let mut random = uniform(count.into());
        let mut by_falls = FxHashMap::default();
        let is_shown = |_: &u32| {
            let falls = (0..count).filter(|_| random() < probability).count();
            *by_falls.entry(falls).or_insert_with(|| {
                let mut to = vec![from; count as usize];
                to[..falls].fill(fallen);
                shown(&vec![from; count as usize], &to, margin)
            })
        };
        (0..300).filter(is_shown).count()
    }

    #[test]
    fn rare_collapses_seldom_pass() {
        for count in [10, 30, 100] {
            let passed = times_shown(count, [0.9, 0.1], 0.05, 0.04);
            assert!(passed <= 18, "{count}: {passed}");
        }
    }

    #[test]
    fn rates_that_only_break_seldom_pass() {
        for (count, margin) in [(10, 0.25), (30, 0.1), (60, 0.05), (400, 0.02)] {
            let passed = times_shown(count, [1.0, 0.0], margin, margin);
            assert!(passed <= 24, "{count}: {passed}");
        }
    }
}
