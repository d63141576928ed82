//! Corpus scores: counts summed over all rows.

use super::row::Row;
use super::{ConfiguredMetric, TextMetric, TextScore, in_row};
use crate::error::{Error, Result};
use crate::statistics::interval::{Interval, Settings, Units, bootstrap};
use serde::Serialize;

/// The score of a corpus, with its confidence interval.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify), tsify(missing_as_null))]
pub struct CorpusScore {
    /// The score with its parts.
    pub score: TextScore,
    /// The bootstrap interval, from resampled corpora with the same number of examples.
    pub interval: Option<Interval>,
}

/// Scores a corpus. The rows of an example are adjacent.
pub fn corpus_score(
    metric: TextMetric,
    rows: &[Row<'_>],
    units: &Units,
    settings: Settings,
) -> Result<CorpusScore> {
    let ConfiguredMetric::OfCorpus(metric) = metric.configured() else {
        return Err(Error::invalid_config("the metric is not defined on a corpus"));
    };
    let mut counts = Vec::new();
    for (index, row) in rows.iter().enumerate() {
        metric.count(row, &mut counts).map_err(|error| in_row(index, rows.len(), error))?;
    }
    let width = counts.len() / rows.len().max(1);
    let all: Vec<u32> = (0..rows.len() as u32).collect();
    let interval = bootstrap(units, settings, &mut |drawn| metric.value(&summed(&counts, width, drawn)));
    Ok(CorpusScore { score: metric.score(&summed(&counts, width, &all)), interval })
}

/// The sum of the counts of some rows.
pub(super) fn summed(counts: &[f64], width: usize, rows: &[u32]) -> Vec<f64> {
    let mut sums = vec![0.0; width];
    for row in rows {
        let start = *row as usize * width;
        for (sum, count) in sums.iter_mut().zip(counts.get(start..start + width).unwrap_or_default()) {
            *sum += count;
        }
    }
    sums
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sums_are_those_of_the_rows() {
        assert_eq!(summed(&[1.0, 2.0, 10.0, 20.0, 5.0, 6.0], 2, &[1, 1, 0]), [21.0, 42.0]);
    }
}
