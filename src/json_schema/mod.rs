//! JSON Schema, draft 2020-12: whether a value fits a schema.
//!
//! [`Schema::read`] reads a schema, and refuses one that could not be checked: with keywords of other drafts, values that
//! they cannot have, and references to what stands elsewhere. [`Schema::check`] says what about a value does not fit.
//! What is only told of values (`title`, `default`, `contentEncoding` and the like), and keywords that nobody knows, are
//! not looked at, as the specification says; `format` is checked, which it leaves open.
//!
//! Patterns are regular expressions of JavaScript, and most formats are defined by some, so both are asked for:
//! [`TextRules`].

mod check;
mod found;
mod keywords;
mod recursion;
mod reference;
mod table;

use crate::error::{Error, Result};
use crate::json::{Json, Object};
use keywords::Keyword;
use serde::Serialize;

/// Says whether a text fits a `pattern` or a `format`, given the name of the keyword, its value, and the text; or why that
/// cannot be said.
pub type TextRules<'t> = dyn Fn(&str, &str, &str) -> Result<bool, String> + 't;

/// For schemas without patterns and formats.
pub fn no_text_rules(_: &str, _: &str, _: &str) -> Result<bool, String> {
    Ok(true)
}

/// What texts have to fit.
#[derive(Debug, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
pub struct TextRule {
    /// `pattern` or `format`.
    pub keyword: &'static str,
    /// The regular expression, or the name of the format.
    pub rule: String,
    /// Where it stands in the schema.
    pub place: String,
}

/// A schema that can be checked.
pub struct Schema<'s> {
    resources: Vec<Resource<'s>>,
}

/// A schema with an address of its own: the whole, and each part with an `$id`.
struct Resource<'s> {
    uri: String,
    root: &'s Json<'s>,
    anchors: Vec<Anchor<'s>>,
}

/// A name for a place in a resource.
struct Anchor<'s> {
    name: &'s str,
    schema: &'s Json<'s>,
    /// Whether the same name in a schema around this one goes first, for `$dynamicRef`.
    is_dynamic: bool,
}

/// Why a value does not fit, or why that cannot be said.
#[derive(Debug, PartialEq, Eq)]
pub struct Misfit {
    /// What is wrong, with its place.
    pub what: String,
    /// Whether the schema is what is wrong, so that other values would do no better.
    pub is_final: bool,
}

impl<T: Into<String>> From<T> for Misfit {
    fn from(what: T) -> Self {
        Self { what: what.into(), is_final: false }
    }
}

/// A schema, and the resource that it is in.
type Place<'s> = (&'s Json<'s>, usize);

/// What tells values apart that stand at different places.
fn address(value: &Json<'_>) -> usize {
    std::ptr::from_ref(value).addr()
}

/// A schema may nest this deep; checking recurses.
const MAX_DEPTH: usize = 100;

impl<'s> Schema<'s> {
    /// Reads a schema; says where it cannot be checked.
    pub fn read(schema: &'s Json<'s>) -> Result<(Self, Vec<TextRule>)> {
        let root = Resource { uri: String::new(), root: schema, anchors: Vec::new() };
        let mut reader = Reader {
            schema: Self { resources: vec![root] },
            references: Vec::new(),
            rules: Vec::new(),
            path: "#".to_owned(),
        };
        reader.read(schema, 0, MAX_DEPTH)?;
        let Reader { schema, references, rules, .. } = reader;
        let mut visited = reference::Visited::default();
        for (reference, resource, path) in references {
            let place = schema.follow(reference, resource);
            let place = place.map_err(|problem| refused(&path, reference, &problem))?;
            if schema.is_endless(place, &mut visited) {
                return Err(refused(
                    &path,
                    reference,
                    "it leads back to itself at the same value, without end",
                ));
            }
        }
        Ok((schema, rules))
    }
}

/// Goes through a schema, once.
struct Reader<'s> {
    schema: Schema<'s>,
    references: Vec<(&'s str, usize, String)>,
    rules: Vec<TextRule>,
    /// Where it is.
    path: String,
}

impl<'s> Reader<'s> {
    fn read(&mut self, schema: &'s Json<'s>, resource: usize, levels: usize) -> Result<()> {
        let keywords = match schema {
            Json::Object(keywords) => keywords,
            Json::Bool(_) => return Ok(()),
            other => return Err(self.wrong(other, "a schema, which is an object, true or false")),
        };
        let Some(levels) = levels.checked_sub(1) else {
            return Err(Error::invalid_config(format!("it nests deeper than {MAX_DEPTH} levels")));
        };
        let resource = self.identify(schema, keywords, resource)?;
        for (name, value) in keywords.iter() {
            let length = self.path.len();
            self.step(name);
            self.keyword(name, value, resource, levels)?;
            self.path.truncate(length);
        }
        Ok(())
    }

    /// The resource that a schema is in, which is its own if it has an `$id`; notes its names.
    fn identify(
        &mut self,
        schema: &'s Json<'s>,
        keywords: &'s Object<'s>,
        mut resource: usize,
    ) -> Result<usize> {
        let resources = &mut self.schema.resources;
        if let Some(id) = keywords.get("$id").and_then(Json::as_str) {
            let (id, fragment) = reference::split(id);
            if !fragment.is_empty() {
                let problem = "an address has no fragment; use $anchor for a name within a schema";
                return Err(refused(&self.path, "$id", problem));
            }
            let base = resources.get(resource).map(|resource| resource.uri.as_str()).unwrap_or_default();
            let uri = reference::resolve(base, id);
            match resources.first_mut() {
                Some(root) if std::ptr::eq(root.root, schema) => root.uri = uri,
                _ => {
                    if resources.iter().any(|other| other.uri == uri && other.root != schema) {
                        return Err(refused(&self.path, "$id", TWICE));
                    }
                    resource = resources.len();
                    resources.push(Resource { uri, root: schema, anchors: Vec::new() });
                }
            }
        }
        for (keyword, is_dynamic) in [("$anchor", false), ("$dynamicAnchor", true)] {
            if let Some(name) = keywords.get(keyword).and_then(Json::as_str)
                && let Some(resource) = resources.get_mut(resource)
            {
                let is_taken = |other: &Anchor<'_>| {
                    other.name == name && other.is_dynamic == is_dynamic && other.schema != schema
                };
                if resource.anchors.iter().any(is_taken) {
                    return Err(refused(&self.path, keyword, TWICE));
                }
                resource.anchors.push(Anchor { name, schema, is_dynamic });
            }
        }
        Ok(resource)
    }

    fn keyword(&mut self, name: &str, value: &'s Json<'s>, resource: usize, levels: usize) -> Result<()> {
        let Some(keyword) = keywords::find(name) else { return Ok(()) };
        if let Some(wanted) = keyword.problem(value) {
            return Err(self.wrong(value, wanted));
        }
        match (keyword, value) {
            (Keyword::Schema, schema) => self.read(schema, resource, levels)?,
            (Keyword::Schemas, Json::Array(schemas)) => {
                for (index, schema) in schemas.iter().enumerate() {
                    self.child(&index.to_string(), schema, resource, levels)?;
                }
            }
            (Keyword::Members, Json::Object(members)) => {
                for (member, schema) in members.iter() {
                    if name == "patternProperties" {
                        self.rule("pattern", member);
                    }
                    self.child(member, schema, resource, levels)?;
                }
            }
            (Keyword::Reference, Json::String(reference)) => {
                self.references.push((reference, resource, self.path.clone()));
            }
            (Keyword::Rule(keyword), Json::String(rule)) => self.rule(keyword, rule),
            (Keyword::Refused(problem), _) => return Err(refused(&self.path, name, problem)),
            _ => {}
        }
        Ok(())
    }

    fn child(&mut self, step: &str, schema: &'s Json<'s>, resource: usize, levels: usize) -> Result<()> {
        let length = self.path.len();
        self.step(step);
        self.read(schema, resource, levels)?;
        self.path.truncate(length);
        Ok(())
    }

    fn step(&mut self, step: &str) {
        self.path.push('/');
        self.path.push_str(step);
    }

    fn rule(&mut self, keyword: &'static str, rule: &str) {
        self.rules.push(TextRule { keyword, rule: rule.to_owned(), place: self.path.clone() });
    }

    fn wrong(&self, value: &Json<'_>, wanted: &str) -> Error {
        Error::invalid_config([&self.path, " is ", &value.to_string(), ", but has to be ", wanted].concat())
    }
}

const TWICE: &str = "another schema has the same, and differs";

fn refused(place: &str, what: &str, problem: &str) -> Error {
    Error::invalid_config([place, ": ", what, " is not supported: ", problem].concat())
}

#[cfg(test)]
mod tests;
