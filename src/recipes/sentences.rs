//! Splits an answer in Markdown into sentences, for the extraction of claims.
//!
//! `blocks` finds the ends without punctuation: empty lines, headings, list items, table rows and code
//! blocks. `outline` finds the parent of each sentence. `stops` finds the ends within the prose of a block,
//! and `words` recognizes abbreviations. In doubt, a sentence continues: a model can extract two claims from
//! one sentence, but none from half a sentence.

mod blocks;
mod outline;
mod stops;
mod words;

use outline::Outline;
pub use outline::Position;

/// A sentence or a unit in its place: a heading, a table row (the header with the line below it), a code
/// block. A list marker belongs to its item.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Sentence<'t> {
    /// The sentence, without surrounding white space. Never empty.
    pub text: &'t str,
    /// The start in the whole text, in UTF-16 code units as in JavaScript strings.
    pub start: usize,
    /// The end, exclusive: `text.slice(start, end)` is the sentence.
    pub end: usize,
    /// The position in the outline.
    pub place: Position,
}

impl Sentence<'_> {
    /// Whether the sentence has a letter or a digit. A horizontal rule or a lone emoji has none, and makes no
    /// claim.
    pub fn has_words(&self) -> bool {
        self.text.chars().any(words::is_word)
    }
}

/// The sentences of a text, in order. Only white space is between them.
pub fn split(text: &str) -> Vec<Sentence<'_>> {
    // The current position, in bytes and in code units.
    let (mut from, mut start) = (0, 0);
    let (mut sentences, mut ends) = (Vec::new(), Vec::new());
    let mut outline = Outline::default();
    for block in blocks::blocks(text) {
        let (prose_from, prose_to) = block.prose;
        let prose = text.get(..prose_to).unwrap_or_default().trim_end();
        stops::find_ends(prose, prose_from, &mut ends);
        // The last sentence includes the rest of the block after its prose.
        ends.pop_if(|end| *end == prose.len());
        ends.push(block.end);
        let mut begins = true;
        for to in ends.drain(..) {
            let part = text.get(from..to).unwrap_or_default();
            let sentence = part.trim();
            let blank = part.trim_start();
            let sentence_start = start + code_units(part) - code_units(blank);
            if !sentence.is_empty() {
                let end = sentence_start + code_units(sentence);
                let place = outline.place(&block, begins);
                sentences.push(Sentence { text: sentence, start: sentence_start, end, place });
                begins = false;
            }
            start += code_units(part);
            from = to;
        }
    }
    sentences
}

#[inline(never)]
fn code_units(text: &str) -> usize {
    // One code unit for each character, two for characters of four bytes.
    text.bytes().map(|byte| usize::from(byte & 0xc0 != 0x80) + usize::from(byte >= 0xf0)).sum()
}

// Not inlined, so that the binary has one copy of each.

/// The first character; NUL for an empty text.
#[inline(never)]
fn first(text: &str) -> char {
    text.chars().next().unwrap_or('\0')
}

/// The text from a byte index on.
#[inline(never)]
fn rest(text: &str, at: usize) -> &str {
    text.get(at..).unwrap_or_default()
}

/// Whether a set has the character.
#[inline(never)]
fn has(set: &str, c: char) -> bool {
    set.chars().any(|other| other == c)
}

/// The text without its leading characters of a set.
#[inline(never)]
fn skip<'t>(text: &'t str, set: &str) -> &'t str {
    let mut text = text;
    while has(set, first(text)) {
        text = rest(text, first(text).len_utf8());
    }
    text
}

#[cfg(test)]
mod tests;
