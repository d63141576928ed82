//! What is scored, and how.

use super::TextScore;
use crate::error::Result;

/// An output, and what it is compared with.
pub struct Row<'t> {
    /// What was answered.
    pub output: &'t str,
    /// What should have been answered: one text at least. For metrics that compare with nothing, more that was answered.
    pub references: Vec<&'t str>,
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

/// Texts that have crossed as one, with a line feed between them.
///
/// Their lengths are counted as JavaScript does, in UTF-16 code units. `references` says how many references each output
/// has; they follow it.
pub fn rows<'t>(mut text: &'t str, lengths: &[u32], references: &[u32]) -> Vec<Row<'t>> {
    // Where all characters are ASCII, lengths are those in bytes.
    let is_ascii = text.is_ascii();
    let mut lengths = lengths.iter();
    let mut next = || {
        let length = lengths.next().map_or(0, |length| *length as usize);
        let bytes = if is_ascii { length } else { bytes_of(text, length) };
        let (own, rest) = text.split_at_checked(bytes).unwrap_or((text, ""));
        text = rest.strip_prefix('\n').unwrap_or(rest);
        own
    };
    let row = |count: &u32| Row { output: next(), references: (0..*count).map(|_| next()).collect() };
    references.iter().map(row).collect()
}

/// How many bytes some code units of UTF-16 take.
fn bytes_of(text: &str, units: usize) -> usize {
    let (mut bytes, mut seen) = (0, 0);
    for character in text.chars() {
        if seen >= units {
            break;
        }
        seen += character.len_utf16();
        bytes += character.len_utf8();
    }
    bytes
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_taken_apart() {
        let rows = rows("a\n\n😀é\n\nb\nc", &[1, 0, 3, 0, 1, 1], &[2, 2]);
        let texts: Vec<Vec<&str>> = rows.iter().map(|row| row.texts().collect()).collect();
        assert_eq!(texts, [vec!["a", "", "😀é"], vec!["", "b", "c"]]);
    }
}
