//! Rows to score, and the traits of metrics.

use super::TextScore;
use crate::error::Result;
use crate::metrics::packed::take;

/// An output with its references.
pub struct Row<'t> {
    /// The output to score.
    pub output: &'t str,
    /// The references, at least one. For metrics without references, further outputs.
    pub references: &'t [&'t str],
}

impl<'t> Row<'t> {
    /// The output, followed by the references.
    pub fn texts(&self) -> impl Iterator<Item = &'t str> + '_ {
        std::iter::once(self.output).chain(self.references.iter().copied())
    }
}

/// A metric of single rows.
pub trait RowMetric {
    /// Scores a row.
    fn score(&self, row: &Row<'_>) -> Result<TextScore>;
}

/// A metric of corpora: of counts that are summed over all rows. A single row is a corpus of one.
pub trait CorpusMetric {
    /// Appends the counts of a row. All rows have the same number of counts.
    fn count(&self, row: &Row<'_>, counts: &mut Vec<f64>) -> Result<()>;

    /// The score of summed counts.
    fn value(&self, counts: &[f64]) -> f64;

    /// The score of summed counts, with its parts.
    fn score(&self, counts: &[f64]) -> TextScore;
}

/// Groups texts into rows. `references` has the number of references after each output.
pub fn rows<'t>(mut texts: &'t [&'t str], references: &[u32]) -> Vec<Row<'t>> {
    let row = |count: &u32| Row {
        output: take(&mut texts, 1).first().copied().unwrap_or_default(),
        references: take(&mut texts, *count),
    };
    references.iter().map(row).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn references_follow_their_output() {
        let rows = rows(&["a", "", "b", "c", "d", "e"], &[2, 0, 1]);
        let texts: Vec<Vec<&str>> = rows.iter().map(|row| row.texts().collect()).collect();
        assert_eq!(texts, [vec!["a", "", "b"], vec!["c"], vec!["d", "e"]]);
    }
}
