//! What is scored, and how.

use super::TextScore;
use crate::error::Result;
use crate::metrics::crossed::take;

/// An output, and what it is compared with.
pub struct Row<'t> {
    /// What was answered.
    pub output: &'t str,
    /// What should have been answered: one text at least. For metrics that compare with nothing, more that was answered.
    pub references: &'t [&'t str],
}

impl<'t> Row<'t> {
    /// The output and then the references.
    pub fn texts(&self) -> impl Iterator<Item = &'t str> + '_ {
        std::iter::once(self.output).chain(self.references.iter().copied())
    }
}

/// A metric of single rows.
pub trait RowMetric {
    /// Scores a row.
    fn score(&self, row: &Row<'_>) -> Result<TextScore>;
}

/// A metric that is defined on a corpus: of counts that are summed up over its rows. A single row is a small corpus.
pub trait CorpusMetric {
    /// Appends the counts of a row. All rows have as many.
    fn count(&self, row: &Row<'_>, counts: &mut Vec<f64>) -> Result<()>;

    /// The score of counts.
    fn value(&self, counts: &[f64]) -> f64;

    /// The score with its parts.
    fn score(&self, counts: &[f64]) -> TextScore;
}

/// The rows of texts. `references` says how many references each output has; they follow it.
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
