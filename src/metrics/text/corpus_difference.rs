//! Significance tests of the difference between two systems over a corpus.

use super::TextMetric;
use super::corpus::CorpusCounts;
use super::row::{CorpusMetric, Row};
use crate::error::Result;
use crate::statistics::interval::{Interval, Settings, Units, bootstrap, draws};
use crate::statistics::random::Random;
use serde::{Deserialize, Serialize};

/// A significance test for corpus scores.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
pub enum CorpusTest {
    /// Approximate randomization: the share of random exchanges of the systems' answers, example by example,
    /// that are at least as far apart (Riezler and Maxwell, *On some pitfalls in automatic evaluation and
    /// significance testing for MT*, 2005). Two-sided.
    PairedPermutation,
    /// Paired bootstrap: the share of resampled corpora whose difference is farther from their mean than the
    /// observed difference (Koehn, *Statistical significance tests for machine translation evaluation*,
    /// 2004), as in sacrebleu.
    PairedBootstrap,
}

/// The difference between two systems over a corpus.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify), tsify(missing_as_null))]
pub struct CorpusDifference {
    /// The score of the first system.
    pub first: f64,
    /// The score of the second system.
    pub second: f64,
    /// The bootstrap interval of the difference, second minus first.
    pub interval: Option<Interval>,
    /// The p-value of the test.
    pub p_value: f64,
}

/// Compares two systems on the same rows. The rows of an example are adjacent.
pub fn corpus_difference(
    metric: TextMetric,
    first: &[Row<'_>],
    second: &[Row<'_>],
    units: &Units,
    test: CorpusTest,
    settings: Settings,
) -> Result<CorpusDifference> {
    let metric = metric.of_corpus()?;
    let systems = [CorpusCounts::of(&*metric, first)?, CorpusCounts::of(&*metric, second)?];
    let [from, to] = systems.each_ref().map(|counts| metric.value(&counts.total()));
    let difference = to - from;
    let mut draws = Vec::new();
    let interval = bootstrap(units, settings, &mut |drawn| {
        let [from, to] = systems.each_ref().map(|counts| metric.value(&counts.sum(drawn.iter().copied())));
        draws.push(to - from);
        to - from
    });
    Ok(match test {
        CorpusTest::PairedBootstrap => {
            CorpusDifference { first: from, second: to, interval, p_value: bootstrapped(&draws, difference) }
        }
        CorpusTest::PairedPermutation => {
            let p_value = permuted(&*metric, &systems, units, settings.seed);
            let interval = interval.map(|interval| interval.agreeing(difference, p_value));
            CorpusDifference { first: from, second: to, interval, p_value }
        }
    })
}

/// The share of draws whose distance exceeds the mean distance by more than the difference. The observed
/// difference counts as one draw.
fn bootstrapped(draws: &[f64], difference: f64) -> f64 {
    let sum: f64 = draws.iter().map(|draw| draw.abs()).sum();
    // Identical answers do not differ, and a single example proves nothing.
    if sum == 0.0 {
        return 1.0;
    }
    let mean = sum / draws.len() as f64;
    let beyond = draws.iter().filter(|draw| draw.abs() - mean > difference.abs()).count();
    (beyond as f64 + 1.0) / (draws.len() as f64 + 1.0)
}

/// Above two thousand examples, the number of exchanges is reduced to bound the time.
const WORK: usize = 20_000_000;

/// The share of exchanges with at least the observed distance. The observation counts as one exchange.
fn permuted(metric: &dyn CorpusMetric, systems: &[CorpusCounts; 2], units: &Units, seed: u64) -> f64 {
    let [first, second] = systems.each_ref().map(CorpusCounts::total);
    let observed = f64::abs(metric.value(&second) - metric.value(&first));
    // The change of one system's sums by an exchange; the other's is its negative.
    let mut exchanges = Vec::new();
    for unit in 0..units.count() as u32 {
        let [first, second] = systems.each_ref().map(|counts| counts.sum(units.rows_of(unit)));
        if first != second {
            exchanges.extend(second.iter().zip(&first).map(|(second, first)| second - first));
        }
    }
    let width = first.len().max(1);
    let trials = draws(exchanges.len() / width, WORK);
    let mut random = Random::new(seed);
    let mut as_far = 1;
    for _ in 0..trials {
        let (mut one, mut other) = (first.clone(), second.clone());
        let mut bits = 0;
        for (number, exchange) in exchanges.chunks_exact(width).enumerate() {
            if number % 64 == 0 {
                bits = random.bits();
            }
            if bits & 1 == 1 {
                for ((one, other), moved) in one.iter_mut().zip(&mut other).zip(exchange) {
                    *one += moved;
                    *other -= moved;
                }
            }
            bits >>= 1;
        }
        // Values that are equal in exact arithmetic may differ by rounding.
        let distance = f64::abs(metric.value(&other) - metric.value(&one));
        as_far += usize::from(distance >= observed - 1e-12);
    }
    as_far as f64 / (trials + 1) as f64
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::metrics::text::ter::TerConfig;

    const SETTINGS: Settings = Settings { level: 0.95, seed: 1 };
    const TER: TerConfig = TerConfig { normalized: false, no_punct: false, asian_support: false };

    fn compared(pairs: &[(&str, &str)], test: CorpusTest) -> CorpusDifference {
        fn row(output: &str) -> Row<'_> {
            Row { output, references: &["a b c d"] }
        }
        let first: Vec<Row<'_>> = pairs.iter().map(|(one, _)| row(one)).collect();
        let second: Vec<Row<'_>> = pairs.iter().map(|(_, other)| row(other)).collect();
        let examples: Vec<u32> = (0..pairs.len() as u32).collect();
        corpus_difference(TextMetric::Ter(TER), &first, &second, &Units::of(&examples), test, SETTINGS)
            .unwrap()
    }

    #[test]
    fn systems_that_answer_alike_do_not_differ() {
        for test in [CorpusTest::PairedPermutation, CorpusTest::PairedBootstrap] {
            let found = compared(&[("a b c d", "a b c d"), ("a b", "a b"), ("x", "x")], test);
            assert_eq!((found.p_value, found.interval), (1.0, None));
            assert_eq!(compared(&[("a b c d", "x")], test).p_value, 1.0);
        }
    }

    #[test]
    fn few_exchanges_prove_little() {
        // Two of the four ways to exchange two answers are as far apart as the observation.
        let found = compared(
            &[("a b c d", "x"), ("a b c d", "x"), ("a b", "a b"), ("a", "a")],
            CorpusTest::PairedPermutation,
        );
        assert!((found.p_value - 0.5).abs() < 0.02, "{}", found.p_value);
        assert_eq!((found.first, found.second), (5.0 / 16.0, 13.0 / 16.0));
        assert!(found.interval.is_some_and(|interval| interval.low <= 0.0));
    }

    #[test]
    fn twelve_better_rows_are_significant() {
        let pairs = [("a b c d", "x"); 12];
        assert!(compared(&pairs, CorpusTest::PairedPermutation).p_value < 0.002);
    }
}
