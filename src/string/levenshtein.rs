//! Levenshtein similarity: 1 minus the edit distance over the length of the longer text.
//!
//! Texts are compared as UTF-16 code units, which is what JavaScript calls characters.

use super::edit_distance::edit_distance;
use crate::error::{Error, Result};
use crate::text::find;

/// The similarity of two texts, from 0 (nothing in common) to 1 (equal, or both empty).
///
/// `None` when a text holds U+FFFD: it may have replaced a lone surrogate on the way from JavaScript, so the
/// caller has to come again with [`similarity_utf16`].
pub fn similarity(outputs: &str, reference_outputs: &str) -> Option<f64> {
    if outputs.is_ascii() && reference_outputs.is_ascii() {
        return Some(normalized(outputs.as_bytes(), reference_outputs.as_bytes()));
    }
    if [outputs, reference_outputs].iter().any(|text| find(text, "\u{FFFD}").is_some()) {
        return None;
    }
    let units = |text: &str| text.encode_utf16().collect::<Vec<_>>();
    Some(similarity_utf16(&units(outputs), &units(reference_outputs)))
}

/// The similarity of two texts given as UTF-16 code units.
pub fn similarity_utf16(outputs: &[u16], reference_outputs: &[u16]) -> f64 {
    normalized(outputs, reference_outputs)
}

/// The similarity of each pair of consecutive texts, which stand in `units` one after the other with their `lengths`.
pub fn similarity_batch(units: &[u16], lengths: &[u32]) -> Result<Vec<f64>> {
    let mut rest = units;
    let mut take = |length: &u32| {
        let (text, after) = rest.split_at_checked(*length as usize)?;
        rest = after;
        Some(text)
    };
    let texts: Option<Vec<_>> = lengths.iter().map(&mut take).collect();
    let texts = texts.ok_or_else(|| Error::invalid_input("the lengths do not add up to the text"))?;
    let (pairs, _) = texts.as_chunks::<2>();
    Ok(pairs.iter().map(|[outputs, reference_outputs]| normalized(outputs, reference_outputs)).collect())
}

fn normalized<T: Copy + Eq + Into<u16>>(a: &[T], b: &[T]) -> f64 {
    match a.len().max(b.len()) {
        0 => 1.0,
        longest => 1.0 - edit_distance(a, b) as f64 / longest as f64,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn by_hand() {
        assert_eq!(similarity("", ""), Some(1.0));
        assert_eq!(similarity("", "abc"), Some(0.0));
        assert_eq!(similarity("abc", "abc"), Some(1.0));
        // Two substitutions and one insertion; the longer text has seven characters.
        assert_eq!(similarity("kitten", "sitting"), Some(1.0 - 3.0 / 7.0));
        // An emoji is two code units, an e with a combining accent is two, a precomposed é is one.
        assert_eq!(similarity("a😀", "a"), Some(1.0 - 2.0 / 3.0));
        assert_eq!(similarity("e\u{301}", "é"), Some(0.0));
    }

    #[test]
    fn lone_surrogates_need_code_units() {
        assert_eq!(similarity("\u{FFFD}", "x"), None);
        assert_eq!(similarity_utf16(&[0xD800], &[0xD801]), 0.0);
    }

    #[test]
    fn a_batch_is_its_pairs() {
        let units: Vec<u16> = "kittensittingabab".encode_utf16().collect();
        assert_eq!(similarity_batch(&units, &[6, 7, 2, 2]), Ok(vec![1.0 - 3.0 / 7.0, 1.0]));
        assert!(similarity_batch(&units, &[6, 70]).is_err());
    }
}
