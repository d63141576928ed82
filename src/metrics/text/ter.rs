//! TER (Snover et al., *A study of translation edit rate with targeted human annotation*, 2006), as in
//! sacrebleu 2.6, which follows Tercom.

use super::TextScore;
use super::band::{Band, BandedTable};
use super::cells::too_long;
use super::characters::{is_space, words};
use super::grams::numbered_words;
use super::row::{CorpusMetric, Row};
use super::tokenize::{around, unescaped, western};
use crate::error::Result;
use crate::scale::{Scales, ScoreScale};
use crate::text::replace;
use serde::{Deserialize, Serialize};

/// The score scales, by result key.
pub const SCALES: &Scales =
    &[("ter", ScoreScale::errors("edits per word")), ("corpus_ter", ScoreScale::errors("edits per word"))];

/// The options of TER.
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
pub struct TerConfig {
    /// Whether punctuation is tokenized.
    pub normalized: bool,
    /// Whether punctuation is removed.
    pub no_punct: bool,
    /// Whether both options also apply to Asian characters.
    pub asian_support: bool,
}

/// A translation edit rate with its parts. Lower is better.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
pub struct TerScore {
    /// The rate, from 0. It may exceed 1 if the output is longer than the reference.
    pub score: f64,
    /// The edits from output to reference, where a shift of a phrase is one edit; of several references, the
    /// closest one.
    pub edits: f64,
    /// The number of words in the reference; of several references, the mean.
    pub reference_length: f64,
}

/// A configured TER.
pub struct Ter(pub TerConfig);

impl Ter {
    /// The text with white space between words.
    fn separated(&self, text: &str) -> String {
        let TerConfig { normalized, no_punct, asian_support } = self.0;
        let mut text = text.trim_end_matches(is_space).to_owned();
        if normalized {
            text = unescaped(&replace(&replace(&text, "\n-", ""), "\n", " "));
            text = western(&[" ", &text, " "].concat(), &|text| replace(&text, "'s ", " 's "));
            if asian_support {
                text = around(&text, |character| is_asian(character) || is_asian_punctuation(character));
            }
        }
        if no_punct {
            text.retain(|character| {
                !matches!(character, '.' | ',' | '?' | ':' | ';' | '!' | '"' | '(' | ')')
            });
            if asian_support {
                text.retain(|character| !is_asian_punctuation(character));
            }
        }
        text
    }
}

impl CorpusMetric for Ter {
    fn count(&self, row: &Row<'_>, counts: &mut Vec<f64>) -> Result<()> {
        // sacrebleu preprocesses references twice, which differs if the first pass separated the end of a
        // word.
        let references = row.references.iter().map(|text| self.separated(&joined(&self.separated(text))));
        let separated: Vec<String> = std::iter::once(self.separated(row.output)).chain(references).collect();
        let tokens: Vec<Vec<&str>> = separated.iter().map(|text| words(text).collect()).collect();
        let numbers = numbered_words(&tokens);
        let Some((output, references)) = numbers.split_first() else { return Ok(()) };
        let work: usize = references.iter().map(|reference| Band::new(reference, output.len()).cells()).sum();
        if work > MAX_CELLS {
            let longest = references.iter().map(Vec::len).max().unwrap_or_default();
            return Err(too_long(output.len(), longest, work as u64, MAX_CELLS));
        }
        let least = references.iter().map(|reference| edits(output, reference)).min().unwrap_or_default();
        let length: usize = references.iter().map(Vec::len).sum();
        counts.extend([least as f64, length as f64 / references.len().max(1) as f64]);
        Ok(())
    }

    fn value(&self, counts: &[f64]) -> f64 {
        match *counts {
            [edits, length] if length > 0.0 => edits / length,
            [edits, _] if edits > 0.0 => 1.0,
            _ => 0.0,
        }
    }

    fn score(&self, counts: &[f64]) -> TextScore {
        let at = |place: usize| counts.get(place).copied().unwrap_or_default();
        TextScore::Ter(TerScore { score: self.value(counts), edits: at(0), reference_length: at(1) })
    }
}

/// The words of a text, joined with single spaces.
fn joined(text: &str) -> String {
    words(text).collect::<Vec<_>>().join(" ")
}

/// The characters that Tercom treats as Asian, each of which is a word. One of its ranges is longer than
/// intended.
fn is_asian(character: char) -> bool {
    matches!(character,
        '\u{2e80}'..='\u{2eff}' | '\u{31c0}'..='\u{31ef}' | '\u{3200}'..='\u{4dbf}' | '\u{4e00}'..='\u{9fff}'
        | '\u{f900}'..='\u{faff}' | '\u{fe30}'..='\u{fe4f}')
}

fn is_asian_punctuation(character: char) -> bool {
    matches!(character,
        '\u{3001}' | '\u{3002}' | '\u{3008}'..='\u{3011}' | '\u{3014}'..='\u{301f}' | '\u{30fb}'
        | '\u{ff01}' | '\u{ff02}' | '\u{ff08}' | '\u{ff09}' | '\u{ff0c}' | '\u{ff0e}' | '\u{ff1a}' | '\u{ff1b}'
        | '\u{ff1f}' | '\u{ff61}'..='\u{ff65}')
}

/// The longest phrase that can be shifted, in words.
const MAX_SHIFT: usize = 10;
/// The largest distance of a shift, in words.
const FARTHEST_SHIFT: usize = 50;
/// The most shifts to try.
const MAX_CANDIDATES: usize = 1000;
/// The most cells of a table, which is filled for each shift. More would take longer than a few seconds, and
/// nothing can interrupt it.
const MAX_CELLS: usize = 400_000;

/// The number of edits, including shifts, that the greedy search finds.
fn edits(output: &[u32], reference: &[u32]) -> usize {
    if reference.is_empty() {
        return output.len();
    }
    let mut words = output.to_vec();
    let mut shifts = 0;
    let mut candidates = 0;
    loop {
        let mut table = BandedTable::new(reference, words.len());
        table.fill(&words, 0);
        let best = best_shift(&words, reference, &table, &mut candidates);
        match best {
            Some(shift) if candidates < MAX_CANDIDATES && shift.gain > 0 => {
                shifts += 1;
                words = shift.words;
            }
            _ => return shifts + table.distance() as usize,
        }
    }
}

/// A shift of a phrase.
struct Shift {
    /// The number of edits that it saves.
    gain: i64,
    length: usize,
    start: usize,
    target: usize,
    /// The words after the shift.
    words: Vec<u32>,
}

impl Shift {
    /// The ranking of shifts; higher is better.
    fn rank(&self) -> (i64, usize, std::cmp::Reverse<usize>, std::cmp::Reverse<usize>) {
        (self.gain, self.length, std::cmp::Reverse(self.start), std::cmp::Reverse(self.target))
    }
}

/// The best shift of a misplaced phrase to a place where the reference has it and the output has other words.
fn best_shift(
    words: &[u32],
    reference: &[u32],
    table: &BandedTable<'_>,
    candidates: &mut usize,
) -> Option<Shift> {
    let alignment = table.alignment();
    let mut candidate_table = BandedTable::new(reference, words.len());
    let mut best: Option<Shift> = None;
    for start in 0..words.len() {
        let near = start.saturating_sub(FARTHEST_SHIFT)..(start + FARTHEST_SHIFT + 1).min(reference.len());
        for start_reference in near {
            for length in 1..=common_length(words, start, reference, start_reference) {
                if !alignment.has_edits(start, start_reference, length)
                    || alignment.is_within(start_reference, start, length)
                {
                    continue;
                }
                for target in alignment.targets(start_reference, length) {
                    let shifted = shifted(words, start, length, target);
                    let same = words.iter().zip(&shifted).take_while(|(one, other)| one == other).count();
                    candidate_table.resume(table, same);
                    candidate_table.fill(&shifted, same);
                    *candidates += 1;
                    let gain = i64::from(table.distance()) - i64::from(candidate_table.distance());
                    let shift = Shift { gain, length, start, target, words: shifted };
                    if best.as_ref().is_none_or(|best| shift.rank() > best.rank()) {
                        best = Some(shift);
                    }
                }
                if *candidates >= MAX_CANDIDATES {
                    return best;
                }
            }
        }
    }
    best
}

/// The length of the longest phrase that begins at these positions of both texts and can be shifted.
fn common_length(words: &[u32], start: usize, reference: &[u32], start_reference: usize) -> usize {
    let equal = words.iter().skip(start).zip(reference.iter().skip(start_reference));
    equal.take(MAX_SHIFT).take_while(|(one, other)| one == other).count()
}

/// The words with a phrase moved to another position.
fn shifted(words: &[u32], start: usize, length: usize, target: usize) -> Vec<u32> {
    let end = start + length;
    let phrase = words.get(start..end).unwrap_or_default();
    let mut left: Vec<u32> = words.iter().take(start).chain(words.iter().skip(end)).copied().collect();
    // A target after the phrase moves back by the phrase's length; a target within it keeps its offset.
    let place = if target < start {
        target
    } else if target > end {
        target - length
    } else {
        target
    };
    let place = place.min(left.len());
    left.splice(place..place, phrase.iter().copied());
    left
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn phrases_move_at_once() {
        let numbers = |text: &str| text.bytes().map(u32::from).collect::<Vec<_>>();
        for (output, reference, expected) in [
            ("abcdefg", "efgabcd", 1),
            ("abc", "abd", 1),
            ("", "ab", 2),
            ("ab", "", 2),
            ("abcxyz", "xbcayz", 2),
        ] {
            assert_eq!(edits(&numbers(output), &numbers(reference)), expected, "{output} {reference}");
        }
    }
}
