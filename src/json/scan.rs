//! A scanner for the tokens of JSON text (RFC 8259), used to build trees and to compare texts directly.
//!
//! serde_json does not read lone surrogates, takes twice the bytes with exact numbers, and twice the time.
//! Reading is most of the work of the evaluators.

use super::quoted::{Quoted, equal};
use super::{MAX_DEPTH, Number};

/// A syntax error and its position.
pub(super) struct Problem {
    what: &'static str,
    /// The byte offset.
    pub at: usize,
}

impl Problem {
    /// A message such as `a value is missing at line 1, column 5`.
    pub fn describe(&self, text: &str) -> String {
        let before = text.get(..self.at).unwrap_or(text);
        let line = before.matches('\n').count() + 1;
        let column = before.chars().rev().take_while(|char| *char != '\n').count() + 1;
        format!("{} at line {line}, column {column}", self.what)
    }
}

/// A function that walks a text, rather than a tree, has no result: the text is not valid JSON, or one of the reasons
/// in the documentation of the function's module.
pub(super) struct NeedsTree;

impl From<Problem> for NeedsTree {
    fn from(_: Problem) -> Self {
        Self
    }
}

/// Reads a text from its start.
pub(super) struct Scanner<'a> {
    text: &'a str,
    /// The byte offset of the next character.
    pub position: usize,
}

impl<'a> Scanner<'a> {
    pub fn new(text: &'a str) -> Self {
        Self { text, position: 0 }
    }

    #[cold]
    pub fn problem(&self, what: &'static str) -> Problem {
        Problem { what, at: self.position }
    }

    #[inline]
    fn peek(&self) -> Option<u8> {
        self.text.as_bytes().get(self.position).copied()
    }

    /// The next byte after white space.
    #[inline]
    pub fn next(&mut self) -> Option<u8> {
        loop {
            match self.peek() {
                Some(b' ' | b'\n' | b'\r' | b'\t') => self.position += 1,
                next => return next,
            }
        }
    }

    /// Consumes `byte` if it comes next, and returns whether it did.
    #[inline]
    pub fn takes(&mut self, byte: u8) -> bool {
        let found = self.next() == Some(byte);
        self.position += usize::from(found);
        found
    }

    /// Like `takes`, without skipping white space.
    #[inline]
    fn takes_at_once(&mut self, byte: u8) -> bool {
        let found = self.peek() == Some(byte);
        self.position += usize::from(found);
        found
    }

    /// Fails unless only white space is left.
    pub fn ends(&mut self) -> Result<(), Problem> {
        match self.next() {
            Some(_) => Err(self.problem("the text goes on after the value")),
            None => Ok(()),
        }
    }

    /// The error for a position where no value begins.
    #[cold]
    pub fn no_value(&self) -> Problem {
        self.problem(if self.peek().is_some() { "a value is missing" } else { "the text ends too early" })
    }

    pub fn literal(&mut self, word: &str) -> Result<(), Problem> {
        let rest = self.text.as_bytes().get(self.position..);
        if !rest.is_some_and(|rest| rest.starts_with(word.as_bytes())) {
            return Err(self.problem("a value is missing"));
        }
        self.position += word.len();
        Ok(())
    }

    /// Consumes the next bracket or brace, and returns the depth of its content.
    pub fn open(&mut self, depth: usize) -> Result<usize, Problem> {
        if depth == MAX_DEPTH {
            return Err(self.problem("it nests deeper than 1024 levels"));
        }
        self.position += 1;
        Ok(depth + 1)
    }

    /// Whether an array ends after an element; otherwise, another element follows.
    #[inline]
    pub fn list_ends(&mut self) -> Result<bool, Problem> {
        self.container_ends(b']', "a comma or a closing bracket is missing")
    }

    /// Whether an object ends after a member; otherwise, another member follows.
    #[inline]
    pub fn object_ends(&mut self) -> Result<bool, Problem> {
        self.container_ends(b'}', "a comma or a closing brace is missing")
    }

    #[inline]
    fn container_ends(&mut self, end: u8, otherwise: &'static str) -> Result<bool, Problem> {
        let next = self.next();
        if next != Some(end) && next != Some(b',') {
            return Err(self.problem(otherwise));
        }
        self.position += 1;
        Ok(next == Some(end))
    }

    /// Reads the key of a member and the colon.
    pub fn key(&mut self) -> Result<Quoted<'a>, Problem> {
        if self.next() != Some(b'"') {
            return Err(self.problem("a key in double quotes is missing"));
        }
        let key = self.string()?;
        if !self.takes(b':') {
            return Err(self.problem("a colon is missing"));
        }
        Ok(key)
    }

    /// Reads a string, whose opening quote comes next.
    pub fn string(&mut self) -> Result<Quoted<'a>, Problem> {
        self.position += 1;
        let start = self.position;
        let mut has_escapes = false;
        loop {
            self.pass_ordinary();
            match self.peek() {
                Some(b'"') => {
                    let raw = self.since(start);
                    self.position += 1;
                    return Ok(Quoted { raw, has_escapes });
                }
                Some(b'\\') => {
                    has_escapes = true;
                    self.position += 1;
                    self.escape()?;
                }
                Some(0..0x20) => {
                    return Err(self.problem("a control character in a string has to be escaped"));
                }
                Some(_) => self.position += 1,
                None => return Err(self.problem("the text ends too early")),
            }
        }
    }

    /// Skips ordinary characters, eight bytes at a time. Stops at a quote, a backslash or a control
    /// character, or near the end.
    #[inline]
    fn pass_ordinary(&mut self) {
        const ONES: u64 = u64::MAX / 0xFF;
        const HIGH: u64 = ONES << 7;
        let has_zero = |bytes: u64| bytes.wrapping_sub(ONES) & !bytes;
        let rest = self.text.as_bytes().get(self.position..).unwrap_or_default();
        for chunk in rest.as_chunks::<8>().0 {
            let bytes = u64::from_le_bytes(*chunk);
            let quotes = has_zero(bytes ^ (ONES * b'"' as u64));
            let backslashes = has_zero(bytes ^ (ONES * b'\\' as u64));
            let controls = bytes.wrapping_sub(ONES * 0x20) & !bytes;
            // Only the lowest set bit is exact: borrows of the subtraction can set bits above it.
            let found = (quotes | backslashes | controls) & HIGH;
            if found != 0 {
                self.position += (found.trailing_zeros() / 8) as usize;
                return;
            }
            self.position += 8;
        }
    }

    #[inline]
    pub fn since(&self, start: usize) -> &'a str {
        self.text.get(start..self.position).unwrap_or_default()
    }

    /// Checks an escape after its backslash.
    fn escape(&mut self) -> Result<(), Problem> {
        match self.peek() {
            Some(b'"' | b'\\' | b'/' | b'b' | b'f' | b'n' | b'r' | b't') => self.position += 1,
            Some(b'u') => {
                let digits = self.text.as_bytes().get(self.position + 1..self.position + 5);
                if !digits.is_some_and(|digits| digits.iter().all(u8::is_ascii_hexdigit)) {
                    return Err(self.problem("four hexadecimal digits are missing"));
                }
                self.position += 5;
            }
            _ => return Err(self.problem("a backslash has to be escaped")),
        }
        Ok(())
    }

    /// Reads the number that comes next.
    pub fn number(&mut self) -> Result<Number<'a>, Problem> {
        /// Every number with this many digits fits into an `i64`.
        const SHORT: usize = 18;
        let start = self.position;
        let negative = self.takes_at_once(b'-');
        let (digits, first) = (self.position, self.peek());
        let mut size = 0_i64;
        while let Some(digit @ b'0'..=b'9') = self.peek() {
            size = size.wrapping_mul(10).wrapping_add(i64::from(digit - b'0'));
            self.position += 1;
        }
        let count = self.position - digits;
        if count == 0 {
            return Err(self.problem("a digit is missing"));
        }
        if count > 1 && first == Some(b'0') {
            return Err(self.problem("a number starts with 0"));
        }
        if count > SHORT || matches!(self.peek(), Some(b'.' | b'e' | b'E')) {
            return self.decimal(start);
        }
        Ok(Number::Integer(if negative { -size } else { size }))
    }

    /// Reads the rest of a long number, or of one with a fraction or exponent, after its first digits.
    #[inline(never)]
    fn decimal(&mut self, start: usize) -> Result<Number<'a>, Problem> {
        if self.takes_at_once(b'.') {
            self.digits()?;
        }
        if let Some(b'e' | b'E') = self.peek() {
            self.position += 1;
            if !self.takes_at_once(b'-') {
                self.takes_at_once(b'+');
            }
            self.digits()?;
        }
        Ok(Number::new(self.since(start)))
    }

    fn digits(&mut self) -> Result<(), Problem> {
        let start = self.position;
        while let Some(b'0'..=b'9') = self.peek() {
            self.position += 1;
        }
        if self.position == start { Err(self.problem("a digit is missing")) } else { Ok(()) }
    }

    /// Validates and skips a value, and returns its text.
    pub fn skip(&mut self, depth: usize) -> Result<&'a str, Problem> {
        let next = self.next();
        let start = self.position;
        match next {
            Some(b'"') => drop(self.string()?),
            Some(b'-' | b'0'..=b'9') => drop(self.number()?),
            Some(b'[') => {
                let depth = self.open(depth)?;
                if !self.takes(b']') {
                    self.skip(depth)?;
                    self.skip_elements(depth)?;
                }
            }
            Some(b'{') => {
                let depth = self.open(depth)?;
                if !self.takes(b'}') {
                    self.key()?;
                    self.skip(depth)?;
                    while !self.object_ends()? {
                        self.key()?;
                        self.skip(depth)?;
                    }
                }
            }
            Some(b't') => self.literal("true")?,
            Some(b'f') => self.literal("false")?,
            Some(b'n') => self.literal("null")?,
            _ => return Err(self.no_value()),
        }
        Ok(self.since(start))
    }

    /// Consumes the next value if its spelling is exactly `value`, a valid one, and returns whether it did.
    pub fn takes_same(&mut self, value: &str) -> bool {
        self.next();
        let end = self.position + value.len();
        let rest = self.text.as_bytes();
        let is_same = rest.get(self.position..end).is_some_and(|same| equal(same, value.as_bytes()))
            // A number could continue.
            && matches!(rest.get(end), Some(b',' | b'}' | b']'));
        if is_same {
            self.position = end;
        }
        is_same
    }

    /// Validates and skips the remaining elements of an array.
    pub fn skip_elements(&mut self, depth: usize) -> Result<(), Problem> {
        while !self.list_ends()? {
            self.skip(depth)?;
        }
        Ok(())
    }
}
