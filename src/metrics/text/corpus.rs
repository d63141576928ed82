//! Corpus scores: counts summed over all rows.

use super::row::{CorpusMetric, Row};
use super::{TextMetric, TextScore, in_row};
use crate::error::Result;
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
    let metric = metric.of_corpus()?;
    let counts = CorpusCounts::of(&*metric, rows)?;
    let interval = bootstrap(units, settings, &mut |drawn| metric.value(&counts.sum(drawn.iter().copied())));
    Ok(CorpusScore { score: metric.score(&counts.total()), interval })
}

/// The counts of all rows.
pub(super) struct CorpusCounts {
    counts: Vec<f64>,
    /// The number of counts of a row.
    width: usize,
    rows: u32,
}

impl CorpusCounts {
    /// Counts all rows.
    pub fn of(metric: &dyn CorpusMetric, rows: &[Row<'_>]) -> Result<Self> {
        let mut counts = Vec::new();
        for (index, row) in rows.iter().enumerate() {
            metric.count(row, &mut counts).map_err(|error| in_row(index, rows.len(), error))?;
        }
        let width = counts.len() / rows.len().max(1);
        Ok(Self { counts, width, rows: rows.len() as u32 })
    }

    /// The sum of the counts of some rows.
    pub fn sum(&self, rows: impl Iterator<Item = u32>) -> Vec<f64> {
        let mut sums = vec![0.0; self.width];
        for row in rows {
            let start = row as usize * self.width;
            let own = self.counts.get(start..start + self.width).unwrap_or_default();
            for (sum, count) in sums.iter_mut().zip(own) {
                *sum += count;
            }
        }
        sums
    }

    /// The sum of the counts of all rows.
    pub fn total(&self) -> Vec<f64> {
        self.sum(0..self.rows)
    }
}
