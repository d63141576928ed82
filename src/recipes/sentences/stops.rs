//! Finds the ends of sentences within prose.

use super::words::{ends_before_lower, is_abbreviated, is_lower, is_word};
use super::{first, has, rest, skip};

const STOPS: &str = ".!?…‼⁇⁈⁉‽。｡！？؟۔।॥။።፧։";
/// Characters that may be between a stop and the end of its sentence.
const CLOSERS: &str = "\"'”’»›)]}」』）】》〉*_~¹²³⁰⁴⁵⁶⁷⁸⁹";
/// Characters that may precede the first word of a sentence.
const OPENERS: &str = " \t\r\n\u{a0}\u{202f}\u{3000}\"'“‘„‚«»‹([{>*_~¿¡-–—#";
/// After a Japanese or Chinese quotation, these characters continue the sentence.
const GOES_ON: &str = "とっのを、，";
/// Characters that may precede a word.
const BEFORE_WORDS: &str = " \t\r\n\u{a0}\u{202f}\u{3000}([-–—";
const BLANKS: &str = " \t\u{a0}\u{202f}";
/// Opening brackets and quotation marks, with their closing counterparts.
const PAIRS: [(char, char); 12] = [
    ('"', '"'),
    ('(', ')'),
    ('[', ']'),
    ('“', '”'),
    ('„', '“'),
    ('‘', '’'),
    ('«', '»'),
    ('»', '«'),
    ('（', '）'),
    ('「', '」'),
    ('『', '』'),
    ('《', '》'),
];

/// The longest quotation or code, in bytes, that holds its sentences together. Marks that are further apart
/// are not a pair.
const LONGEST: usize = 600;

/// An open bracket or quotation mark.
struct OpenBracket {
    closer: char,
    at: usize,
    /// The number of sentences that had ended before it.
    ends: usize,
    /// Whether it is within a sentence rather than before its first word.
    is_inside: bool,
}

/// Appends the byte positions where sentences end in the prose from `from` on. The text after the last
/// position is a sentence, too.
///
/// A stop in brackets or quotation marks does not end a sentence if these are part of one: *He said (it was
/// late. He knew.) that …*. If they contain whole sentences, each counts.
pub fn find_ends(text: &str, from: usize, ends: &mut Vec<usize>) {
    let mut opened: Vec<OpenBracket> = Vec::new();
    let mut sentence = OpenSentence::at(from);
    // The start of the current word.
    let mut word = from;
    let (mut before, mut at) = (' ', from);
    while at < text.len() {
        let part = rest(text, at);
        let c = first(part);
        let mut next = at + c.len_utf8();
        if c == '`' {
            next = at + length_of_code(part);
            sentence.has_words = true;
        } else if let Some(length) = length_of_tag(part) {
            next = at + length;
            word = if part.starts_with("</") { word } else { next };
        } else if has(STOPS, c) {
            let after = skip(part, STOPS);
            next = text.len() - after.len();
            // A sentence cannot end before its first word.
            if sentence.has_words
                && !has("([（,", before)
                && let Some(end) = sentence.end(text, word, part, after)
            {
                ends.push(end);
                sentence = OpenSentence::at(end);
            }
        } else if let Some(place) = opened.iter().rposition(|open| open.closer == c)
            && !(c == '’' && is_word(first(rest(text, next))))
        {
            if let Some(open) = opened.get(place)
                && at - open.at < LONGEST
                && (open.is_inside || sentence.start <= at)
            {
                ends.truncate(open.ends);
                sentence.has_words = sentence.start <= at || c == '）';
                if sentence.has_words {
                    // The sentence continues after the quotation; count it as being past its first words.
                    sentence.words += 2;
                } else {
                    ends.push(sentence.start);
                }
            }
            opened.truncate(place);
        } else if let Some((_, closer)) = PAIRS.iter().find(|pair| pair.0 == c)
            && !(c == '"' && is_word(before))
        {
            if opened.len() > 15 {
                opened.clear();
            }
            let is_inside = sentence.has_words;
            opened.push(OpenBracket { closer: *closer, at, ends: ends.len(), is_inside });
        } else if at >= sentence.start && is_word(c) {
            sentence.begins_lower |= !sentence.has_words && is_lower(part);
            sentence.has_words = true;
        }
        // Bounded, so that texts without spaces take linear time.
        if has(BEFORE_WORDS, c) || next.saturating_sub(word.max(sentence.start)) > LONGEST {
            word = next;
            sentence.words += usize::from(sentence.has_words);
        }
        if before != ',' || !has(BLANKS, c) {
            before = c;
        }
        at = next;
    }
}

/// The sentence that is being read.
struct OpenSentence {
    start: usize,
    /// The number of words before the current one.
    words: usize,
    has_words: bool,
    begins_lower: bool,
}

impl OpenSentence {
    fn at(start: usize) -> Self {
        Self { start, words: 0, has_words: false, begins_lower: false }
    }

    /// The position where the sentence ends, if it ends with the stops at the start of `part`. `word` is the start of the
    /// last word, and `after_stops` the text after the stops.
    fn end(&self, text: &str, word: usize, part: &str, after_stops: &str) -> Option<usize> {
        let last_word = text.get(word.max(self.start)..text.len() - part.len()).unwrap_or_default();
        let last_word = last_word.split_once('<').map_or(last_word, |(word, _)| word);
        let begins_with_citation = first(skip(rest(text, self.start), BLANKS)) == '[';
        let end = after_trimmings(after_stops, begins_with_citation);
        let features = SentenceFeatures { last_word, words: self.words, begins_lower: self.begins_lower };
        ends_here(part, after_stops, end, features).then(|| text.len() - end.len())
    }
}

/// The length of the inline code at the start of a text. It ends with the same number of backticks as it
/// begins with.
fn length_of_code(text: &str) -> usize {
    let mut marks = 0;
    let mut run = 0;
    for (at, byte) in text.bytes().take(LONGEST).chain([b' ']).enumerate() {
        if byte == b'`' {
            run += 1;
        } else if marks == 0 {
            (marks, run) = (run, 0);
        } else if run == marks {
            return at;
        } else {
            run = 0;
        }
    }
    marks
}

/// The length of the HTML tag, or the address in angle brackets, at the start of a text.
fn length_of_tag(text: &str) -> Option<usize> {
    let inside = text.strip_prefix('<')?;
    let name = inside.strip_prefix('/').unwrap_or(inside);
    let length = name.bytes().take_while(|byte| byte.is_ascii_alphanumeric() || *byte == b'-').count();
    let is_tag = first(name).is_ascii_alphabetic() && has(" \t\r\n/>:", first(rest(name, length)));
    let end = inside.bytes().take(LONGEST).position(|byte| matches!(byte, b'<' | b'>'))?;
    (is_tag && inside.as_bytes().get(end) == Some(&b'>')).then_some(end + 2)
}

/// The features of a sentence that decide whether it ends.
struct SentenceFeatures<'t> {
    last_word: &'t str,
    /// The number of words before the last one.
    words: usize,
    /// Whether it begins in lower case, so that the next one may, too.
    begins_lower: bool,
}

/// Whether a sentence ends with the stops at the start of a text. `after_stops` is the text after these, and
/// `end` the text after the closing characters.
fn ends_here(stops: &str, after_stops: &str, end: &str, sentence: SentenceFeatures<'_>) -> bool {
    let SentenceFeatures { last_word, words, begins_lower } = sentence;
    let c = first(stops);
    let is_question = c == '?' || first(rest(stops, 1)) == '?';
    let is_closed = end.len() < after_stops.len();
    let next = first(end);
    let after = after_openers(end);
    // Other full stops need no space after them, and neither do those of Chinese and Japanese.
    let is_full = !has(".!?…", c);
    let is_at_tag = is_closed && after_stops.as_bytes().get(after_stops.len() - end.len() - 1) == Some(&b'>')
        || length_of_tag(end).is_some();
    if !end.is_empty() && !next.is_whitespace() && !is_at_tag {
        let is_wide = is_full || next >= '\u{2e80}' && (is_question || c == '!');
        return is_wide && !(is_closed && has(GOES_ON, next));
    }
    if is_full || after.is_empty() {
        return true;
    }
    let is_dot = c == '.' && stops.len() - after_stops.len() == 1;
    if is_lower(after) {
        let ends = is_question
            || c == '!' && begins_lower
            || is_dot && ends_before_lower(last_word, words, after, begins_lower);
        return ends && !is_closed;
    }
    !(after.starts_with(". ") || is_dot && is_abbreviated(last_word, words, after))
}

/// The text after the characters that may precede the first word of a sentence.
fn after_openers(mut text: &str) -> &str {
    loop {
        let after = skip(text, OPENERS);
        let length = length_of_tag(after).unwrap_or(usize::from(after.starts_with('<')));
        if length == 0 {
            return after;
        }
        text = rest(after, length);
    }
}

/// The text after everything that follows the stops and still belongs to the sentence: closing quotation marks
/// and brackets, emoji, citations, and closing HTML tags.
fn after_trimmings(mut text: &str, begins_with_citation: bool) -> &str {
    loop {
        let after = skip(text, BLANKS);
        let c = first(after);
        let next = rest(after, c.len_utf8());
        let is_near = after.len() == text.len();
        // A closing quotation mark of one language opens a quotation in another. French has a space before
        // it.
        let may_close = c == '»' || is_near && has("“‘«", c);
        let lines = text.trim_start();
        text = if lines.starts_with("</")
            && let Some(length) = length_of_tag(lines)
        {
            rest(lines, length)
        } else if is_near && let Some(note) = text.strip_prefix("<sup>") {
            skip(note, "0123456789,[]^ ")
        } else if is_near
            && text.starts_with("<br")
            && let Some(length) = length_of_tag(text)
        {
            rest(text, length)
        } else if is_near && has(CLOSERS, c) || may_close && !is_word(first(next)) || is_emoji(c) {
            next
        } else if let Some(end) = after_citation(after)
            && (is_near || !begins_with_citation)
        {
            end
        } else {
            return text;
        };
    }
}

fn is_emoji(c: char) -> bool {
    matches!(c, '\u{2600}'..='\u{27bf}' | '\u{1f000}'..='\u{1faff}' | '⭐' | '\u{fe0f}' | '\u{200d}' | '\u{20e3}')
}

/// The text after `[1]`, `[^1]`, `【4†source】` or `([title](address))`.
fn after_citation(text: &str) -> Option<&str> {
    let closer = match first(text) {
        '[' => return skip(rest(text, 1), "0123456789^,-– ").strip_prefix(']'),
        '(' if text.starts_with("([") => "))",
        '【' => "】",
        _ => return None,
    };
    // Bounded, so that texts full of brackets take linear time.
    (0..LONGEST).find_map(|at| rest(text, at).strip_prefix(closer))
}
