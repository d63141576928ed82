//! Where sentences end within prose.

use super::words::{is_abbreviated, is_lower, is_word};
use super::{first, has, rest, skip};

/// Stops that need no space behind them.
const FULL_STOPS: &str = "。｡！？؟۔।॥။።፧։‽";
const STOPS: &str = ".!?…‼⁇⁈⁉";
/// What may stand between a stop and the end of its sentence.
const CLOSERS: &str = "\"'”’»›)]}」』）】》〉*_~¹²³⁰⁴⁵⁶⁷⁸⁹";
/// Marks that close a quotation in one language and open it in another.
const ALSO_CLOSERS: &str = "“‘«";
/// What may stand before the first word of a sentence.
const OPENERS: &str = " \t\r\n\u{a0}\u{202f}\u{3000}\"'“‘„‚«»‹([{<>*_~¿¡-–—#";
/// With these a sentence goes on behind a quotation in Japanese or Chinese.
const GOES_ON: &str = "とっのを、，";
const BLANKS: &str = " \t\u{a0}\u{202f}";
/// Brackets and quotation marks, each before the one that closes it.
const PAIRS: &str = "()[]“”„“‘’«»»«（）「」『』《》\"\"";

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
    while at < prose.len() {
        let c = first(rest(prose, at));
        let start = ends.last().copied().unwrap_or_default();
        let mut next = at + c.len_utf8();
        if c == '`' {
            next = end_of_code(prose, at);
            has_words = true;
        } else if is_stop(c) {
            next = end_of_stops(prose, at);
            // Before its first word a sentence does not end.
            if has_words && let Some(end) = sentence_end(prose, start, at, next) {
                ends.push(end);
                has_words = false;
            }
        } else if let Some(place) = opened.iter().rposition(|open| open.closer == c)
            && !(c == '’' && is_word(first(rest(prose, next))))
        {
            if let Some(open) = opened.get(place)
                && at - open.at < LONGEST
            {
                let is_part = open.is_inside && c == '）';
                let last = ends.last().copied().filter(|end| *end > at && !is_part);
                if open.is_inside || last.is_none() {
                    ends.truncate(open.ends);
                    has_words = last.is_none();
                    if let Some(last) = last {
                        ends.push(last);
                    }
                }
            }
            opened.truncate(place);
        } else if let Some(closer) = closer_of(c).filter(|_| c != '"' || !is_word(before)) {
            if opened.len() > 15 {
                opened.clear();
            }
            opened.push(Open { closer, at, ends: ends.len(), is_inside: has_words });
        } else if at >= start && is_word(c) {
            has_words = true;
        }
        before = c;
        at = next;
    }
    ends
}

fn is_stop(c: char) -> bool {
    has(STOPS, c) || has(FULL_STOPS, c)
}

fn closer_of(c: char) -> Option<char> {
    let mut pairs = PAIRS.chars();
    while let (Some(opener), Some(closer)) = (pairs.next(), pairs.next()) {
        if opener == c {
            return Some(closer);
        }
    }
    None
}

/// Where the code ends that begins at a place: behind as many backticks as are there.
fn end_of_code(prose: &str, at: usize) -> usize {
    let code = rest(prose, at).as_bytes();
    let marks = code.iter().take_while(|byte| **byte == b'`').count();
    let mut run = 0;
    for (place, byte) in code.iter().enumerate().take(LONGEST).skip(marks) {
        if *byte == b'`' {
            run += 1;
        } else if run == marks {
            return at + place;
        } else {
            run = 0;
        }
    }
    at + if run == marks { code.len().min(LONGEST) } else { marks }
}

/// Where the stops end that begin at a place: `?!`, `...`, and `. . .` too.
fn end_of_stops(prose: &str, at: usize) -> usize {
    let mut end = at;
    loop {
        while is_stop(first(rest(prose, end))) {
            end += first(rest(prose, end)).len_utf8();
        }
        let after = rest(prose, end);
        match after.as_bytes() {
            [b' ', b'.', ..] if !is_word(first(rest(after, 2))) => end += 2,
            _ => return end,
        }
    }
}

/// Where the sentence ends that the stops at a place end, if they do.
fn sentence_end(prose: &str, start: usize, at: usize, stops_end: usize) -> Option<usize> {
    let so_far = prose.get(start..at)?;
    let run = prose.get(at..stops_end)?;
    let is_full = run.chars().any(|c| has(FULL_STOPS, c));
    if has("([（,", last(so_far)) {
        return None;
    }
    let mut closed = rest(prose, stops_end);
    let all = closed.len();
    loop {
        let after = skip(closed, CLOSERS);
        let after = if is_full { after } else { skip(after, ALSO_CLOSERS) };
        if after.len() == closed.len() {
            break;
        }
        closed = after;
    }
    let is_closed = closed.len() < all;
    let is_question = run.as_bytes().contains(&b'?');
    let after = after_trimmings(closed, first(skip(so_far, BLANKS)) == '[');
    let end = prose.len() - after.len();
    let next = first(after);
    if !after.is_empty() && !next.is_whitespace() {
        let goes_on = if is_full {
            is_closed && has(GOES_ON, next)
        } else {
            // Chinese and Japanese with the marks of other languages.
            next < '\u{2e80}' || !is_question && !run.as_bytes().contains(&b'!')
        };
        return (!goes_on).then_some(end);
    }
    let after = skip(after, OPENERS);
    let goes_on = if is_full || after.is_empty() {
        false
    } else if is_lower(after) {
        is_closed || !is_question
    } else {
        run == "." && is_abbreviated(so_far, after)
    };
    (!goes_on).then_some(end)
}

/// The last character, blanks aside.
fn last(text: &str) -> char {
    text.chars().rev().find(|c| !has(BLANKS, *c)).unwrap_or(' ')
}

/// The text behind what belongs to a sentence though it follows the stop: emoji and citations, and the mark that ends
/// a French quotation.
fn after_trimmings(mut text: &str, begins_with_citation: bool) -> &str {
    loop {
        let after = skip(text, BLANKS);
        let c = first(after);
        let behind = rest(after, c.len_utf8());
        let is_near = after.len() == text.len();
        text = if is_emoji(c) || c == '»' && !is_word(first(behind)) {
            behind
        } else if let Some(behind) = after_citation(after).filter(|_| is_near || !begins_with_citation) {
            behind
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
    let end = if first(text) == '【' {
        // Only so far, so that texts full of brackets take no longer than others.
        text.char_indices().take(50).find(|(_, c)| *c == '】')?.0 + '】'.len_utf8()
    } else if text.starts_with("([") {
        text.as_bytes().windows(2).take(300).position(|pair| pair == b"))")? + 2
    } else {
        let behind = skip(text.strip_prefix('[')?, "0123456789^,-– ");
        text.len() - behind.strip_prefix(']')?.len()
    };
    text.get(end..)
}
