//! N-grams of several texts, as numbers: equal ones have the same.

use crate::numbering::Numbering;

/// The n-grams of some sequences of tokens, of one length at a time.
pub struct Grams {
    tokens: Vec<Vec<u32>>,
    grams: Vec<Vec<u32>>,
    /// How many tokens an n-gram has.
    order: usize,
    /// How many different n-grams there are.
    distinct: usize,
}

impl Grams {
    /// The tokens themselves. They have numbers from 0 without gaps.
    pub fn new(tokens: Vec<Vec<u32>>) -> Self {
        let grams = tokens.clone();
        let distinct = tokens.iter().flatten().max().map_or(0, |most| *most as usize + 1);
        Self { tokens, grams, order: 1, distinct }
    }

    /// Goes on to those that are one token longer.
    pub fn lengthen(&mut self) {
        let mut numbering = Numbering::new();
        let mut distinct = 0;
        for (grams, tokens) in self.grams.iter_mut().zip(&self.tokens) {
            let longer = grams.iter().zip(tokens.iter().skip(self.order));
            let longer = longer.map(|(gram, token)| {
                let number = numbering.number(u64::from(*gram) << 32 | u64::from(*token));
                distinct = distinct.max(number + 1);
                number as u32
            });
            *grams = longer.collect();
        }
        self.order += 1;
        self.distinct = distinct;
    }

    /// How many n-grams a sequence has.
    pub fn total(&self, sequence: usize) -> usize {
        self.grams.get(sequence).map_or(0, Vec::len)
    }

    /// How many different n-grams all sequences have.
    pub fn distinct(&self) -> usize {
        self.distinct
    }

    /// How often each n-gram occurs in a sequence.
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

/// How many n-grams two sequences have in common, each as often as it is in both.
pub fn common(counts: &[u32], others: &[u32]) -> usize {
    counts.iter().zip(others).map(|(count, other)| *count.min(other) as usize).sum()
}

/// Numbers for the words of some texts.
pub fn numbered_words(texts: &[Vec<&str>]) -> Vec<Vec<u32>> {
    let mut numbering = Numbering::new();
    texts.iter().map(|words| words.iter().map(|word| numbering.number(*word) as u32).collect()).collect()
}

/// Numbers for the characters of some texts.
pub fn numbered_characters(texts: &[Vec<u32>]) -> Vec<Vec<u32>> {
    let mut numbering = Numbering::new();
    let mut number = |character: &u32| numbering.number(u64::from(*character)) as u32;
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
