//! Prompt templates: LangChain's f-strings with optional blocks and protected data.
//!
//! `{name}` is replaced with a variable; `{{` and `}}` are literal braces. Inserted values are not parsed, so
//! braces in the data have no effect.
//!
//! A block `<name optional>` … `</name>` is kept, without the word `optional`, when every variable in it was
//! passed. Otherwise it is removed with its lines. Nested blocks follow the same rule, so the outer block
//! needs their variables, too.
//!
//! Data cannot end the block that it is in: in a variable between `<name>` and `</name>`, with or without
//! attributes, `</name` is written as `&lt;/name`, also if it has spaces or invisible characters. So is the start of
//! such a tag at the end of a value, which the text after it may complete.

mod omitted;
mod read;

use crate::error::{Code, Error, Result};
use crate::json::{Json, Object};

/// A parsed template.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Template(Vec<Part>);

#[derive(Debug, Clone, PartialEq, Eq)]
enum Part {
    Text(String),
    /// A variable, and the names of its enclosing blocks.
    Variable {
        name: String,
        inside: Vec<String>,
    },
    /// The parts from here to `end` are an optional block, whose tags may be on separate lines.
    Optional {
        end: usize,
        lines: bool,
    },
}

impl Template {
    /// The constant text at the start of the template. Its trailing white space is left out, since it may
    /// depend on variables.
    pub fn beginning(&self) -> &str {
        match self.0.first() {
            Some(Part::Text(text)) => text.trim_end(),
            _ => "",
        }
    }

    /// The text with every variable replaced. Values are strings; other values count as missing.
    pub fn render(&self, variables: &Object<'_>) -> Result<String> {
        self.fill(variables, None).map(|(text, _)| text)
    }

    /// The text before the first `{marker}` and, if there is one, the text after it. The marker counts as
    /// passed; further markers are replaced with nothing.
    pub fn render_around(&self, variables: &Object<'_>, marker: &str) -> Result<(String, Option<String>)> {
        self.fill(variables, Some(marker))
    }

    fn fill(&self, variables: &Object<'_>, marker: Option<&str>) -> Result<(String, Option<String>)> {
        let value = |name: &str| match marker {
            Some(marker) if marker == name => Some(""),
            _ => variables.get(name).and_then(Json::as_str),
        };
        let absent = |part: &Part| matches!(part, Part::Variable { name, .. } if value(name).is_none());
        let mut before = None;
        let mut text = String::new();
        // Whether to skip blank lines: those before a removed block already separate the text.
        let mut vanished = false;
        let mut at = 0;
        while let Some(part) = self.0.get(at) {
            at += 1;
            match part {
                Part::Text(part) => {
                    let part = if vanished { part.trim_start_matches('\n') } else { part };
                    text.push_str(part);
                    vanished &= part.is_empty();
                }
                Part::Variable { name, inside } => {
                    let value = value(name).ok_or_else(|| missing(name, variables))?;
                    push_value(&mut text, value, inside);
                    if before.is_none() && marker == Some(name) {
                        before = Some(std::mem::take(&mut text));
                    }
                    vanished = false;
                }
                Part::Optional { end, lines } => {
                    if self.0.get(at..*end).is_some_and(|block| block.iter().any(absent)) {
                        at = *end;
                        if *lines {
                            text.truncate(text.trim_end_matches([' ', '\t']).len());
                            vanished = text.is_empty() || text.ends_with("\n\n");
                        }
                    }
                }
            }
        }
        if vanished {
            text.pop();
        }
        Ok(match before {
            Some(before) => (before, Some(text)),
            None => (text, None),
        })
    }
}

/// Appends a value, escaped so that it cannot end one of the blocks `inside`.
pub fn push_value(text: &mut String, mut value: &str, inside: &[impl AsRef<str>]) {
    if inside.is_empty() {
        return text.push_str(value);
    }
    while let Some((before, tag)) = value.split_once('<') {
        text.push_str(before);
        text.push_str(if inside.iter().any(|block| ends(tag, block.as_ref())) { "&lt;" } else { "<" });
        value = tag;
    }
    text.push_str(value);
}

/// Texts as blocks with numbers, which start at `first`: `<claim index="0">`. No text can end its block.
pub fn blocks<'t>(
    (name, attribute): (&str, &str),
    first: usize,
    texts: impl Iterator<Item = &'t str>,
) -> String {
    let mut blocks = String::new();
    for (text, number) in texts.zip(first..) {
        let gap = if blocks.is_empty() { "" } else { "\n" };
        blocks.push_str(&format!("{gap}<{name} {attribute}=\"{number}\">\n"));
        push_value(&mut blocks, text, &[name]);
        blocks.push_str(&format!("\n</{name}>"));
    }
    blocks
}

/// Whether a text after `<` looks like the end of the block, or breaks off where it may become one. Models ignore spaces
/// and invisible characters.
fn ends(tag: &str, block: &str) -> bool {
    let mut seen = tag.chars().filter(|char| !is_invisible(*char)).skip_while(|char| char.is_whitespace());
    match seen.next() {
        None => true,
        Some('/') => {
            let name = seen.skip_while(|char| char.is_whitespace());
            name.zip(block.chars()).all(|(one, other)| may_be_same(one, other))
        }
        Some(_) => false,
    }
}

/// Whether two characters may be the same letter, in another case or another script. Tables of all letters would be larger,
/// so letters beyond ASCII may be any letter.
fn may_be_same(one: char, other: char) -> bool {
    let is_letter = |char: char| char.is_ascii_alphabetic() || !char.is_ascii();
    let is_known = one.is_ascii() && other.is_ascii();
    one.eq_ignore_ascii_case(&other) || (!is_known && is_letter(one) && is_letter(other))
}

/// Whether a character has no width, or is a control character other than white space.
fn is_invisible(char: char) -> bool {
    (char.is_ascii_control() && !char.is_ascii_whitespace())
        || matches!(char,
            '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{115f}' | '\u{1160}' | '\u{17b4}' | '\u{17b5}'
            | '\u{180b}'..='\u{180f}' | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}'
            | '\u{2060}'..='\u{206f}' | '\u{3164}' | '\u{fe00}'..='\u{fe0f}' | '\u{feff}' | '\u{ffa0}'
            | '\u{fff0}'..='\u{fffb}' | '\u{e0000}'..='\u{e0fff}')
}

fn missing(name: &str, variables: &Object<'_>) -> Error {
    let passed: Vec<&str> = variables.iter().map(|(name, _)| name).collect();
    let passed = if passed.is_empty() { "nothing".to_owned() } else { passed.join(", ") };
    let is_name = |name: &str| {
        !name.starts_with(|c: char| c.is_ascii_digit())
            && name.chars().all(|c| c == '_' || c.is_ascii_alphanumeric())
            && !name.is_empty()
    };
    let pass = |params: &str| format!("Pass it when you call the evaluator: evaluator({{ {params} }}).");
    let hint = match name {
        "referenceOutputs" => "In a prompt, referenceOutputs is called {reference_outputs}.".to_owned(),
        "inputs" | "outputs" => pass(&format!("{name}: …")),
        "reference_outputs" => pass("outputs, referenceOutputs: …"),
        name if is_name(name) => {
            let pass = pass(&format!("outputs, {name}: …"));
            format!("{pass} Or rename the variable in the prompt to one that is passed.")
        }
        _ => "If these braces are literal text, write {{ and }} instead.".to_owned(),
    };
    Error::new(
        Code::MissingVariable,
        format!("The prompt has the variable {{{name}}}, which was not passed (passed: {passed}). {hint}"),
    )
}

#[cfg(test)]
mod tests;
