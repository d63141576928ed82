//! Parses a template once, so that rendering does not have to search.

use super::{Part, Template};
use crate::error::{Error, Result};

impl Template {
    /// Parses a template. An error gives the position of an unmatched brace or an unclosed optional block.
    pub fn parse(template: &str) -> Result<Self> {
        let mut reader = TemplateParser { template, parts: Vec::new(), open: Vec::new() };
        let mut rest = template;
        while let Some((text, mark)) = split_before(rest, b"{}<") {
            reader.text(text);
            rest = if mark.starts_with('<') { reader.tag(mark) } else { reader.brace(mark)? };
        }
        reader.text(rest);
        match reader.open.iter().find(|tag| tag.optional) {
            Some(OpenTag { name, mark, .. }) => Err(reader.invalid(
                mark,
                "an optional block without an end",
                &format!("<{name} optional> is never closed. Write </{name}> where it ends."),
            )),
            None => Ok(Self(reader.parts)),
        }
    }
}

struct TemplateParser<'a> {
    template: &'a str,
    parts: Vec<Part>,
    /// The tags that are open. Some may be words in angle brackets rather than tags.
    open: Vec<OpenTag<'a>>,
}

struct OpenTag<'a> {
    name: &'a str,
    /// The rest of the template, from the tag on.
    mark: &'a str,
    /// The index of the first part after the tag; of an optional block, the index of its own part.
    first: usize,
    optional: bool,
}

impl<'a> TemplateParser<'a> {
    fn text(&mut self, text: &str) {
        match self.parts.last_mut() {
            _ if text.is_empty() => {}
            Some(Part::Text(last)) => last.push_str(text),
            _ => self.parts.push(Part::Text(text.to_owned())),
        }
    }

    /// Reads from a brace on, and returns the rest of the template.
    fn brace(&mut self, mark: &'a str) -> Result<&'a str> {
        for (twice, once) in [("{{", "{"), ("}}", "}")] {
            if let Some(after) = mark.strip_prefix(twice) {
                self.text(once);
                return Ok(after);
            }
        }
        if let Some((name, after)) = mark.strip_prefix('{').and_then(|name| name.split_once('}')) {
            self.parts.push(Part::Variable { name: name.to_owned(), inside: Vec::new() });
            return Ok(after);
        }
        let problem = if mark.starts_with('{') { "\"{\" is never closed" } else { "\"}\" closes nothing" };
        let problem = format!("{problem}. Write {{{{ or }}}} for a literal brace.");
        Err(self.invalid(mark, "a brace without a partner", &problem))
    }

    /// Reads from an angle bracket on, and returns the rest of the template.
    fn tag(&mut self, mark: &'a str) -> &'a str {
        let (bracket, tag) = mark.split_at_checked(1).unwrap_or_default();
        let start = tag.trim_ascii_start();
        let closing = start.strip_prefix('/').map(str::trim_ascii_start);
        let (name, after) = split_before(closing.unwrap_or(start), b" \t\r\n<>/{}").unwrap_or_default();
        let inner = after.trim_ascii_start();
        let body = inner.strip_prefix('>');
        // A tag is a name followed by white space or the end of the tag.
        let is_tag = !name.is_empty() && (body.is_some() || inner.len() < after.len());
        if closing.is_some() {
            if is_tag && let Some(after) = self.close(mark, name, body.unwrap_or(after)) {
                return after;
            }
        } else if is_tag {
            let body =
                inner.strip_prefix("optional").and_then(|end| end.trim_ascii_start().strip_prefix('>'));
            let optional = body.is_some();
            self.open.push(OpenTag { name, mark, first: self.parts.len(), optional });
            if let Some(body) = body {
                let lines = self.line_before(mark).trim_ascii().is_empty();
                self.parts.push(Part::Optional { end: 0, lines });
                for text in [bracket, name, ">"] {
                    self.text(text);
                }
                return body;
            }
        }
        self.text(bracket);
        tag
    }

    /// Closes the last open tag of this name in the same optional block, if there is one. `after` is the text
    /// after the closing tag.
    fn close(&mut self, mark: &str, name: &str, mut after: &'a str) -> Option<&'a str> {
        let is_opening = |tag: &OpenTag| tag.name.eq_ignore_ascii_case(name);
        let opened = self.open.iter().rposition(|tag| tag.optional || is_opening(tag))?;
        let OpenTag { name, first, optional, .. } = *self.open.get(opened).filter(|tag| is_opening(tag))?;
        self.open.truncate(opened);
        for part in self.parts.iter_mut().skip(first) {
            if let Part::Variable { inside, .. } = part {
                inside.push(name.to_owned());
            }
        }
        if !optional {
            return None;
        }
        let (line, rest) = after.split_once('\n').unwrap_or((after, ""));
        let end_of_line = line.trim_ascii().is_empty();
        let first_on_line = matches!(self.parts.get(first), Some(Part::Optional { lines: true, .. }));
        let lines = end_of_line && first_on_line;
        if lines {
            after = rest;
        }
        self.text(mark.strip_suffix(after).unwrap_or_default());
        let end = self.parts.len();
        if let Some(block) = self.parts.get_mut(first) {
            *block = Part::Optional { end, lines };
        }
        // The text that follows is not part of the block.
        self.parts.push(Part::Text(String::new()));
        Some(after)
    }

    /// The template before `rest`.
    fn before(&self, rest: &str) -> &'a str {
        self.template.strip_suffix(rest).unwrap_or_default()
    }

    fn line_before(&self, rest: &str) -> &'a str {
        self.before(rest).rsplit('\n').next().unwrap_or_default()
    }

    fn invalid(&self, mark: &str, what: &str, problem: &str) -> Error {
        let line = self.before(mark).split('\n').count();
        let column = self.line_before(mark).chars().count() + 1;
        Error::invalid_config(format!("The prompt has {what} at line {line}, column {column}: {problem}"))
    }
}

/// Splits before the first of these ASCII characters.
fn split_before<'a>(text: &'a str, marks: &[u8]) -> Option<(&'a str, &'a str)> {
    text.bytes().position(|byte| marks.contains(&byte)).and_then(|at| text.split_at_checked(at))
}
