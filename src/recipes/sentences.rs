//! The sentences of an answer, which is Markdown, so that claims can be taken from each.
//!
//! `blocks` finds what ends a sentence without a stop: an empty line, a heading, an item of a list, the row of a
//! table, a block of code; `outline` tells what each of these stands under. `stops` finds the ends within the prose of a block, with the help of `words`, which knows
//! abbreviations. A break too few is better than one too many: a model takes two claims from one sentence, but none
//! from half a sentence. So what is doubtful goes on.

mod blocks;
mod outline;
mod stops;
mod words;

use outline::Outline;
pub use outline::Place;

/// A sentence, or what stands for one: a heading, the row of a table (the header with the line below it), a block of
/// code. A list marker belongs to its item.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Sentence<'t> {
    /// The sentence, without the white space around it. Never empty.
    pub text: &'t str,
    /// Where it begins in the whole text, in UTF-16 code units, which is what strings have in JavaScript.
    pub start: usize,
    /// Where it ends, likewise: `text.slice(start, end)` is the sentence.
    pub end: usize,
    /// What it stands under.
    pub place: Place,
}

impl Sentence<'_> {
    /// Whether it has a letter or a digit. A line between paragraphs or a lone emoji has none, and claims nothing.
    pub fn has_words(&self) -> bool {
        self.text.chars().any(words::is_word)
    }
}

/// The sentences of a text, in their order. There is only white space between them.
pub fn split(text: &str) -> Vec<Sentence<'_>> {
    // Each place in bytes and in code units.
    let (mut from, mut start) = (0, 0);
    let (mut sentences, mut ends) = (Vec::new(), Vec::new());
    let mut outline = Outline::default();
    for block in blocks::blocks(text) {
        let (prose_from, prose_to) = block.prose;
        let prose = text.get(..prose_to).unwrap_or_default().trim_end();
        stops::find_ends(prose, prose_from, &mut ends);
        // The last sentence takes with it what follows the prose.
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
    // One for each character, but two for those of four bytes.
    text.bytes().map(|byte| usize::from(byte & 0xc0 != 0x80) + usize::from(byte >= 0xf0)).sum()
}

// One copy of each of these in the binary, wherever they are called.

/// The first character; NUL if there is none.
#[inline(never)]
fn first(text: &str) -> char {
    text.chars().next().unwrap_or('\0')
}

/// The text from a place on.
#[inline(never)]
fn rest(text: &str, at: usize) -> &str {
    text.get(at..).unwrap_or_default()
}

/// Whether a character is one of these.
#[inline(never)]
fn has(set: &str, c: char) -> bool {
    set.chars().any(|other| other == c)
}

/// What is left of a text behind leading characters of a set.
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
