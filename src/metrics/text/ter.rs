//! TER (Snover et al., *A study of translation edit rate with targeted human annotation*, 2006) as sacrebleu 2.6 computes
//! it, which does as Tercom does.

use super::TextScore;
use super::band::{Band, Table};
use super::cells::too_long;
use super::characters::{is_space, words};
use super::grams::numbered_words;
use super::row::{CorpusMetric, Row};
use super::tokenize::{around, unescaped, western};
use crate::error::Result;
use crate::scale::{Scales, ScoreScale};
use crate::text::replace;
use serde::{Deserialize, Serialize};

/// What its scores mean, by the keys of results.
pub const SCALES: &Scales =
    &[("ter", ScoreScale::errors("edits per word")), ("corpus_ter", ScoreScale::errors("edits per word"))];

/// How TER is computed.
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
pub struct TerConfig {
    /// Whether punctuation is made words of its own.
    pub normalized: bool,
    /// Whether punctuation counts for nothing.
    pub no_punct: bool,
    /// Whether both hold for the characters of Asian languages, too.
    pub asian_support: bool,
}

/// A translation edit rate, and its parts. Lower is better.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
pub struct TerScore {
    /// The rate, from 0; where the output is longer than the reference, it may be above 1.
    pub score: f64,
    /// How many edits make the reference of the output, a phrase that moves being one; of several, of the nearest.
    pub edits: f64,
    /// How many words the reference has; of several, the mean.
    pub reference_length: f64,
}

/// TER, ready to score.
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
        // sacrebleu prepares references twice, which makes a difference where the end of a word has become its own.
        let references = row.references.iter().map(|text| self.separated(&joined(&self.separated(text))));
        let separated: Vec<String> = std::iter::once(self.separated(row.output)).chain(references).collect();
        let tokens: Vec<Vec<&str>> = separated.iter().map(|text| words(text).collect()).collect();
        let numbers = numbered_words(&tokens);
        let Some((output, references)) = numbers.split_first() else { return Ok(()) };
        let work: usize = references.iter().map(|reference| Band::new(reference, output.len()).cells()).sum();
        if work > MOST_CELLS {
            let longest = references.iter().map(Vec::len).max().unwrap_or_default();
            return Err(too_long(output.len(), longest, work, MOST_CELLS));
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

/// The words of a text with one space between them.
fn joined(text: &str) -> String {
    words(text).collect::<Vec<_>>().join(" ")
}

/// What Tercom takes for Asian: each character is a word. One of its ranges ends later than it was meant to.
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

/// How long a phrase may be that moves.
const LONGEST_SHIFT: usize = 10;
/// How far it may move.
const FARTHEST_SHIFT: usize = 50;
/// How many ways of moving phrases are tried.
const MOST_CANDIDATES: usize = 1000;
/// How many cells a table may have, which is filled for each of the ways: more would take longer than a few seconds, and
/// nothing can interrupt it.
const MOST_CELLS: usize = 400_000;

/// The fewest edits that are found, those of phrases that move included.
fn edits(output: &[u32], reference: &[u32]) -> usize {
    if reference.is_empty() {
        return output.len();
    }
    let mut words = output.to_vec();
    let mut shifts = 0;
    let mut candidates = 0;
    loop {
        let mut table = Table::new(reference, words.len());
        table.fill(&words, 0);
        let best = best_shift(&words, reference, &table, &mut candidates);
        match best {
            Some(shift) if candidates < MOST_CANDIDATES && shift.gain > 0 => {
                shifts += 1;
                words = shift.words;
            }
            _ => return shifts + table.distance() as usize,
        }
    }
}

/// A phrase that moves.
struct Shift {
    /// How many edits it saves.
    gain: i64,
    length: usize,
    start: usize,
    target: usize,
    /// What comes of it.
    words: Vec<u32>,
}

impl Shift {
    /// The larger, the better.
    fn rank(&self) -> (i64, usize, std::cmp::Reverse<usize>, std::cmp::Reverse<usize>) {
        (self.gain, self.length, std::cmp::Reverse(self.start), std::cmp::Reverse(self.target))
    }
}

/// The best of the shifts of phrases that are wrong where they are, to where the reference has them and something else is.
fn best_shift(words: &[u32], reference: &[u32], table: &Table<'_>, candidates: &mut usize) -> Option<Shift> {
    let alignment = table.alignment();
    let mut candidate_table = Table::new(reference, words.len());
    let mut best: Option<Shift> = None;
    for (start, from) in words.iter().enumerate() {
        let nearest = start.saturating_sub(FARTHEST_SHIFT);
        let near = reference.iter().enumerate().take(start + FARTHEST_SHIFT + 1).skip(nearest);
        for (start_reference, to) in near {
            if from != to {
                continue;
            }
            let equal = words.iter().skip(start).zip(reference.iter().skip(start_reference));
            let most = equal.take(LONGEST_SHIFT).take_while(|(one, other)| one == other).count();
            for length in 1..=most {
                let is_wrong = |errors: &[bool], from: usize| {
                    errors.iter().skip(from).take(length).any(|is_error| *is_error)
                };
                if !is_wrong(&alignment.wrong_words, start)
                    || !is_wrong(&alignment.wrong_references, start_reference)
                    || alignment.is_within(start_reference, start, length)
                {
                    continue;
                }
                let mut before = None;
                for offset in 0..=length {
                    // Before the first word of the reference, or behind the one that its word is aligned with.
                    let target = match (start_reference + offset).checked_sub(1) {
                        None => 0,
                        Some(place) => match alignment.places.get(place) {
                            Some(place) => *place,
                            None => break,
                        },
                    };
                    if before == Some(target) {
                        continue;
                    }
                    before = Some(target);
                    let shifted = shifted(words, start, length, target);
                    let same = words.iter().zip(&shifted).take_while(|(one, other)| one == other).count();
                    candidate_table.resume(table, same);
                    candidate_table.fill(&shifted, same);
                    *candidates += 1;
                    let shift = Shift {
                        gain: i64::from(table.distance()) - i64::from(candidate_table.distance()),
                        length,
                        start,
                        target,
                        words: shifted,
                    };
                    if best.as_ref().is_none_or(|best| shift.rank() > best.rank()) {
                        best = Some(shift);
                    }
                }
                if *candidates >= MOST_CANDIDATES {
                    return best;
                }
            }
        }
    }
    best
}

/// The words with a phrase in another place.
fn shifted(words: &[u32], start: usize, length: usize, target: usize) -> Vec<u32> {
    let end = start + length;
    let phrase = words.get(start..end).unwrap_or_default();
    let mut left: Vec<u32> = words.iter().take(start).chain(words.iter().skip(end)).copied().collect();
    // A place behind the phrase is one before it, once that is gone; one within it lies as far behind.
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
