//! Where sentences end within prose.

use super::words::{is_abbreviated, is_lower, is_word};

/// Stops that need no space behind them.
const FULL_STOPS: &str = "。｡！？؟۔।॥။።፧։‽";
const STOPS: &str = ".!?…‼⁇⁈⁉";
/// What may stand between a stop and the end of its sentence.
const CLOSERS: &str = "\"'”’»›)]}」』）】》〉*_~¹²³⁰⁴⁵⁶⁷⁸⁹";
/// Marks that close a quotation in one language and open it in another.
const ALSO_CLOSERS: &str = "“‘«";
/// What may stand before the first word of a sentence.
const OPENERS: &str = "\"'“‘„‚«»‹([{<>*_~¿¡-–—#";
/// With these a sentence goes on behind a quotation in Japanese or Chinese.
const GOES_ON: &str = "とっのを、，";

const BLANKS: [char; 4] = [' ', '\t', '\u{a0}', '\u{202f}'];

/// The longest quotation or code, in bytes, that keeps its sentences together. Marks further apart are no pair.
const LONGEST: usize = 600;

/// A bracket or a quotation mark that waits for its counterpart.
struct Open {
    closer: char,
    at: usize,
    /// How many sentences had ended before.
    ends: usize,
    /// Whether it stands within a sentence, and not before its first word.
    is_inside: bool,
}

/// The ends of the sentences, in bytes. What is left behind the last is a sentence too.
///
/// A stop in brackets or in a quotation ends no sentence if these are part of one: *He said (it was late. He knew.)
/// that …*. If they hold whole sentences, each counts.
pub fn ends(prose: &str) -> Vec<usize> {
    let mut ends: Vec<usize> = Vec::new();
    let mut opened: Vec<Open> = Vec::new();
    // Whether there was a word since the last end.
    let mut has_words = false;
    let mut before = ' ';
    let mut at = 0;
    while let Some(c) = rest(prose, at).chars().next() {
        let start = ends.last().copied().unwrap_or_default();
        let mut next = at + c.len_utf8();
        if c == '`' {
            next = end_of_code(prose, at);
            has_words = true;
        } else if is_stop(c) {
            next = end_of_stops(prose, at);
            // Before its first word a sentence does not end.
            if let Some(end) = sentence_end(prose, start, at..next).filter(|_| has_words) {
                ends.push(end);
                has_words = false;
            }
        } else if let Some(place) = opened.iter().rposition(|open| open.closer == c)
            && !(c == '’' && rest(prose, next).starts_with(is_word))
        {
            if let Some(open) = opened.drain(place..).next().filter(|open| at - open.at < LONGEST) {
                let last = ends.last().copied().filter(|end| *end > at && !(open.is_inside && c == '）'));
                if open.is_inside || last.is_none() {
                    ends.truncate(open.ends);
                    ends.extend(last);
                    has_words = last.is_none();
                }
            }
        } else if let Some(closer) = closer_of(c).filter(|_| c != '"' || !is_word(before)) {
            if opened.len() > 15 {
                opened.remove(0);
            }
            opened.push(Open { closer, at, ends: ends.len(), is_inside: has_words });
        } else if is_word(c) && at >= start {
            has_words = true;
        }
        before = c;
        at = next;
    }
    ends
}

fn rest(prose: &str, at: usize) -> &str {
    prose.get(at..).unwrap_or_default()
}

/// Where the code ends that begins at a place: behind as many backticks as are there.
fn end_of_code(prose: &str, at: usize) -> usize {
    let code = rest(prose, at);
    let mut text = code.trim_start_matches('`');
    let marks = code.len() - text.len();
    while code.len() - text.len() < LONGEST
        && let Some(end) = text.find('`')
    {
        let end = rest(text, end);
        text = end.trim_start_matches('`');
        if end.len() - text.len() == marks {
            return prose.len() - text.len();
        }
    }
    at + marks
}

fn is_stop(c: char) -> bool {
    STOPS.contains(c) || FULL_STOPS.contains(c)
}

fn closer_of(c: char) -> Option<char> {
    Some(match c {
        '(' => ')',
        '[' => ']',
        '“' => '”',
        '„' => '“',
        '‘' => '’',
        '«' => '»',
        '»' => '«',
        '（' => '）',
        '「' => '」',
        '『' => '』',
        '《' => '》',
        '"' => c,
        _ => return None,
    })
}

/// Where the stops end that begin at a place: `?!`, `...`, and `. . .` too.
fn end_of_stops(prose: &str, at: usize) -> usize {
    let mut end = at;
    loop {
        let after = rest(prose, end).trim_start_matches(is_stop);
        end = prose.len() - after.len();
        match after.strip_prefix(BLANKS).and_then(|after| after.strip_prefix('.')) {
            Some(after) if !after.starts_with(is_word) => end = prose.len() - after.len(),
            _ => return end,
        }
    }
}

/// Where the sentence ends that these stops end, if they do.
fn sentence_end(prose: &str, start: usize, stops: std::ops::Range<usize>) -> Option<usize> {
    let so_far = prose.get(start..stops.start)?;
    let run = prose.get(stops.clone())?;
    let is_full = run.contains(|c| FULL_STOPS.contains(c));
    if so_far.trim_end().ends_with(['(', '[', '（', ',']) {
        return None;
    }
    let closed = rest(prose, stops.end)
        .trim_start_matches(|c| CLOSERS.contains(c) || !is_full && ALSO_CLOSERS.contains(c));
    let is_closed = prose.len() - closed.len() > stops.end;
    let after = after_trimmings(closed, so_far.trim_start().starts_with('['));
    let end = prose.len() - after.len();
    let next = after.chars().next();
    let goes_on = match next {
        None => false,
        Some(c) if c.is_whitespace() => false,
        Some(c) if is_full => is_closed && GOES_ON.contains(c),
        // Chinese and Japanese with the marks of other languages.
        Some(c) => c < '\u{2e80}' || !run.contains(['!', '?']),
    };
    if goes_on {
        return None;
    }
    let after = after.trim_start_matches(|c: char| c.is_whitespace() || OPENERS.contains(c));
    let goes_on = !after.is_empty()
        && !is_full
        && if is_lower(after) {
            is_closed || !run.contains('?')
        } else {
            run == "." && is_abbreviated(so_far, after)
        };
    (!goes_on).then_some(end)
}

/// The text behind what belongs to a sentence though it follows the stop: emoji and citations, and the mark that ends
/// a French quotation.
fn after_trimmings(text: &str, begins_with_citation: bool) -> &str {
    let mut text = text;
    loop {
        let after = text.trim_start_matches(BLANKS);
        let may_cite = !begins_with_citation || after.len() == text.len();
        let trimmed = after.trim_start_matches(is_emoji);
        text = if trimmed.len() < after.len() {
            trimmed
        } else if let Some(rest) = after.strip_prefix('»').filter(|rest| !rest.starts_with(is_word)) {
            rest
        } else if let Some(rest) = after_citation(after).filter(|_| may_cite) {
            rest
        } else {
            return text;
        };
    }
}

fn is_emoji(c: char) -> bool {
    matches!(c, '\u{2600}'..='\u{27bf}' | '\u{1f000}'..='\u{1faff}' | '⭐' | '\u{fe0f}' | '\u{200d}' | '\u{20e3}')
}

/// The text behind `[1]`, `[^1]`, `【4†source】` or `([title](address))`.
fn after_citation(text: &str) -> Option<&str> {
    let (from, to, is_inner): (_, _, fn(char) -> bool) = if text.starts_with("([") {
        ("([", "))", |c| c != '\n')
    } else if text.starts_with('[') {
        ("[", "]", |c| c.is_ascii_digit() || "^,-– ".contains(c))
    } else {
        ("【", "】", |c| c != '\n')
    };
    let text = text.strip_prefix(from)?;
    // Only so far, so that texts full of brackets take no longer than others.
    let length = text.char_indices().nth(300).map_or(text.len(), |(at, _)| at);
    let inner = text.get(..length)?.find(to)?;
    let (inner, rest) = text.split_at_checked(inner)?;
    rest.strip_prefix(to).filter(|_| inner.chars().all(is_inner))
}
