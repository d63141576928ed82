//! Removes keys from the texts of servers, which may repeat them: escaped, in another case, wrapped or cut.

use crate::sort::sorted;
use std::cell::OnceCell;

/// The replacement of a secret.
const REDACTED: &str = "[redacted]";

/// Shorter secrets are replaced only as whole words, because other words may contain them. At the end of a text, which may
/// be cut off, a longer secret is also replaced if only its beginning is there: this many characters or more.
const LONG: usize = 8;

/// The text without these secrets.
pub fn redact(text: &str, secrets: &[String]) -> String {
    secrets.iter().fold(text.to_owned(), |text, secret| {
        if Letters::of(secret).take(LONG).count() < LONG {
            without_word(&text, secret)
        } else if text.len() < LONG {
            // Most tokens with probabilities.
            text
        } else {
            without_pieces(&text, &Letters::of(secret).map(|letter| letter.char).collect::<Vec<_>>())
        }
    })
}

/// The text without the secret and without pieces of half its length, from 12 to 20 characters. Such pieces do not occur
/// by chance, and prefixes that keys share, such as `sk-ant-api03-`, are shorter.
fn without_pieces(text: &str, secret: &[char]) -> String {
    let pieces = Pieces::of(secret);
    let mut redaction = Redaction { text, redacted: String::new(), done: 0 };
    // The last letters that the secret has, at most as many as a piece: prose has a space every few letters, and keys none.
    let mut window: Vec<Letter> = Vec::new();
    let mut letters = Letters::of(text).peekable();
    while let Some(letter) = letters.next() {
        if !pieces.has(letter.char) {
            window.clear();
            continue;
        }
        if window.len() == pieces.length {
            window.remove(0);
        }
        window.push(letter);
        let Some(following) = pieces.find(&window) else { continue };
        let more = following.iter().map_while(|char| letters.next_if(|next| next.char == *char));
        let last = more.last().unwrap_or(letter);
        redaction.cover(window.first().map_or(last.start, |first| first.start), last.end);
        window.clear();
    }
    // The rest of the secret may have been cut off at the end of the text.
    let mut tails = (0..window.len()).filter_map(|start| window.get(start..));
    let is_cut_off = |tail: &&[Letter]| {
        tail.len() >= LONG && secret.iter().zip(*tail).all(|(char, letter)| *char == letter.char)
    };
    if let Some([first, ..]) = tails.find(is_cut_off) {
        redaction.cover(first.start, text.len());
    }
    redaction.finish()
}

/// A text of which parts are replaced, in order.
struct Redaction<'t> {
    text: &'t str,
    redacted: String,
    /// The number of bytes of the text that are copied or replaced.
    done: usize,
}

impl Redaction<'_> {
    fn cover(&mut self, start: usize, end: usize) {
        self.redacted.push_str(self.text.get(self.done..start).unwrap_or_default());
        self.redacted.push_str(REDACTED);
        self.done = end;
    }

    fn finish(mut self) -> String {
        self.redacted.push_str(self.text.get(self.done..).unwrap_or_default());
        self.redacted
    }
}

/// All pieces of a secret with the minimum length.
struct Pieces<'s> {
    secret: &'s [char],
    length: usize,
    /// Whether the secret has the ASCII character with this code.
    ascii: [bool; 128],
    /// The ends of the secret that begin with the pieces, sorted by piece, the longest of equal ones first. Few texts need
    /// them.
    ends: OnceCell<Vec<&'s [char]>>,
}

impl<'s> Pieces<'s> {
    fn of(secret: &'s [char]) -> Self {
        let length = (secret.len() / 2).clamp(12, 20).min(secret.len());
        let mut ascii = [false; 128];
        for char in secret {
            if let Some(has) = ascii.get_mut(u32::from(*char) as usize) {
                *has = true;
            }
        }
        Self { secret, length, ascii, ends: OnceCell::new() }
    }

    /// Whether the secret may have this character.
    fn has(&self, char: char) -> bool {
        self.ascii.get(u32::from(char) as usize).is_none_or(|has| *has)
    }

    fn sorted_ends(&self) -> Vec<&'s [char]> {
        let piece = |start: usize| self.secret.get(start..start + self.length);
        let order = sorted(self.secret.len() - self.length + 1, &|a, b| piece(a).cmp(&piece(b)));
        order.into_iter().filter_map(|start| self.secret.get(start..)).collect()
    }

    /// The characters that follow in the secret if the window is a piece of it.
    fn find(&self, window: &[Letter]) -> Option<&'s [char]> {
        if window.len() < self.length {
            return None;
        }
        let order =
            |end: &&[char]| end.iter().take(self.length).cmp(window.iter().map(|letter| &letter.char));
        let ends = self.ends.get_or_init(|| self.sorted_ends());
        let first = ends.partition_point(|end| order(end).is_lt());
        ends.get(first).filter(|end| order(end).is_eq())?.get(self.length..)
    }
}

/// A character of a text, escaped or not.
#[derive(Clone, Copy)]
struct Letter {
    /// In lower case.
    char: char,
    start: usize,
    end: usize,
}

/// The characters of a text after unescaping, without line breaks that wrap it.
struct Letters<'t> {
    text: &'t str,
    rest: &'t str,
    after_break: bool,
}

impl<'t> Letters<'t> {
    fn of(text: &'t str) -> Self {
        Self { text, rest: text, after_break: false }
    }

    fn offset(&self) -> usize {
        self.text.len() - self.rest.len()
    }
}

impl Iterator for Letters<'_> {
    type Item = Letter;

    fn next(&mut self) -> Option<Letter> {
        loop {
            let start = self.offset();
            let (char, rest) = decoded(self.rest)?;
            self.rest = rest;
            match char {
                '\n' | '\r' => self.after_break = true,
                ' ' | '\t' if self.after_break => {}
                // A line may be wrapped here.
                '\u{ad}' | '\u{200b}' | '\u{2060}' => {}
                char => {
                    self.after_break = false;
                    return Some(Letter { char: char.to_ascii_lowercase(), start, end: self.offset() });
                }
            }
        }
    }
}

/// The first character of a text, which may be spelled `\/`, `\u002f`, `%2F` or `&#x2F;`, and the rest. Escapes may be
/// escaped themselves.
fn decoded(text: &str) -> Option<(char, &str)> {
    let first = text.chars().next()?;
    let escape = match first {
        '\\' => escaped(text.trim_start_matches('\\')),
        '%' => in_address(text.get(1..)?),
        '&' => in_html(text.get(1..)?),
        _ => None,
    };
    escape.or_else(|| Some((first, text.get(first.len_utf8()..)?)))
}

/// An escape with backslashes.
fn escaped(text: &str) -> Option<(char, &str)> {
    if let Some(found) = text.strip_prefix('u').and_then(|hex| coded(hex.split_at_checked(4)?, 16)) {
        return Some(found);
    }
    let char = text.chars().next().map_or('\\', |char| match char {
        'n' | 'r' => '\n',
        't' => '\t',
        char => char,
    });
    Some((char, text.get(text.chars().next().map_or(0, char::len_utf8)..)?))
}

/// An escape with `%`, which may be written as `%25`.
fn in_address(mut text: &str) -> Option<(char, &str)> {
    loop {
        let found = coded(text.split_at_checked(2)?, 16)?;
        match text.strip_prefix("25").filter(|rest| begins_hex(rest)) {
            Some(rest) => text = rest,
            None => return Some(found),
        }
    }
}

fn begins_hex(text: &str) -> bool {
    text.bytes().take(2).filter(u8::is_ascii_hexdigit).count() == 2
}

/// An escape with `&`, which may be written as `&amp;`.
fn in_html(text: &str) -> Option<(char, &str)> {
    // A search for a string would add kilobytes to the binary.
    let mut name = text;
    while let Some(rest) = name.strip_prefix("amp;") {
        name = rest;
    }
    let entity = || {
        let end = name.bytes().take(10).position(|byte| byte == b';')?;
        let (name, rest) = name.split_at_checked(end)?;
        let rest = rest.get(1..)?;
        let number = name.strip_prefix('#').filter(|number| !number.is_empty());
        if let Some(hex) = number.and_then(|number| number.strip_prefix(['x', 'X'])) {
            return coded((hex, rest), 16);
        }
        match number {
            Some(number) => coded((number, rest), 10),
            None => NAMED.iter().find(|(named, _)| *named == name).map(|(_, char)| (*char, rest)),
        }
    };
    entity().or_else(|| (name.len() < text.len()).then_some(('&', name)))
}

const NAMED: [(&str, char); 8] = [
    ("quot", '"'),
    ("apos", '\''),
    ("lt", '<'),
    ("gt", '>'),
    ("sol", '/'),
    ("plus", '+'),
    ("equals", '='),
    ("lowbar", '_'),
];

/// A character by its code, and the rest of the text.
fn coded<'t>((number, rest): (&str, &'t str), radix: u32) -> Option<(char, &'t str)> {
    let code = number
        .chars()
        .try_fold(0, |code: u32, digit| code.checked_mul(radix)?.checked_add(digit.to_digit(radix)?))?;
    Some((char::from_u32(code).unwrap_or(char::REPLACEMENT_CHARACTER), rest))
}

/// The text without a short secret, where it is a whole word.
fn without_word(text: &str, secret: &str) -> String {
    let mut redacted = String::new();
    let mut rest = text;
    let mut in_word = false;
    while let Some(first) = rest.chars().next() {
        let after = if in_word { None } else { after_secret(rest, secret) };
        match after.filter(|after| !after.chars().next().is_some_and(is_letter)) {
            Some(after) => {
                redacted.push_str(REDACTED);
                rest = after;
            }
            None => {
                let length = if first == '\\' { escape(rest) } else { first.len_utf8() };
                let (seen, after) = rest.split_at_checked(length).unwrap_or((rest, ""));
                redacted.push_str(seen);
                in_word = is_letter(first);
                rest = after;
            }
        }
    }
    redacted
}

/// Whether a character belongs to a word. Tables of all punctuation would be larger.
fn is_letter(char: char) -> bool {
    char.is_ascii_alphanumeric() || !char.is_ascii()
}

/// The rest of a text that begins with the secret.
fn after_secret<'t>(text: &'t str, secret: &str) -> Option<&'t str> {
    let mut rest = text;
    for char in secret.chars() {
        let (found, after) = decoded(rest)?;
        rest = Some(after).filter(|_| found == char)?;
    }
    Some(rest).filter(|_| !secret.is_empty())
}

/// The length of an escape at the start of a text, such as `\n` or `\u000a`, which ends a word.
fn escape(text: &str) -> usize {
    let escaped = text.trim_start_matches('\\');
    let first = escaped.chars().next().map_or(0, char::len_utf8);
    let code = if escaped.starts_with('u') { 4 } else { 0 };
    text.len() - escaped.len() + first + code
}

#[cfg(test)]
mod tests;
