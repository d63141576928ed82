//! Reading JSON text (RFC 8259), borrowing from it.
//!
//! serde_json could, but it does not read lone surrogates, costs twice the bytes once its numbers are exact, and
//! takes twice the time; reading is most of what the evaluators do.

use super::{Json, MAX_DEPTH, Number, Object};
use std::borrow::Cow;

/// What is wrong with a text, and where.
pub(super) struct Problem {
    what: &'static str,
    /// In bytes.
    at: usize,
}

impl Problem {
    /// For people: `a value is missing at line 1, column 5`.
    pub fn describe(&self, text: &str) -> String {
        let before = text.get(..self.at).unwrap_or(text);
        let line = before.matches('\n').count() + 1;
        let column = before.rsplit('\n').next().unwrap_or(before).chars().count() + 1;
        format!("{} at line {line}, column {column}", self.what)
    }
}

/// Reads one JSON text, with nothing but white space around it.
pub(super) fn parse(text: &str) -> Result<Json<'_>, Problem> {
    let mut parser = Parser { text, position: 0 };
    let value = parser.value(0)?;
    parser.skip_white_space();
    if parser.peek().is_some() {
        return Err(parser.problem("the text goes on after the value"));
    }
    Ok(value)
}

/// Reads the value that a text begins with: the value and where it ends, or else where reading stopped.
pub(super) fn parse_prefix(text: &str) -> Result<(Json<'_>, usize), usize> {
    let mut parser = Parser { text, position: 0 };
    let value = parser.value(0).map_err(|problem| problem.at)?;
    Ok((value, parser.position))
}

struct Parser<'a> {
    text: &'a str,
    position: usize,
}

impl<'a> Parser<'a> {
    fn problem(&self, what: &'static str) -> Problem {
        Problem { what, at: self.position }
    }

    #[inline]
    fn peek(&self) -> Option<u8> {
        self.text.as_bytes().get(self.position).copied()
    }

    #[inline]
    fn skip_white_space(&mut self) {
        while let Some(b' ' | b'\n' | b'\r' | b'\t') = self.peek() {
            self.position += 1;
        }
    }

    /// Whether `byte` came next; if so, it is behind us.
    #[inline]
    fn take(&mut self, byte: u8) -> bool {
        let found = self.peek() == Some(byte);
        self.position += usize::from(found);
        found
    }

    fn value(&mut self, depth: usize) -> Result<Json<'a>, Problem> {
        self.skip_white_space();
        match self.peek() {
            Some(b'"') => self.string().map(Json::String),
            Some(b'{') => self.object(depth),
            Some(b'[') => self.array(depth),
            Some(b'-' | b'0'..=b'9') => self.number().map(Json::Number),
            Some(b't') => self.literal("true", Json::Bool(true)),
            Some(b'f') => self.literal("false", Json::Bool(false)),
            Some(b'n') => self.literal("null", Json::Null),
            Some(_) => Err(self.problem("a value is missing")),
            None => Err(self.problem("the text ends too early")),
        }
    }

    fn literal(&mut self, word: &str, value: Json<'a>) -> Result<Json<'a>, Problem> {
        if !self.text.get(self.position..).is_some_and(|rest| rest.starts_with(word)) {
            return Err(self.problem("a value is missing"));
        }
        self.position += word.len();
        Ok(value)
    }

    fn deeper(&self, depth: usize) -> Result<usize, Problem> {
        if depth == MAX_DEPTH { Err(self.problem("it nests deeper than 1024 levels")) } else { Ok(depth + 1) }
    }

    fn array(&mut self, depth: usize) -> Result<Json<'a>, Problem> {
        let depth = self.deeper(depth)?;
        self.position += 1;
        let mut elements = Vec::new();
        self.skip_white_space();
        if self.take(b']') {
            return Ok(Json::Array(elements));
        }
        loop {
            elements.push(self.value(depth)?);
            self.skip_white_space();
            if self.take(b']') {
                return Ok(Json::Array(elements));
            }
            if !self.take(b',') {
                return Err(self.problem("a comma or a closing bracket is missing"));
            }
        }
    }

    fn object(&mut self, depth: usize) -> Result<Json<'a>, Problem> {
        let depth = self.deeper(depth)?;
        self.position += 1;
        let mut members = Vec::new();
        self.skip_white_space();
        if self.take(b'}') {
            return Ok(Json::Object(Object::default()));
        }
        loop {
            self.skip_white_space();
            if self.peek() != Some(b'"') {
                return Err(self.problem("a key in double quotes is missing"));
            }
            let key = self.string()?;
            self.skip_white_space();
            if !self.take(b':') {
                return Err(self.problem("a colon is missing"));
            }
            members.push((key, self.value(depth)?));
            self.skip_white_space();
            if self.take(b'}') {
                return Ok(Json::Object(Object::from_members(members)));
            }
            if !self.take(b',') {
                return Err(self.problem("a comma or a closing brace is missing"));
            }
        }
    }

    /// A string, whose opening quote comes next. Borrowed unless it holds an escape.
    fn string(&mut self) -> Result<Cow<'a, str>, Problem> {
        self.position += 1;
        let mut unescaped = String::new();
        let mut start = self.position;
        loop {
            match self.peek() {
                Some(b'"') => {
                    let piece = self.since(start);
                    self.position += 1;
                    if unescaped.is_empty() {
                        return Ok(Cow::Borrowed(piece));
                    }
                    unescaped.push_str(piece);
                    return Ok(Cow::Owned(unescaped));
                }
                Some(b'\\') => {
                    unescaped.push_str(self.since(start));
                    self.position += 1;
                    self.escape(&mut unescaped)?;
                    start = self.position;
                }
                Some(0..0x20) => {
                    return Err(self.problem("a control character in a string has to be escaped"));
                }
                Some(_) => self.position += 1,
                None => return Err(self.problem("the text ends too early")),
            }
        }
    }

    fn since(&self, start: usize) -> &'a str {
        self.text.get(start..self.position).unwrap_or_default()
    }

    /// An escape, whose backslash is behind us.
    fn escape(&mut self, unescaped: &mut String) -> Result<(), Problem> {
        let character = match self.peek() {
            Some(byte @ (b'"' | b'\\' | b'/')) => char::from(byte),
            Some(b'b') => '\u{8}',
            Some(b'f') => '\u{c}',
            Some(b'n') => '\n',
            Some(b'r') => '\r',
            Some(b't') => '\t',
            Some(b'u') => return self.unicode_escape(unescaped),
            _ => return Err(self.problem("a backslash has to be escaped")),
        };
        self.position += 1;
        unescaped.push(character);
        Ok(())
    }

    /// An escape such as `\u00e9`, whose `u` comes next. See [`super::parse`] for lone surrogates.
    fn unicode_escape(&mut self, unescaped: &mut String) -> Result<(), Problem> {
        let unit = self.code_unit()?;
        if (0xD800..0xDC00).contains(&unit) && self.take(b'\\') {
            let before_low = self.position;
            if self.peek() == Some(b'u') {
                let low = self.code_unit()?;
                if (0xDC00..0xE000).contains(&low) {
                    let code_point = 0x10000 + ((unit - 0xD800) << 10) + (low - 0xDC00);
                    unescaped.extend(char::from_u32(code_point));
                    return Ok(());
                }
            }
            // Something else: back to its backslash.
            self.position = before_low - 1;
        }
        match char::from_u32(unit) {
            Some(character) => unescaped.push(character),
            None => {
                unescaped.push('\u{10FFFF}');
                unescaped.push_str(&format!("{unit:04x}"));
            }
        }
        Ok(())
    }

    fn code_unit(&mut self) -> Result<u32, Problem> {
        let digits = self.text.get(self.position + 1..self.position + 5);
        let digits = digits.filter(|digits| digits.bytes().all(|byte| byte.is_ascii_hexdigit()));
        let unit = digits.and_then(|digits| u32::from_str_radix(digits, 16).ok());
        let unit = unit.ok_or_else(|| self.problem("four hexadecimal digits are missing"))?;
        self.position += 5;
        Ok(unit)
    }

    fn number(&mut self) -> Result<Number<'a>, Problem> {
        let start = self.position;
        let negative = self.take(b'-');
        let whole = self.digits()?;
        if whole.len() > 1 && whole.starts_with('0') {
            return Err(self.problem("a number starts with 0"));
        }
        let fraction = if self.take(b'.') { self.digits()? } else { "" };
        let mut exponent = 0;
        if let Some(b'e' | b'E') = self.peek() {
            self.position += 1;
            let negative = self.take(b'-');
            if !negative {
                self.take(b'+');
            }
            // So far out that no number of digits in a text makes up for it.
            let size = self.digits()?.parse::<i32>().unwrap_or(i32::MAX);
            exponent = if negative { -i64::from(size) } else { i64::from(size) };
        }
        Ok(Number::new(self.since(start), negative, whole, fraction, exponent))
    }

    fn digits(&mut self) -> Result<&'a str, Problem> {
        let start = self.position;
        while let Some(b'0'..=b'9') = self.peek() {
            self.position += 1;
        }
        if self.position == start { Err(self.problem("a digit is missing")) } else { Ok(self.since(start)) }
    }
}
