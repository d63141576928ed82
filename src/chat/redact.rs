//! Removes keys from the texts of servers, which may repeat them: escaped, in another case, wrapped or cut.

use crate::sort::sorted;

/// The replacement of a secret.
const REDACTED: &str = "[redacted]";

/// Shorter secrets are replaced only as whole words, because other words may contain them. At the end of a text, which may
/// be cut off, a longer secret is also replaced if only its beginning is there: this many characters or more.
const LONG: usize = 8;

/// The text without these secrets.
pub fn redact(text: &str, secrets: &[String]) -> String {
    secrets.iter().fold(text.to_owned(), |text, secret| {
        let letters: Vec<char> = Letters::of(secret).map(|letter| letter.char).collect();
        if letters.len() < LONG { without_word(&text, secret) } else { without_pieces(&text, &letters) }
    })
}

/// The text without the secret and without pieces of half its length, from 12 to 20 characters. Such pieces do not occur
/// by chance, and prefixes that keys share, such as `sk-ant-api03-`, are shorter.
fn without_pieces(text: &str, secret: &[char]) -> String {
    let pieces = Pieces::of(secret);
    let mut redacted = String::new();
    let mut copied = 0;
    let mut cover = |start: usize, end: usize, copied: usize| {
        redacted.push_str(text.get(copied..start).unwrap_or_default());
        redacted.push_str(REDACTED);
        end
    };
    let mut window: Vec<Letter> = Vec::new();
    let mut hash = 0;
    let mut letters = Letters::of(text);
    while let Some(letter) = letters.next() {
        hash = pieces.next_hash(hash, letter.char, window.first().filter(|_| window.len() == pieces.length));
        if window.len() == pieces.length {
            window.remove(0);
        }
        window.push(letter);
        let Some(found) = pieces.find(hash, &window) else { continue };
        let mut end = letter.end;
        for char in secret.iter().skip(found + pieces.length) {
            let mut ahead = letters;
            match ahead.next().filter(|next| next.char == *char) {
                Some(next) => (letters, end) = (ahead, next.end),
                None => break,
            }
        }
        copied = cover(window.first().map_or(end, |first| first.start), end, copied);
        window.clear();
        hash = 0;
    }
    // The rest of the secret may have been cut off here.
    let cut = (LONG..=window.len()).rev().find_map(|length| {
        let tail = window.iter().skip(window.len() - length);
        let start = tail.clone().next()?.start;
        tail.map(|letter| letter.char).eq(secret.iter().take(length).copied()).then_some(start)
    });
    if let Some(start) = cut {
        copied = cover(start, text.len(), copied);
    }
    redacted.push_str(text.get(copied..).unwrap_or_default());
    redacted
}

/// All pieces of a secret with the minimum length, by hash, so that the search takes linear time (Rabin-Karp).
struct Pieces<'s> {
    secret: &'s [char],
    length: usize,
    /// The hashes in the order of the pieces.
    hashes: Vec<u64>,
    /// The indices of the pieces, sorted by hash.
    order: Vec<usize>,
    /// The factor of the first character of a piece.
    first: u64,
}

impl<'s> Pieces<'s> {
    const BASE: u64 = 0x9E37_79B9_7F4A_7C15;

    fn of(secret: &'s [char]) -> Self {
        let length = (secret.len() / 2).clamp(12, 20).min(secret.len());
        let hash = |piece: &[char]| {
            piece.iter().fold(0, |hash: u64, char| {
                hash.wrapping_mul(Self::BASE).wrapping_add(u64::from(u32::from(*char)))
            })
        };
        let hashes: Vec<u64> = secret.windows(length).map(hash).collect();
        let order = sorted(hashes.len(), &|a, b| hashes.get(a).cmp(&hashes.get(b)));
        let first = (0..length).fold(1, |power: u64, _| power.wrapping_mul(Self::BASE));
        Self { secret, length, hashes, order, first }
    }

    /// The hash after adding a character and removing the first one.
    fn next_hash(&self, hash: u64, char: char, leaves: Option<&Letter>) -> u64 {
        let left = leaves.map_or(0, |letter| u64::from(u32::from(letter.char)).wrapping_mul(self.first));
        hash.wrapping_mul(Self::BASE).wrapping_add(u64::from(u32::from(char))).wrapping_sub(left)
    }

    /// The place of the window in the secret.
    fn find(&self, hash: u64, window: &[Letter]) -> Option<usize> {
        if window.len() < self.length {
            return None;
        }
        let hash_of = |piece: &usize| self.hashes.get(*piece).copied();
        let from = self.order.partition_point(|piece| hash_of(piece) < Some(hash));
        let same = self.order.iter().skip(from).take_while(|piece| hash_of(piece) == Some(hash));
        let mut pieces = same.copied();
        pieces.find(|piece| {
            window.iter().map(|letter| letter.char).eq(self
                .secret
                .iter()
                .skip(*piece)
                .take(self.length)
                .copied())
        })
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
#[derive(Clone, Copy)]
struct Letters<'t> {
    text: &'t str,
    at: usize,
    is_behind_break: bool,
}

impl<'t> Letters<'t> {
    fn of(text: &'t str) -> Self {
        Self { text, at: 0, is_behind_break: false }
    }
}

impl Iterator for Letters<'_> {
    type Item = Letter;

    fn next(&mut self) -> Option<Letter> {
        loop {
            let start = self.at;
            let (char, length) = decoded(self.text.get(start..)?)?;
            self.at += length;
            match char {
                '\n' | '\r' => self.is_behind_break = true,
                ' ' | '\t' if self.is_behind_break => {}
                // A line may be wrapped here.
                '\u{ad}' | '\u{200b}' | '\u{2060}' => {}
                char => {
                    self.is_behind_break = false;
                    return Some(Letter { char: char.to_ascii_lowercase(), start, end: self.at });
                }
            }
        }
    }
}

/// The first character of a text, and the length of its spelling: `\/`, `\u002f`, `%2F` or `&#x2F;`. Escapes may be escaped
/// themselves.
fn decoded(text: &str) -> Option<(char, usize)> {
    let first = text.chars().next()?;
    let (char, behind) = match first {
        '\\' => escaped(text.trim_start_matches('\\')),
        '%' => in_address(text.get(1..)?),
        '&' => in_html(text.get(1..)?),
        _ => None,
    }
    .unwrap_or((first, text.get(first.len_utf8()..)?));
    Some((char, text.len() - behind.len()))
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
    let mut behind = text;
    while let Some(rest) = behind.strip_prefix("amp;") {
        behind = rest;
    }
    let entity = || {
        let end = behind.bytes().take(10).position(|byte| byte == b';')?;
        let (name, rest) = behind.split_at_checked(end)?;
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
    entity().or_else(|| (behind.len() < text.len()).then_some(('&', behind)))
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
fn coded<'t>((number, behind): (&str, &'t str), radix: u32) -> Option<(char, &'t str)> {
    let code = number
        .chars()
        .try_fold(0, |code: u32, digit| code.checked_mul(radix)?.checked_add(digit.to_digit(radix)?))?;
    Some((char::from_u32(code).unwrap_or(char::REPLACEMENT_CHARACTER), behind))
}

/// The text without a short secret, where it is a whole word.
fn without_word(text: &str, secret: &str) -> String {
    let mut redacted = String::new();
    let mut rest = text;
    let mut in_word = false;
    while let Some(first) = rest.chars().next() {
        let behind = if in_word { None } else { behind(rest, secret) };
        match behind.filter(|behind| !behind.chars().next().is_some_and(is_letter)) {
            Some(behind) => {
                redacted.push_str(REDACTED);
                rest = behind;
            }
            None => {
                let length = if first == '\\' { escape(rest) } else { first.len_utf8() };
                let (seen, behind) = rest.split_at_checked(length).unwrap_or((rest, ""));
                redacted.push_str(seen);
                in_word = is_letter(first);
                rest = behind;
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
fn behind<'t>(text: &'t str, secret: &str) -> Option<&'t str> {
    let mut rest = text;
    for char in secret.chars() {
        let (found, length) = decoded(rest)?;
        rest = rest.get(length..).filter(|_| found == char)?;
    }
    Some(rest).filter(|_| !secret.is_empty())
}

/// The length of an escape at the beginning of a text, such as `\n` or `\u000a`, which ends a word.
fn escape(text: &str) -> usize {
    let escaped = text.trim_start_matches('\\');
    let first = escaped.chars().next().map_or(0, char::len_utf8);
    let code = if escaped.starts_with('u') { 4 } else { 0 };
    text.len() - escaped.len() + first + code
}
#[cfg(test)]
mod tests;
