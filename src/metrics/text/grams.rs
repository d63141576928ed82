//! N-grams of several texts as integers; equal n-grams have equal integers.

use crate::interner::Interner;

/// The n-grams of some token sequences, of one order at a time.
pub struct Grams {
    tokens: Vec<Vec<u32>>,
    grams: Vec<Vec<u32>>,
    /// The number of tokens in an n-gram.
    order: usize,
    /// The number of distinct n-grams.
    distinct: usize,
}

impl Grams {
    /// N-grams of order 1, from token ids without gaps from 0 on.
    pub fn new(tokens: Vec<Vec<u32>>) -> Self {
        let grams = tokens.clone();
        let distinct = tokens.iter().flatten().max().map_or(0, |most| *most as usize + 1);
        Self { tokens, grams, order: 1, distinct }
    }

    /// Moves on to the next order.
    pub fn lengthen(&mut self) {
        let mut interner = Interner::new();
        let mut distinct = 0;
        for (grams, tokens) in self.grams.iter_mut().zip(&self.tokens) {
            let longer = grams.iter().zip(tokens.iter().skip(self.order));
            let longer = longer.map(|(gram, token)| {
                let number = interner.intern(u64::from(*gram) << 32 | u64::from(*token));
                distinct = distinct.max(number + 1);
                number as u32
            });
            *grams = longer.collect();
        }
        self.order += 1;
        self.distinct = distinct;
    }

    /// The number of n-grams in a sequence.
    pub fn total(&self, sequence: usize) -> usize {
        self.grams.get(sequence).map_or(0, Vec::len)
    }

    /// The number of distinct n-grams in all sequences.
    pub fn distinct(&self) -> usize {
        self.distinct
    }

    /// The frequency of each n-gram in a sequence.
    pub fn counts(&self, sequence: usize) -> Vec<u32> {
        let mut counts = vec![0; self.distinct];
        for gram in self.grams.get(sequence).into_iter().flatten() {
            if let Some(count) = counts.get_mut(*gram as usize) {
                *count += 1;
            }
        }
        counts
    }
}

/// The size of the multiset intersection of two sequences' n-grams.
pub fn common(counts: &[u32], others: &[u32]) -> usize {
    counts.iter().zip(others).map(|(count, other)| *count.min(other) as usize).sum()
}

/// Ids for the words of some texts.
pub fn numbered_words(texts: &[Vec<&str>]) -> Vec<Vec<u32>> {
    let mut interner = Interner::new();
    texts.iter().map(|words| words.iter().map(|word| interner.intern(*word) as u32).collect()).collect()
}

/// Ids for the characters of some texts.
pub fn numbered_characters(texts: &[Vec<u32>]) -> Vec<Vec<u32>> {
    let mut interner = Interner::new();
    let mut number = |character: &u32| interner.intern(u64::from(*character)) as u32;
    texts.iter().map(|text| text.iter().map(&mut number).collect()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn grams_are_counted_by_length() {
        let texts = ["a b a b", "b a b", "c"].map(|text| text.split(' ').collect::<Vec<_>>());
        let mut grams = Grams::new(numbered_words(&texts));
        let found = |grams: &Grams| {
            let counts = [0, 1, 2].map(|sequence| grams.counts(sequence));
            let [first, second, third] = &counts;
            (grams.total(0), common(first, second), common(first, third))
        };
        assert_eq!(found(&grams), (4, 3, 0));
        grams.lengthen();
        assert_eq!(found(&grams), (3, 2, 0));
        grams.lengthen();
        assert_eq!(found(&grams), (2, 1, 0));
        grams.lengthen();
        assert_eq!(found(&grams), (1, 0, 0));
        grams.lengthen();
        assert_eq!(found(&grams), (0, 0, 0));
    }
}
