//! Levenshtein similarity: 1 minus the edit distance over the length of the longer text.
//!
//! Texts are compared as UTF-16 code units, as in JavaScript.

use super::edit_distance::edit_distance;
use crate::error::{Error, Result};
use crate::scale::{Scales, ScoreScale};
use crate::text::find;

/// The score scales, by result key.
pub const SCALES: &Scales = &[("levenshtein_distance", ScoreScale::SHARE)];

/// The similarity of two texts, from 0 (nothing in common) to 1 (equal, or both empty). An error if the
/// table, the product of the lengths without common ends, has more than `max_cells` cells.
///
/// `None` if a text has U+FFFD, which may replace a lone surrogate from JavaScript: then the caller has to
/// use [`similarity_utf16`].
pub fn similarity(outputs: &str, reference_outputs: &str, max_cells: f64) -> Result<Option<f64>> {
    if outputs.is_ascii() && reference_outputs.is_ascii() {
        return normalized(outputs.as_bytes(), reference_outputs.as_bytes(), max_cells).map(Some);
    }
    if [outputs, reference_outputs].iter().any(|text| find(text, "\u{FFFD}").is_some()) {
        return Ok(None);
    }
    let units = |text: &str| text.encode_utf16().collect::<Vec<_>>();
    similarity_utf16(&units(outputs), &units(reference_outputs), max_cells).map(Some)
}

/// The similarity of two texts given as UTF-16 code units.
pub fn similarity_utf16(outputs: &[u16], reference_outputs: &[u16], max_cells: f64) -> Result<f64> {
    normalized(outputs, reference_outputs, max_cells)
}

/// The similarity of each pair of consecutive texts, which are concatenated in `units` with their `lengths`.
pub fn similarity_batch(units: &[u16], lengths: &[u32], max_cells: f64) -> Result<Vec<f64>> {
    let mut rest = units;
    let mut take = |length: &u32| {
        let (text, after) = rest.split_at_checked(*length as usize)?;
        rest = after;
        Some(text)
    };
    let texts: Option<Vec<_>> = lengths.iter().map(&mut take).collect();
    let texts = texts.ok_or_else(|| Error::invalid_input("the lengths do not add up to the text"))?;
    let (pairs, _) = texts.as_chunks::<2>();
    let score = |(row, [outputs, reference_outputs]): (usize, &[&[u16]; 2])| {
        normalized(outputs, reference_outputs, max_cells).map_err(|error| error.at(&format!("rows[{row}]")))
    };
    pairs.iter().enumerate().map(score).collect()
}

fn normalized<T: Copy + Eq + Into<u16>>(a: &[T], b: &[T], max_cells: f64) -> Result<f64> {
    let longest = a.len().max(b.len());
    if longest == 0 {
        return Ok(1.0);
    }
    let distance = edit_distance(a, b, max_cells).map_err(|(a, b)| {
        let (cells, limit) = (a as u64 * b as u64, max_cells as u64);
        Error::invalid_input(format!(
            "without their common ends, the texts have {a} and {b} characters, which need {cells} cells; the limit is \
             {limit}. Raise it with createLevenshteinEvaluator({{ maxCells }})"
        ))
    })?;
    Ok(1.0 - distance as f64 / longest as f64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn by_hand() {
        assert_eq!(similarity("", "", f64::MAX), Ok(Some(1.0)));
        assert_eq!(similarity("", "abc", f64::MAX), Ok(Some(0.0)));
        assert_eq!(similarity("abc", "abc", f64::MAX), Ok(Some(1.0)));
        // Two substitutions and one insertion; the longer text has seven characters.
        assert_eq!(similarity("kitten", "sitting", f64::MAX), Ok(Some(1.0 - 3.0 / 7.0)));
        // An emoji is two code units, an e with a combining accent is two, a precomposed é is one.
        assert_eq!(similarity("a😀", "a", f64::MAX), Ok(Some(1.0 - 2.0 / 3.0)));
        assert_eq!(similarity("e\u{301}", "é", f64::MAX), Ok(Some(0.0)));
    }

    #[test]
    fn lone_surrogates_need_code_units() {
        assert_eq!(similarity("\u{FFFD}", "x", f64::MAX), Ok(None));
        assert_eq!(similarity_utf16(&[0xD800], &[0xD801], f64::MAX), Ok(0.0));
    }

    #[test]
    fn a_batch_is_its_pairs() {
        let units: Vec<u16> = "kittensittingabab".encode_utf16().collect();
        assert_eq!(similarity_batch(&units, &[6, 7, 2, 2], f64::MAX), Ok(vec![1.0 - 3.0 / 7.0, 1.0]));
        // Without common ends, the second row has 42 cells.
        let error = similarity_batch(&units, &[2, 2, 6, 7], 41.0).unwrap_err();
        assert!(error.message.starts_with("rows[1]: "), "{}", error.message);
        assert!(similarity_batch(&units, &[6, 70], f64::MAX).is_err());
    }
}
