//! JSON Schema, draft 2020-12: whether a value fits a schema.
//!
//! [`Schema::read`] reads a schema, and rejects one that cannot be validated: keywords of other drafts,
//! invalid values of keywords, and references to other documents. [`Schema::check`] reports the first
//! violation by a value. Annotations (`title`, `default`, `contentEncoding`, …) and unknown keywords are
//! ignored, as the specification requires. `format`, which it leaves open, is validated.
//!
//! Patterns are JavaScript regular expressions, and most formats are defined by them, so the caller checks
//! both: [`TextRules`].

mod check;
mod keywords;
mod recursion;
mod reference;
mod table;
mod validation;

use crate::error::{Error, Result};
use crate::json::{Json, Object};
use keywords::Keyword;
use serde::Serialize;

/// Whether a string matches a `pattern` or a `format`, given the keyword, its value and the string. The error
/// says why that cannot be decided.
pub type TextRules<'t> = dyn Fn(&str, &str, &str) -> Result<bool, String> + 't;

/// Rules for schemas without patterns and formats.
pub fn no_text_rules(_: &str, _: &str, _: &str) -> Result<bool, String> {
    Ok(true)
}

/// A rule for strings in a schema.
#[derive(Debug, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
pub struct TextRule {
    /// `pattern` or `format`.
    pub keyword: &'static str,
    /// The regular expression, or the name of the format.
    pub rule: String,
    /// The path of the rule in the schema.
    pub place: String,
}

/// A schema that has been read.
pub struct Schema<'s> {
    resources: Vec<Resource<'s>>,
}

/// A schema resource: the document, and each subschema with an `$id`.
struct Resource<'s> {
    uri: String,
    root: &'s Json<'s>,
    anchors: Vec<Anchor<'s>>,
}

/// A name for a subschema of a resource.
struct Anchor<'s> {
    name: &'s str,
    schema: &'s Json<'s>,
    /// Whether it is a `$dynamicAnchor`: the same name in an enclosing dynamic scope takes precedence.
    is_dynamic: bool,
}

/// Why a value is invalid, or why that cannot be decided.
#[derive(Debug, PartialEq, Eq)]
pub struct Misfit {
    /// The violation, with its place.
    pub what: String,
    /// Whether the schema causes it, so that no other value would be valid.
    pub is_final: bool,
}

impl<T: Into<String>> From<T> for Misfit {
    fn from(what: T) -> Self {
        Self { what: what.into(), is_final: false }
    }
}

/// A schema and the index of its resource.
type SchemaLocation<'s> = (&'s Json<'s>, usize);

/// Identifies a value by its address.
fn address(value: &Json<'_>) -> usize {
    std::ptr::from_ref(value).addr()
}

/// The maximum depth of a schema. Validation recurses.
const MAX_DEPTH: usize = 100;

impl<'s> Schema<'s> {
    /// Reads a schema. The error names the place that is invalid.
    pub fn read(schema: &'s Json<'s>) -> Result<(Self, Vec<TextRule>)> {
        let root = Resource { uri: String::new(), root: schema, anchors: Vec::new() };
        let mut reader = SchemaReader {
            schema: Self { resources: vec![root] },
            references: Vec::new(),
            rules: Vec::new(),
            path: "#".to_owned(),
        };
        reader.read(schema, 0, MAX_DEPTH)?;
        let SchemaReader { schema, references, rules, .. } = reader;
        let mut visited = reference::Visited::default();
        for (reference, resource, path) in references {
            let place = schema.follow(reference, resource);
            let place = place.map_err(|problem| refused(&path, reference, &problem))?;
            if schema.is_endless(place, &mut visited) {
                return Err(refused(
                    &path,
                    reference,
                    "it refers back to itself for the same value, without end",
                ));
            }
        }
        Ok((schema, rules))
    }
}

/// Walks a schema once.
struct SchemaReader<'s> {
    schema: Schema<'s>,
    references: Vec<(&'s str, usize, String)>,
    rules: Vec<TextRule>,
    /// The current path.
    path: String,
}

impl<'s> SchemaReader<'s> {
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

    /// The resource of a schema, which is its own if it has an `$id`. Records its anchors.
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
