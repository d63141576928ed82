//! Reading a template, once, so that filling it in has nothing left to search for.

use super::{Part, Template};
use crate::error::{Error, Result};

impl Template {
    /// Reads a template. An error says where a brace has no partner, or an optional block no end.
    pub fn parse(template: &str) -> Result<Self> {
        let mut reader = Reader { template, parts: Vec::new(), open: Vec::new() };
        let mut rest = template;
        while let Some((text, mark)) = rest.find(['{', '}', '<']).and_then(|at| rest.split_at_checked(at)) {
            reader.text(text);
            rest = reader.mark(mark)?;
        }
        reader.text(rest);
        match reader.open.iter().find_map(|tag| Some((tag.name, tag.optional?))) {
            None => Ok(Self(reader.parts)),
            Some((name, mark)) => {
                let place = reader.place(mark);
                Err(Error::invalid_config(format!(
                    "The prompt has an optional block without an end at {place}: <{name} optional> is never closed. Write </{name}> where it ends."
                )))
            }
        }
    }
}

struct Reader<'a> {
    template: &'a str,
    parts: Vec<Part>,
    /// The tags that were opened and not closed; some are no tags, but words between angle brackets.
    open: Vec<OpenTag<'a>>,
}

struct OpenTag<'a> {
    name: &'a str,
    /// The index of the first part after it.
    first: usize,
    /// For an optional block, what is left of the template from the tag on.
    optional: Option<&'a str>,
}

impl<'a> Reader<'a> {
    fn text(&mut self, text: &str) {
        match self.parts.last_mut() {
            _ if text.is_empty() => {}
            Some(Part::Text(last)) => last.push_str(text),
            _ => self.parts.push(Part::Text(text.to_owned())),
        }
    }

    /// Reads what begins with a brace or an angle bracket; returns what is left of the template then.
    fn mark(&mut self, mark: &'a str) -> Result<&'a str> {
        if let Some(tag) = mark.strip_prefix('<') {
            Ok(self.tag(mark, tag))
        } else if let Some(after) = mark.strip_prefix("{{") {
            self.text("{");
            Ok(after)
        } else if let Some(after) = mark.strip_prefix("}}") {
            self.text("}");
            Ok(after)
        } else if let Some((name, after)) = mark.strip_prefix('{').and_then(|name| name.split_once('}')) {
            self.parts.push(Part::Variable { name: name.to_owned(), inside: Vec::new() });
            Ok(after)
        } else {
            let problem =
                if mark.starts_with('{') { "\"{\" is never closed" } else { "\"}\" closes nothing" };
            let place = self.place(mark);
            Err(Error::invalid_config(format!(
                "The prompt has a brace without a partner at {place}: {problem}. Write {{{{ or }}}} for a brace that stands for itself."
            )))
        }
    }

    fn tag(&mut self, mark: &'a str, tag: &'a str) -> &'a str {
        let closing = tag.strip_prefix('/').map(str::trim_start);
        let name = closing.unwrap_or(tag);
        let is_end = |c: char| c.is_ascii_whitespace() || "<>/{}".contains(c);
        let (name, after) = name.find(is_end).and_then(|end| name.split_at_checked(end)).unwrap_or_default();
        let inner = after.trim_start();
        let body = inner.strip_prefix('>');
        if name.is_empty() || inner.len() == after.len() && body.is_none() {
            self.text("<");
            tag
        } else if closing.is_none() {
            let optional = inner.strip_prefix("optional").and_then(|end| end.trim_start().strip_prefix('>'));
            if let Some(body) = optional {
                self.open_optional(mark, name);
                return body;
            }
            self.open.push(OpenTag { name, first: self.parts.len(), optional: None });
            self.text("<");
            tag
        } else {
            self.close(mark, name, body.unwrap_or(after))
        }
    }

    fn open_optional(&mut self, mark: &'a str, name: &'a str) {
        let before = self.template.strip_suffix(mark).unwrap_or_default();
        let lines = before.rsplit('\n').next().is_some_and(|line| line.trim().is_empty());
        // The indentation vanishes with the line.
        let mut indentation = String::new();
        if lines && let Some(Part::Text(text)) = self.parts.last_mut() {
            indentation = text.split_off(text.rfind('\n').map_or(0, |end| end + 1));
        }
        self.open.push(OpenTag { name, first: self.parts.len(), optional: Some(mark) });
        self.parts.push(Part::Optional { end: 0, lines });
        self.text(&format!("{indentation}<{name}>"));
    }

    /// Closes the last tag of this name, if there is one in the same optional block; `after` is what follows.
    fn close(&mut self, mark: &'a str, name: &str, mut after: &'a str) -> &'a str {
        let block = self.open.iter().rposition(|tag| tag.optional.is_some());
        let opened = self.open.iter().rposition(|tag| tag.name.eq_ignore_ascii_case(name));
        let mut optional = None;
        if opened >= block
            && let Some(tag) = opened.and_then(|opened| self.open.drain(opened..).next())
        {
            for part in self.parts.iter_mut().skip(tag.first) {
                if let Part::Variable { inside, .. } = part {
                    inside.push(tag.name.to_owned());
                }
            }
            optional = tag.optional.and(Some(tag.first));
        }
        let Some(at) = optional else {
            self.text(mark.strip_suffix(after).unwrap_or_default());
            return after;
        };
        let line = after.split_inclusive('\n').next().unwrap_or_default();
        let first = matches!(self.parts.get(at), Some(Part::Optional { lines: true, .. }));
        let lines = first && line.trim().is_empty();
        if lines {
            after = after.strip_prefix(line).unwrap_or_default();
        }
        self.text(mark.strip_suffix(after).unwrap_or_default());
        let block = Part::Optional { end: self.parts.len(), lines };
        if let Some(part) = self.parts.get_mut(at) {
            *part = block;
        }
        // What follows is no part of the block.
        self.parts.push(Part::Text(String::new()));
        after
    }

    /// Where in the template it is that `rest` is left.
    fn place(&self, rest: &str) -> String {
        let before = self.template.strip_suffix(rest).unwrap_or_default();
        let line = before.split('\n').count();
        let column = before.rsplit('\n').next().unwrap_or_default().chars().count() + 1;
        format!("line {line}, column {column}")
    }
}
