//! Jaro and Jaro-Winkler similarity, with positions of characters as bits.

use super::cells::{Element, MAX_CELLS, PositionBits, cells};
use crate::error::Result;
use crate::text::without_common_start;

/// Computes the similarity. Reuses its memory for the next pair of texts.
#[derive(Default)]
pub struct Jaro {
    /// The positions of each character in the second text.
    places: PositionBits,
    /// The characters of the first text that match one of the second.
    matched: Vec<u32>,
    /// The positions of the second text that are not matched yet.
    free: Vec<u64>,
}

impl Jaro {
    /// Jaro similarity (*Advances in record-linkage methodology*, 1989), from 0 to 1.
    pub fn similarity<T: Element>(&mut self, a: &[T], b: &[T]) -> Result<f64> {
        if a.is_empty() || b.is_empty() {
            return Ok(f64::from(a.is_empty() && b.is_empty()));
        }
        cells(a.len(), b.len(), MAX_CELLS)?;
        // The largest distance between matching characters.
        let window = (a.len().max(b.len()) / 2).saturating_sub(1);
        // A common prefix matches position by position, since each character takes the first free position.
        let (from, to) = without_common_start(a, b);
        self.matched.clear();
        self.places.find(to);
        match to.len() {
            0..=64 => self.match_few::<T, 1>(from, window),
            65..=128 => self.match_few::<T, 2>(from, window),
            length => self.match_many(from, length, window),
        }
        let count = (a.len() - from.len() + self.matched.len()) as f64;
        if count == 0.0 {
            return Ok(0.0);
        }
        let moved = self.out_of_order(to) / 2;
        Ok((count / a.len() as f64 + count / b.len() as f64 + (count - moved as f64) / count) / 3.0)
    }

    /// Jaro-Winkler similarity (*String comparator metrics and enhanced decision rules in the Fellegi-Sunter
    /// model of record linkage*, 1990): a common prefix of up to four characters increases the score of texts
    /// that are similar already.
    pub fn with_prefix<T: Element>(&mut self, a: &[T], b: &[T], weight: f64) -> Result<f64> {
        let similarity = self.similarity(a, b)?;
        if similarity <= 0.7 {
            return Ok(similarity);
        }
        let prefix = a.iter().zip(b).take(4).take_while(|(one, other)| one == other).count();
        Ok((similarity + prefix as f64 * weight * (1.0 - similarity)).min(1.0))
    }

    /// Matches characters with a text of at most `BLOCKS` × 64 characters.
    fn match_few<T: Element, const BLOCKS: usize>(&mut self, a: &[T], window: usize) {
        let mut free = [u64::MAX; BLOCKS];
        // The positions within the window, shifted with each character.
        let mut near = [0; BLOCKS];
        for (bits, first) in near.iter_mut().zip((0..).step_by(64)) {
            *bits = match (window + 1).saturating_sub(first) {
                count @ 0..64 => (1 << count) - 1,
                _ => u64::MAX,
            };
        }
        // Branch-free, because matches are unpredictable: an unmatched character is overwritten by the next
        // one.
        let mut count = 0;
        self.matched.resize(64 * BLOCKS + 1, 0);
        for (index, character) in a.iter().enumerate() {
            let places = self.places.of_few::<T, BLOCKS>(*character);
            let mut is_matched = false;
            for ((free, near), places) in free.iter_mut().zip(&near).zip(&places) {
                let found = if is_matched { 0 } else { places & *free & near };
                *free ^= found & found.wrapping_neg();
                is_matched |= found != 0;
            }
            if let Some(matched) = self.matched.get_mut(count) {
                *matched = (*character).into();
            }
            count += usize::from(is_matched);
            let mut carry = u64::from(index < window);
            for bits in &mut near {
                (*bits, carry) = (*bits << 1 | carry, *bits >> 63);
            }
        }
        self.matched.truncate(count);
        self.free.clear();
        self.free.extend(free);
    }

    /// Matches characters with a text of any length.
    fn match_many<T: Element>(&mut self, a: &[T], length: usize, window: usize) {
        self.free.clear();
        self.free.resize(length.div_ceil(64), u64::MAX);
        for (index, character) in a.iter().enumerate() {
            let (start, end) = (index.saturating_sub(window), (index + window + 1).min(length));
            if start >= end {
                break;
            }
            let blocks = start / 64..end.div_ceil(64);
            let places = self.places.of(*character).get(blocks.clone()).unwrap_or_default();
            let free = self.free.get_mut(blocks).unwrap_or_default();
            for ((bits, free), first) in places.iter().zip(free).zip((start & !63..).step_by(64)) {
                let mut found = bits & *free & (u64::MAX << start.saturating_sub(first));
                if end - first < 64 {
                    found &= (1 << (end - first)) - 1;
                }
                if found != 0 {
                    *free ^= found & found.wrapping_neg();
                    self.matched.push((*character).into());
                    break;
                }
            }
        }
    }

    /// The number of matching characters whose counterpart is another character.
    fn out_of_order<T: Element>(&self, b: &[T]) -> usize {
        let mut matched = self.matched.iter();
        let mut count = 0;
        for (free, characters) in self.free.iter().zip(b.chunks(64)) {
            let mut taken = !free;
            while taken != 0 {
                let other = characters.get(taken.trailing_zeros() as usize).map(|other| (*other).into());
                count += usize::from(matched.next().copied() != other);
                taken &= taken - 1;
            }
        }
        count
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// The definition, character by character.
    fn textbook(a: &[u32], b: &[u32]) -> f64 {
        if a.is_empty() || b.is_empty() {
            return f64::from(a.is_empty() && b.is_empty());
        }
        let window = (a.len().max(b.len()) / 2).saturating_sub(1);
        let mut taken = vec![false; b.len()];
        let mut matched = Vec::new();
        for (i, character) in a.iter().enumerate() {
            let near = i.saturating_sub(window)..(i + window + 1).min(b.len());
            if let Some(j) = near.into_iter().find(|j| !taken[*j] && b[*j] == *character) {
                taken[j] = true;
                matched.push(*character);
            }
        }
        if matched.is_empty() {
            return 0.0;
        }
        let others = (0..b.len()).filter(|j| taken[*j]).map(|j| b[j]);
        let moved = matched.iter().zip(others).filter(|(one, other)| *one != other).count() / 2;
        let count = matched.len() as f64;
        (count / a.len() as f64 + count / b.len() as f64 + (count - moved as f64) / count) / 3.0
    }

    prop_compose! {
        /// Texts with few distinct characters, or with more, and a common prefix.
        fn texts(longest: usize)(
            start in proptest::collection::vec(97_u32..100, 0..20),
            a in proptest::collection::vec(97_u32..101, 0..longest),
            b in proptest::collection::vec(97_u32..102, 0..longest),
        ) -> [Vec<u32>; 2] {
            [a, b].map(|end| [start.clone(), end].concat())
        }
    }

    proptest! {
        #[test]
        fn texts_agree_with_the_definition([a, b] in prop_oneof![texts(6), texts(70), texts(300)]) {
            let mut jaro = Jaro::default();
            prop_assert_eq!(jaro.similarity(&a, &b), Ok(textbook(&a, &b)));
            // A second call tests that memory from the first one has no effect.
            prop_assert_eq!(jaro.similarity(&b, &a), Ok(textbook(&b, &a)));
            let [bytes, others] = [&a, &b].map(|text| text.iter().map(|one| *one as u8).collect::<Vec<_>>());
            prop_assert_eq!(jaro.similarity(&bytes, &others), Ok(textbook(&a, &b)));
            let [far, others] = [&a, &b].map(|text| text.iter().map(|one| *one * 31).collect::<Vec<_>>());
            prop_assert_eq!(jaro.similarity(&far, &others), Ok(textbook(&a, &b)));
        }
    }

    #[test]
    fn similarities_are_those_of_the_papers() {
        let mut jaro = Jaro::default();
        for (a, b, expected) in
            [("MARTHA", "MARHTA", 0.944), ("DIXON", "DICKSONX", 0.767), ("", "", 1.0), ("a", "", 0.0)]
        {
            let found = jaro.similarity(a.as_bytes(), b.as_bytes()).unwrap();
            assert!((found - expected).abs() < 0.001, "{a} {b}: {found}");
        }
        let found = jaro.with_prefix(b"MARTHA", b"MARHTA", 0.1).unwrap();
        assert!((found - 0.961).abs() < 0.001, "{found}");
    }
}
