//! Whether two systems differ over a corpus.

use super::corpus::summed;
use super::row::{CorpusMetric, Row};
use super::{Made, TextMetric, in_row};
use crate::error::{Error, Result};
use crate::statistics::interval::{Interval, Settings, Units, bootstrap, times};
use crate::statistics::random::Random;
use serde::{Deserialize, Serialize};

/// How sure one is of a difference of corpora.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
pub enum CorpusTest {
    /// How often the systems are as far apart once their answers are exchanged at random, example by example
    /// (approximate randomization: Riezler and Maxwell, *On some pitfalls in automatic evaluation and significance testing
    /// for MT*, 2005). Two-sided.
    PairedPermutation,
    /// How often a corpus of examples drawn again is off the mean of such by more than the difference (Koehn,
    /// *Statistical significance tests for machine translation evaluation*, 2004), as sacrebleu counts it.
    PairedBootstrap,
}

/// How two systems differ over a corpus.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify), tsify(missing_as_null))]
pub struct CorpusDifference {
    /// The score of the first.
    pub first: f64,
    /// The score of the second.
    pub second: f64,
    /// Where the difference of the second and the first may well be: of corpora of as many examples, drawn again for both.
    pub interval: Option<Interval>,
    /// How likely such a difference is if there is none in truth.
    pub p_value: f64,
}

/// Compares two systems. Row by row they answer the same; the rows of an example follow each other.
pub fn corpus_difference(
    metric: TextMetric,
    first: &[Row<'_>],
    second: &[Row<'_>],
    units: &Units,
    test: CorpusTest,
    settings: Settings,
) -> Result<CorpusDifference> {
    let Made::OfCorpus(metric) = metric.made() else {
        return Err(Error::invalid_config("the metric is not defined on a corpus"));
    };
    let systems = [counted(&*metric, first)?, counted(&*metric, second)?];
    let width = systems.iter().map(Vec::len).max().unwrap_or_default() / units.rows().max(1);
    let values = |drawn: &[u32]| systems.each_ref().map(|counts| metric.value(&summed(counts, width, drawn)));
    let all: Vec<u32> = (0..units.rows() as u32).collect();
    let [from, to] = values(&all);
    let difference = to - from;
    let mut draws = Vec::new();
    let interval = bootstrap(units, settings, &mut |drawn| {
        let [from, to] = values(drawn);
        draws.push(to - from);
        to - from
    });
    Ok(match test {
        CorpusTest::PairedBootstrap => {
            CorpusDifference { first: from, second: to, interval, p_value: bootstrapped(&draws, difference) }
        }
        CorpusTest::PairedPermutation => {
            let p_value = permuted(&*metric, &systems, width, units, settings.seed);
            let interval = interval.map(|interval| interval.agreeing(difference, p_value));
            CorpusDifference { first: from, second: to, interval, p_value }
        }
    })
}

/// The counts of all rows.
fn counted(metric: &dyn CorpusMetric, rows: &[Row<'_>]) -> Result<Vec<f64>> {
    let mut counts = Vec::new();
    for (index, row) in rows.iter().enumerate() {
        metric.count(row, &mut counts).map_err(|error| in_row(index, rows.len(), error))?;
    }
    Ok(counts)
}

/// The share of draws whose distance is above their mean distance by more than the difference, which is one of them.
fn bootstrapped(draws: &[f64], difference: f64) -> f64 {
    let sum: f64 = draws.iter().map(|draw| draw.abs()).sum();
    // Systems that answer alike do not differ, by chance or otherwise; nor can a single example tell.
    if sum == 0.0 {
        return 1.0;
    }
    let mean = sum / draws.len() as f64;
    let beyond = draws.iter().filter(|draw| draw.abs() - mean > difference.abs()).count();
    (beyond as f64 + 1.0) / (draws.len() as f64 + 1.0)
}

/// Exchanges are drawn less often where there are more than two thousand examples to exchange.
const WORK: usize = 20_000_000;

/// The share of exchanges after which the systems are at least as far apart, of which what was observed is one.
fn permuted(
    metric: &dyn CorpusMetric,
    systems: &[Vec<f64>; 2],
    width: usize,
    units: &Units,
    seed: u64,
) -> f64 {
    let all: Vec<u32> = (0..units.rows() as u32).collect();
    let [first, second] = systems.each_ref().map(|counts| summed(counts, width, &all));
    let observed = f64::abs(metric.value(&second) - metric.value(&first));
    // What an exchange takes from the one and gives to the other.
    let mut exchanges = Vec::new();
    let mut rows: Vec<u32> = Vec::new();
    for unit in 0..units.count() {
        let start = rows.last().map_or(0, |last| last + 1);
        rows = (start..start + units.size(unit) as u32).collect();
        let [first, second] = systems.each_ref().map(|counts| summed(counts, width, &rows));
        if first != second {
            exchanges.extend(second.iter().zip(&first).map(|(second, first)| second - first));
        }
    }
    let count = exchanges.len() / width.max(1);
    let trials = times(count, WORK);
    let mut random = Random::new(seed);
    let mut as_far = 1;
    for _ in 0..trials {
        let (mut one, mut other) = (first.clone(), second.clone());
        let mut bits = 0;
        for (number, exchange) in exchanges.chunks_exact(width.max(1)).enumerate() {
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
        // What is equal in exact arithmetic is rounded differently.
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
        // Of four ways to exchange two answers, two are as far apart as what was observed.
        let found = compared(
            &[("a b c d", "x"), ("a b c d", "x"), ("a b", "a b"), ("a", "a")],
            CorpusTest::PairedPermutation,
        );
        assert!((found.p_value - 0.5).abs() < 0.02, "{}", found.p_value);
        assert_eq!((found.first, found.second), (5.0 / 16.0, 13.0 / 16.0));
        assert!(found.interval.is_some_and(|interval| interval.low <= 0.0));
    }

    #[test]
    fn many_leave_no_doubt() {
        let pairs = [("a b c d", "x"); 12];
        assert!(compared(&pairs, CorpusTest::PairedPermutation).p_value < 0.002);
    }
}
